// compose/matings.h - where something can still be connected, and how.
//
//     SomSites robot = som_sites_find(mechanism, links);      // its free connectors, as it stands
//     SomSites part = som_sites_find(chain, chain_links);     // of the part that is dragged
//     SomCandidate nearest[8];
//     int count = som_sites_near(&robot, &part, &aim, nearest, 8);
//     if (count > 0) {
//         SomPose ghost = som_pose_compose(nearest[0].pose, chain_links[i]); // of link i
//         som_configuration_print_connector(robot.configuration, nearest[0].module,
//                                           nearest[0].connector, &place);   // spine.head.L
//     }
//
// A connector is free if no connection holds it and no dock is to. Two connectors of one design can
// be mated at the angles their rule offers; they then close a loop, which must shut. The part may
// come from another workspace: its types are found again by their names.
//
// Ownership: sites own their array and borrow the configuration. Find them once for a posture; then
// candidates are found in microseconds, with every motion of a pointer.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

// Ways to mate two connectors that are looked at; no known module has more than eight.
#define SOM_MAX_OFFERED 64

// Shapes that reach deeper than this into each other overlap, in metres: faces that touch do not.
#define SOM_OVERLAP 1e-3

// A free connector.
typedef struct SomSite {
    int module, connector;
    SomPose pose; // of the connector in the world: x points out
    SomPose link; // of its link
} SomSite;

typedef struct SomSites {
    const SomConfiguration *configuration;
    SomSite *data;
    int count;
} SomSites;

// In the order of modules and connectors. `links` are the poses of all links in some posture.
SomSites som_sites_find(const SomMechanism *mechanism, const SomPose *links);
void som_sites_free(SomSites *sites); // leaves it empty

// ---- two connectors of one design

typedef enum SomMatingRefusal {
    SOM_MATING_OFFERED,     // none: they can be mated
    SOM_MATING_SAME_MODULE, // both are of one module
    SOM_MATING_TAKEN_A,     // connected already
    SOM_MATING_TAKEN_B,
    SOM_MATING_DOCK_A, // a dock, open now, is to hold it
    SOM_MATING_DOCK_B,
    SOM_MATING_NO_RULE, // between these types of modules
    SOM_MATING_UNFIT,   // the rule does not mate these two
} SomMatingRefusal;

typedef struct SomOffer {
    SomMatingRefusal refusal;
    SomMatingChoice choices[SOM_MAX_OFFERED]; // each angle once, rising; those without one behind
    int count;
} SomOffer;

void som_offer_find(const SomConfiguration *configuration, int module_a, int connector_a,
                    int module_b, int connector_b, SomOffer *offer);

// The ways of two that are connected now, to choose another.
void som_offer_find_connected(const SomConfiguration *configuration,
                              const SomConnection *connection, SomOffer *offer);

// Why not, in a sentence: "'body.L' is already connected with 'leg.T'".
void som_offer_print_refusal(const SomConfiguration *configuration, int module_a, int connector_a,
                             int module_b, int connector_b, SomMatingRefusal refusal, SomText *out);

// How far apart the two are from being mated so: what joints would have to make up for.
SomGap som_offer_gap(const SomMechanism *mechanism, const SomPose *links, int module_a,
                     int connector_a, int module_b, int connector_b, const SomMatingChoice *choice);

// What a connection says to choose this mating: " at 90deg", " as 3", nothing for the angle 0.
void som_mating_print_choice(double roll, int index, SomText *out);

// ---- a part at a design

// Where the pointer is.
typedef struct SomAim {
    SomVec3 origin;
    SomVec3 direction;          // of a ray, of any length; zero: the origin itself is pointed at
    bool has_pose;              // the part is held in a pose: near ones come first
    SomPose pose;               // of the world of the part in the world
    bool is_fixed;              // only by this connector of the part
    int part_module, connector; // which
    double reach;               // connectors farther away are left out; 0: none is
} SomAim;

typedef struct SomCandidate {
    int module, connector;           // of the design
    int part_module, part_connector; // of the part
    int index;                       // of the mating
    double roll;                     // NAN if it has none
    SomPose pose;                    // of the world of the part in the world
    double distance;                 // from what is pointed at to the connector, in metres
} SomCandidate;

// The best `max`, by the distance of the design's connector, then by the pose of the part, else in
// the order of its connectors and of angles. Returns how many.
int som_sites_near(const SomSites *design, const SomSites *part, const SomAim *aim,
                   SomCandidate *candidates, int max);

// Would the part, put so, reach into the design? The two modules that are mated may. The part may
// be some modules of the design itself, and these may leave their place: NULL is all, and none.
bool som_candidate_overlaps(const SomMechanism *design, const SomPose *links, const bool *is_gone,
                            const SomMechanism *part, const SomPose *part_links,
                            const bool *is_part, const SomCandidate *candidate);

#ifdef __cplusplus
}
#endif
