// SPDX-License-Identifier: Apache-2.0
// Where modules of the lab's files stand, and what that says about their connections.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "compose/words.h"
#include "exchange/adjacency.h"
#include "exchange/lab_model.h"
#include "modules/joint_limit.h"
#include "space/trigonometry.h"

#include <math.h>

// Poses of files have nine digits or more; what differs by more than this was meant otherwise.
#define MISFIT_METRES 1e-5
#define MISFIT_RADIANS 1e-4
// A roll within this of an offered one is that one.
#define ROLL_TOLERANCE 1e-3
// Faces that look at each other within this, as the cosine of about 6 degrees, tell their roll.
#define FACING -0.995
#define MAX_POSE_GAP 0.05
// Centres of faces that are nearer than this were meant to coincide.
#define COINCIDE_METRES 2e-3

bool som_lab_type(SomImporter *importer, SomLabType *type) {
    type->m3l = som_importer_library(importer, SOM_STR("smores.m3l"));
    type->type = type->m3l != NULL ? som_m3l_find_type(type->m3l, SOM_STR("SMORES")) : NULL;
    bool fine = type->type != NULL && type->type->joint_count <= SOM_MAX_MODULE_LINKS;
    for (int i = 0; fine && i < 4; i++) {
        type->faces[i] = som_module_type_find_connector(type->type, som_str(som_lab_faces[i]));
        type->joints[i] = som_module_type_find_joint(type->type, som_str(som_lab_joints[i]), NULL);
        fine = type->faces[i] >= 0 && type->joints[i] >= 0 &&
               type->type->connectors[type->faces[i]].has_frame;
    }
    if (type->m3l != NULL && !fine) {
        som_report(
            importer->diags, SOM_IMPORT_NO_LIBRARY, (SomSpan){0},
            "the library's smores.m3l has no module SMORES with the faces T, L, R, B and the "
            "joints front, left, right, bend");
    }
    som_importer_reserve(importer, SOM_STR("SMORES"));
    return fine;
}

SomPose som_lab_face(const SomLabType *type, const double joints[4], int face) {
    double values[SOM_MAX_MODULE_LINKS] = {0};
    for (int i = 0; i < 4; i++) {
        values[type->joints[i]] = joints[i];
    }
    SomPose links[SOM_MAX_MODULE_LINKS];
    som_module_type_place(type->type, values, links);
    const SomConnector *connector = &type->type->connectors[type->faces[face]];
    return som_pose_compose(links[connector->link], connector->frame);
}

SomPose som_lab_mating(double gap, double roll) {
    SomPose pose = {som_mat3_multiply(som_rotation_z(SOM_PI), som_rotation_x(roll)), {gap, 0, 0}};
    pose.rotation.m[0][0] = -1; // exactly
    pose.rotation.m[0][1] = pose.rotation.m[0][2] = pose.rotation.m[1][0] = pose.rotation.m[2][0] =
        0;
    return pose;
}

// Module b seen from module a, with the joints as they are.
static SomPose transform(const SomLabModel *model, const SomLabType *type,
                         const SomLabConnection *c) {
    SomPose a = som_lab_face(type, model->modules.data[c->a].joints, c->face_a);
    SomPose b = som_lab_face(type, model->modules.data[c->b].joints, c->face_b);
    return som_pose_compose(som_pose_compose(a, som_lab_mating(c->gap, c->roll)),
                            som_pose_invert(b));
}

static double turn_between(double a, double b) {
    double turns = (a - b) / (2 * SOM_PI);
    return fabs(turns - round(turns)) * 2 * SOM_PI;
}

static double full_turn(double angle) {
    double rest = angle - 2 * SOM_PI * floor(angle / (2 * SOM_PI));
    return rest >= 2 * SOM_PI ? 0 : rest;
}

// The roll that is offered and near, or the same roll, forced.
static void choose_roll(const SomLabModel *model, SomLabConnection *c, double roll,
                        const SomLabType *type, SomArena *arena, SomDiagnostics *diags) {
    double tolerance = model->tolerance.roll > 0 ? model->tolerance.roll : ROLL_TOLERANCE;
    SomMatingChoice offered[64];
    int count = som_m3l_find_matings(type->m3l, type->type, type->faces[c->face_a], type->type,
                                     type->faces[c->face_b], offered, 64);
    for (int i = 0; i < count && i < 64; i++) {
        if (turn_between(offered[i].roll, roll) <= tolerance) {
            c->roll = som_tidy_angle(offered[i].roll);
            c->is_forced = false;
            return;
        }
    }
    c->roll = som_tidy_angle(full_turn(roll));
    c->is_forced = true;
    SomText degrees = {0};
    som_text_rounded(&degrees, c->roll * (180 / SOM_PI), 6);
    som_report(diags, SOM_IMPORT_ROLL_NOT_OFFERED, c->span,
               "'%.*s' and '%.*s' do not mate at a roll of %s deg",
               SOM_STR_ARG(som_lab_shown(&model->modules.data[c->a], arena)),
               SOM_STR_ARG(som_lab_shown(&model->modules.data[c->b], arena)), degrees.data);
    som_text_free(&degrees);
}

void som_lab_take_angle(const SomLabModel *model, SomLabConnection *connection,
                        const SomLabType *type, SomArena *arena, SomDiagnostics *diags) {
    choose_roll(model, connection, connection->angle, type, arena, diags);
    connection->gap = connection->distance;
}

// "12.5 mm"
static void print_scaled(SomText *out, double value, double scale, const char *unit) {
    double shown = value * scale;
    som_text_rounded(out, fabs(shown) < 1e-6 ? 0 : shown, 3); // less is rounding
    som_text_add(out, som_str(unit));
}

// Two faces of the modules that the poses put at each other: "; the poses put T of 'a' at B of
// 'b'".
static void print_coinciding(const SomLabModel *model, const SomLabConnection *c,
                             const SomLabType *type, SomArena *arena, SomText *out) {
    const SomLabModule *a = &model->modules.data[c->a], *b = &model->modules.data[c->b];
    for (int i = 0; i < 16; i++) {
        SomPose face_a = som_pose_compose(a->pose, som_lab_face(type, a->joints, i / 4));
        SomPose face_b = som_pose_compose(b->pose, som_lab_face(type, b->joints, i % 4));
        SomPose between = som_pose_relative(face_a, face_b);
        SomVec3 rest = som_vec3_sub(between.position, som_vec3(c->distance, 0, 0));
        bool is_there = som_vec3_length(between.position) < COINCIDE_METRES ||
                        som_vec3_length(rest) < COINCIDE_METRES;
        if (is_there && between.rotation.m[0][0] < FACING) {
            if (i / 4 == c->face_a && i % 4 == c->face_b) {
                return; // those of the connection, not quite
            }
            som_text_printf(
                out,
                "; at these poses face %d (%s) of '%.*s' coincides with face %d (%s) of '%.*s'",
                i / 4, som_lab_faces[i / 4], SOM_STR_ARG(som_lab_shown(a, arena)), i % 4,
                som_lab_faces[i % 4], SOM_STR_ARG(som_lab_shown(b, arena)));
            return;
        }
    }
    som_text_add(out, SOM_STR("; at these poses none of their faces coincide"));
}

static void report_misfit(const SomLabModel *model, const SomLabConnection *c, const char *by,
                          const SomLabType *type, SomArena *arena, SomDiagnostics *diags) {
    SomText rest = {0};
    print_coinciding(model, c, type, arena, &rest);
    som_report(diags, SOM_IMPORT_POSES_DO_NOT_FIT, c->span,
               "the poses of '%.*s' and '%.*s' differ by %s from the connection of face %d (%s) to "
               "face %d (%s)%s",
               SOM_STR_ARG(som_lab_shown(&model->modules.data[c->a], arena)),
               SOM_STR_ARG(som_lab_shown(&model->modules.data[c->b], arena)), by, c->face_a,
               som_lab_faces[c->face_a], c->face_b, som_lab_faces[c->face_b],
               rest.data != NULL ? rest.data : "");
    som_text_free(&rest);
}

static void derive_gap(SomLabConnection *c, SomVec3 between, double tolerance,
                       SomDiagnostics *diags) {
    double across = sqrt(between.y * between.y + between.z * between.z);
    bool tells = across < 1e-3 && between.x > tolerance && between.x < MAX_POSE_GAP;
    c->gap = c->distance;
    if (c->distance == 0 && tells) {
        c->gap = som_tidy_length(between.x);
        SomText gap = {0};
        print_scaled(&gap, between.x, 1000, " mm");
        som_report(diags, SOM_IMPORT_DISTANCE_DIFFERS, c->span,
                   "the poses leave a gap of %s, the distance is 0", gap.data);
        som_text_free(&gap);
    }
}

// False if the poses do not keep the connection.
static bool derive(const SomLabModel *model, SomLabConnection *c, const SomLabType *type,
                   SomArena *arena, SomDiagnostics *diags) {
    const SomLabModule *a = &model->modules.data[c->a], *b = &model->modules.data[c->b];
    double length = model->tolerance.length > 0 ? model->tolerance.length : MISFIT_METRES;
    double angle = model->tolerance.angle > 0 ? model->tolerance.angle : MISFIT_RADIANS;
    SomPose face_a = som_pose_compose(a->pose, som_lab_face(type, a->joints, c->face_a));
    SomPose face_b = som_pose_compose(b->pose, som_lab_face(type, b->joints, c->face_b));
    SomPose between = som_pose_relative(face_a, face_b);
    bool tells = between.rotation.m[0][0] < FACING;
    // Rz(pi) Rx(r) has the rows (-1 0 0), (0 -cos r sin r), (0 sin r cos r)
    double roll = som_atan2(between.rotation.m[1][2] + between.rotation.m[2][1],
                            between.rotation.m[2][2] - between.rotation.m[1][1]);
    choose_roll(model, c, tells ? roll : c->angle, type, arena, diags);
    derive_gap(c, between.position, length, diags);
    SomPose meant = som_pose_compose(a->pose, transform(model, type, c));
    double away = som_vec3_length(som_vec3_sub(meant.position, b->pose.position));
    double turned = som_rotation_distance(meant.rotation, b->pose.rotation);
    bool fits = away <= length && turned <= angle;
    if (!fits) {
        SomText by = {0};
        print_scaled(&by, away, 1000, " mm and ");
        print_scaled(&by, turned, 180 / SOM_PI, " deg");
        report_misfit(model, c, by.data, type, arena, diags);
        som_text_free(&by);
    }
    return fits;
}

bool som_lab_has_quaternions(const SomLabModel *model) {
    for (int i = 0; i < model->modules.count; i++) {
        if (model->modules.data[i].pose_numbers == 7) {
            return true;
        }
    }
    return false;
}

// Can the angles be three of the four numbers of a quaternion? With a turn about one axis, a roll
// that no rule offers is a sign of it, too.
static bool is_short(const SomLabModule *module, bool fits) {
    SomVec3 a = module->angles;
    bool is_about_one_axis = (a.x != 0) + (a.y != 0) + (a.z != 0) == 1;
    return module->pose_numbers == 6 && som_vec3_length(a) <= 1 + 1e-4 &&
           (!fits || is_about_one_axis);
}

// Only the first module of the lab's files has angles where the others have quaternions. Another
// one whose pose does not fit lost a number.
static bool check_numbers(const SomLabModel *model, const SomLabConnection *c, bool fits,
                          SomArena *arena, SomDiagnostics *diags) {
    bool fine = true;
    for (int side = 0; side < 2; side++) {
        int index = side == 0 ? c->a : c->b;
        const SomLabModule *module = &model->modules.data[index];
        if (index > 0 && is_short(module, fits)) {
            som_report(diags, SOM_IMPORT_NOT_A_QUATERNION, module->pose_span,
                       "the position of '%.*s' has six numbers, those of other modules have seven, "
                       "and read as roll, pitch and yaw, its last three do not fit its connection",
                       SOM_STR_ARG(som_lab_shown(module, arena)));
            fine = false;
        }
    }
    return fine;
}

bool som_lab_derive(SomLabModel *model, const SomLabType *type, SomArena *arena,
                    SomDiagnostics *diags) {
    bool fine = true, has_quaternions = som_lab_has_quaternions(model);
    for (int i = 0; i < model->connections.count; i++) {
        SomLabConnection *c = &model->connections.data[i];
        bool fits = derive(model, c, type, arena, diags);
        if ((!fits || c->is_forced) && has_quaternions) {
            fine = check_numbers(model, c, fits, arena, diags) && fine;
        }
    }
    return fine;
}

void som_lab_check_limits(const SomLabModel *model, const SomLabType *type, SomArena *arena,
                          SomDiagnostics *diags) {
    for (int i = 0; i < model->modules.count; i++) {
        const SomLabModule *module = &model->modules.data[i];
        for (int k = 0; k < 4; k++) {
            const SomModuleJoint *joint = &type->type->joints[type->joints[k]];
            double value = module->joints[k];
            if (som_limit_fit(joint->low, joint->high, value) == SOM_LIMIT_BEYOND) {
                SomText at = {0};
                som_words_joint_value(&at, joint, value);
                som_text_add(&at, SOM_STR(", its limits are "));
                som_words_joint_value(&at, joint, joint->low);
                som_text_add(&at, SOM_STR(" and "));
                som_words_joint_value(&at, joint, joint->high);
                som_report(diags, SOM_IMPORT_JOINT_BEYOND_LIMIT, module->joints_span,
                           "joint '%s' of '%.*s' is at %s", som_lab_joints[k],
                           SOM_STR_ARG(som_lab_shown(module, arena)), at.data);
                som_text_free(&at);
            }
        }
    }
}

void som_lab_place(const SomLabModel *model, const SomLabType *type, int base, SomPose *poses) {
    int count = model->modules.count;
    SomAdjacency adjacency;
    som_adjacency_begin(&adjacency, count, model->connections.count);
    for (int i = 0; i < model->connections.count; i++) {
        adjacency.ends[2 * i] = model->connections.data[i].a;
        adjacency.ends[2 * i + 1] = model->connections.data[i].b;
    }
    som_adjacency_end(&adjacency);
    bool *seen = som_alloc((size_t)count + 1);
    int *queue = som_alloc(((size_t)count + 1) * sizeof *queue);
    for (int i = 0; i < count; i++) {
        poses[i] = model->modules.data[i].pose;
    }
    int first = 0, last = 0;
    queue[last++] = base;
    seen[base] = true;
    while (first < last) {
        int module = queue[first++];
        for (int i = adjacency.first[module]; i < adjacency.first[module + 1]; i++) {
            const SomLabConnection *c = &model->connections.data[adjacency.list[i]];
            int other = c->a == module ? c->b : c->a;
            if (!seen[other]) {
                SomPose step = transform(model, type, c);
                step = c->a == module ? step : som_pose_invert(step);
                poses[other] = som_pose_compose(poses[module], step);
                poses[other].rotation = som_rotation_normalise(poses[other].rotation);
                seen[other] = true;
                queue[last++] = other;
            }
        }
    }
    som_adjacency_free(&adjacency);
    som_free(seen);
    som_free(queue);
}
