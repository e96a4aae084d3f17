// studio/assembly_internal.h - what the files of an assembly share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/assembly.h"
#include "studio/part_model.h"

struct SomAssembly {
    SomProject *project;
    SomAssemblyKind kind;
    SomText reference, file; // of a part of the library; kept to begin the next like the last
    SomText copied;          // part of the design
    SomModel *part;          // of the library
    bool *is_held;           // modules of the design, of a copy or what is moved
    int moved_by;            // connection by which it hangs now
    int first_module, first_connector;

    SomSites sites;     // of the design
    SomSites own_sites; // of the body
    bool *is_offered;
    int site, own;                            // chosen; -1: none
    bool is_own_fixed;                        // it was begun with this connector
    bool is_turned;                           // an angle was chosen by hand
    double roll;                              // that was wanted last
    SomCandidate candidates[SOM_MAX_OFFERED]; // the angles at the site
    int count, chosen;
    bool has_overlap, overlaps; // whether it is known, and what
    int last_own;               // of the part that was dropped last
    double last_roll;
    int wanted_module, wanted_connector; // that was aimed at exactly; -1: none
    SomText reason;
};

const SomModel *som_assembly_model(const SomAssembly *assembly);

// -1 if it is none of them.
int som_sites_index(const SomSites *sites, int module, int connector);

// Whether something is offered at each site.
void som_assembly_find_offered(SomAssembly *assembly);

// Finds the reason why there is no candidate.
void som_assembly_explain(SomAssembly *assembly);
