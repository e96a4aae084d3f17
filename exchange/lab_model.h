// exchange/lab_model.h - robots of the SMORES lab's files: modules with poses and joints, and
// connections.
//
//     SomLabModel model = {0};
//     som_conf_read(importer, &file, &model);                   // exchange/conf.h
//     som_lab_derive(&model, &type, arena, diags);              // rolls and gaps from the poses
//     som_lab_check_faces(&model, arena, diags);
//     som_lab_place(&model, &type, 0, poses);                   // forward kinematics
//     som_lab_free(&model);
//
// Faces are 0 front (T), 1 left (L), 2 right (R), 3 back (B); joints front, left, right, bend. Of a
// connection, M_b = M_a K_a(joints of a) Tx(gap) Rz(pi) Rx(roll) K_b(joints of b)^-1 with K the
// frames of the faces, x outwards; all of K comes from the module type of the library.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import_internal.h"
#include "exchange/som_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomLabModule {
    SomStr group; // of "Component_1:Module_2" the first piece; empty if there is none
    SomStr name;
    SomSpan span; // of the name
    SomPose pose;
    SomSpan pose_span;
    int pose_numbers; // of a .conf file: six with angles, seven with a quaternion; else 0
    SomVec3 angles;   // of six, as written
    double joints[4];
    SomSpan joints_span;
} SomLabModule;

typedef struct SomLabConnection {
    int a, b;
    int face_a, face_b;
    double distance; // as written, metres
    double angle;    // as written, radians
    double roll;     // that holds, in [0, 2 pi)
    double gap;
    bool is_forced;
    SomSpan span; // of the element
} SomLabConnection;

// How much poses may differ from connections without a word.
typedef struct SomLabTolerance {
    double length;
    double angle;
    double roll; // from one that is offered
} SomLabTolerance;

// Zero is empty.
typedef struct SomLabModel {
    SOM_ARRAY(SomLabModule) modules;
    SOM_ARRAY(SomLabConnection) connections;
    SOM_ARRAY(int) by_name;    // modules, sorted
    SomLabTolerance tolerance; // zeros: as files with all digits need it
    bool is_vsparc;            // joints are written as VSPARC counts them, and the base, too:
    int base;                  // a module, whose back half …
    SomPose base_pose;         // … is there
} SomLabModel;

// SMORES, as the library has it.
typedef struct SomLabType {
    const SomM3l *m3l;
    const SomModuleType *type;
    int faces[4];  // its connectors
    int joints[4]; // its joints
} SomLabType;

extern const char *const som_lab_faces[4];  // "T"
extern const char *const som_lab_joints[4]; // "front"

// The same joints as VSPARC counts them, and the values it gives them: pan and tilt go the other
// way.
extern const char *const som_vsparc_joints[4]; // "pan"
extern const double som_vsparc_signs[4];       // -1

void som_lab_free(SomLabModel *model);

// "Component_1:Module_2" is a module of a group.
void som_lab_split(SomStr whole, SomStr *group, SomStr *name);
SomStr som_lab_shown(const SomLabModule *module, SomArena *arena); // "Component_1.Module_2"

// Sorts the names; reports those that are taken.
bool som_lab_index(SomLabModel *model, SomArena *arena, SomDiagnostics *diags);
int som_lab_find(const SomLabModel *model, SomStr group, SomStr name); // -1 if there is none
int som_lab_find_nearest(const SomLabModel *model, SomStr name);       // likewise

// A group becomes a configuration, which is one piece. Modules of groups that are not are taken out
// of them, and are then called "Component_1:Module_2".
void som_lab_dissolve_groups(SomLabModel *model, SomArena *arena, SomDiagnostics *diags);

bool som_lab_check_faces(const SomLabModel *model, SomArena *arena, SomDiagnostics *diags);
// Warns of pieces that nothing connects to the first module. With a type, a note says which of
// their faces touch others.
void som_lab_note_pieces(const SomLabModel *model, const SomLabType *type, SomArena *arena,
                         SomDiagnostics *diags);
// A module of each piece: the base, and the first one of each other. As many as there are modules
// at most.
int som_lab_piece_roots(const SomLabModel *model, int base, int *roots);

// ---- lab_geometry.c

// False after a report if the library has no SMORES.
bool som_lab_type(SomImporter *importer, SomLabType *type);

// The frame of a face, x outwards, seen from the module.
SomPose som_lab_face(const SomLabType *type, const double joints[4], int face);

// A face that mates with another, seen from that.
SomPose som_lab_mating(double gap, double roll);

// Has the file poses with quaternions?
bool som_lab_has_quaternions(const SomLabModel *model);

// Rolls and gaps of all connections from the poses; warns of what does not fit. False after an
// error: a pose that does not fit because a number of its quaternion is missing.
bool som_lab_derive(SomLabModel *model, const SomLabType *type, SomArena *arena,
                    SomDiagnostics *diags);

// The roll and gap of one connection as they are written.
void som_lab_take_angle(const SomLabModel *model, SomLabConnection *connection,
                        const SomLabType *type, SomArena *arena, SomDiagnostics *diags);

// Warns of joints that cannot go where they are.
void som_lab_check_limits(const SomLabModel *model, const SomLabType *type, SomArena *arena,
                          SomDiagnostics *diags);

// Poses of all modules that hang together with `base`, whose pose is its own; the others' too.
void som_lab_place(const SomLabModel *model, const SomLabType *type, int base, SomPose *poses);

// ---- lab_text.c

void som_lab_write_connection(SomText *out, const SomLabConnection *connection, SomWrittenPlace a,
                              SomWrittenPlace b);
void som_lab_write_base(SomText *out, SomWrittenPlace place, SomPose pose);

// A configuration with all of the model, read from a file. Of each piece a module is where the file
// has it: of the first one module 0 or the base.
void som_lab_write(SomImporter *importer, const SomLabModel *model, SomStr name, SomStr path);
void som_lab_copy_joints(const SomLabModule *module, double joints[4]); // as they are written
bool som_lab_has_joints(const SomLabModel *model); // one of them is not zero, so there is a pose
#define SOM_LAB_POSE SOM_STR("initial")

#ifdef __cplusplus
}
#endif
