// SPDX-License-Identifier: Apache-2.0
// A state of VSPARC → SomLabModel → `.som`.
//
// Unity saves poses of a running simulation in single precision, so nothing is exact. Rolls are
// those that modules offer; joints are measured from the parts and become tenths of degrees, as
// VSPARC has them, where that moves no module noticeably.

#include "exchange/vsparc.h"

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "base/path.h"
#include "language/unit.h"
#include "space/trigonometry.h"

#include <math.h>

// What parts and connected modules may be off without a word, and which rolls are meant.
#define LENGTH_TOLERANCE 2e-4
#define ANGLE_TOLERANCE (0.1 * DEGREE)
#define ROLL_TOLERANCE (3 * DEGREE)
#define PART_LENGTH 1e-3
#define PART_ANGLE DEGREE
// Joints this near to a tenth of a degree are there, if modules then stand as well as before, or
// at least this near to what was recorded.
#define ROUNDED (0.01 * DEGREE)
#define ROUNDED_LENGTH 1e-5
#define ROUNDED_ANGLE (0.01 * DEGREE)
#define DEGREE (SOM_PI / 180)

typedef struct Parts {
    int missing; // modules
    SomSpan missing_span;
    int misfits; // modules
    SomSpan misfit_span;
    double away, turned; // the worst
} Parts;

// ---- joints

// How far b is turned against a, about x or y of a.
static double measure(SomMat3 a, SomMat3 b, bool about_x, double *rest) {
    SomMat3 r = som_mat3_multiply(som_mat3_transpose(a), b);
    double angle = about_x ? som_atan2(r.m[2][1] - r.m[1][2], r.m[1][1] + r.m[2][2])
                           : som_atan2(r.m[0][2] - r.m[2][0], r.m[0][0] + r.m[2][2]);
    SomMat3 turn = about_x ? som_rotation_x(angle) : som_rotation_y(angle);
    *rest = som_rotation_distance(turn, r);
    return angle;
}

// All four in VSPARC's sense: the front wheel turns on the body, all others on the back plate.
static void measure_joints(const SomVsparcModule *module, double values[4], Parts *found) {
    double away = 0, turned = 0;
    bool is_missing = false;
    for (int i = 0; i < 4; i++) {
        int on = i == 0 ? SOM_VSPARC_BODY : SOM_VSPARC_BACK_PLATE;
        const SomVsparcCommand *command = &module->commands[i];
        if (module->has_part[i] && module->has_part[on]) {
            const SomPose *a = &module->parts[on], *b = &module->parts[i];
            double rest;
            values[i] = measure(a->rotation, b->rotation, i == 0, &rest);
            turned = fmax(turned, rest);
            away = fmax(away, som_vec3_length(som_vec3_sub(a->position, b->position)));
        } else {
            is_missing = true;
            values[i] = command->is_given && !command->is_velocity ? command->value : 0;
        }
    }
    if (is_missing && found->missing++ == 0) {
        found->missing_span = module->span;
    }
    if (away > PART_LENGTH || turned > PART_ANGLE) {
        if (found->misfits++ == 0) {
            found->misfit_span = module->span;
        }
        found->away = fmax(found->away, away);
        found->turned = fmax(found->turned, turned);
    }
}

static void report_parts(const Parts *found, SomDiagnostics *diags) {
    if (found->missing > 0) {
        som_report(diags, SOM_VSPARC_PARTS_MISSING, found->missing_span,
                   "%d module%s not the poses of all parts", found->missing,
                   found->missing > 1 ? "s have" : " has");
    }
    if (found->misfits > 0) {
        SomText by = {0};
        som_text_rounded(&by, found->away * 1000, 3);
        som_text_add(&by, SOM_STR(" mm and "));
        som_text_rounded(&by, found->turned / DEGREE, 3);
        som_report(diags, SOM_VSPARC_PARTS_DO_NOT_FIT, found->misfit_span,
                   "parts of %d module%s are up to %s deg away from where joints put them",
                   found->misfits, found->misfits > 1 ? "s" : "", by.data);
        som_text_free(&by);
    }
}

// ---- poses

// The back half in its frame `vsparc`, seen from the module.
static SomPose back_of(const SomLabType *type, const double joints[4]) {
    double values[SOM_MAX_MODULE_LINKS] = {0};
    for (int i = 0; i < 4; i++) {
        values[type->joints[i]] = joints[i];
    }
    SomPose links[SOM_MAX_MODULE_LINKS];
    som_module_type_place(type->type, values, links);
    int frame = som_module_type_find_frame(type->type, SOM_STR("vsparc"));
    const SomModuleFrame *back = &type->type->frames[frame];
    return som_pose_compose(links[back->link], back->pose);
}

static void place_module(SomLabModule *module, const SomLabType *type, SomPose back) {
    module->pose = som_pose_compose(back, som_pose_invert(back_of(type, module->joints)));
}

static bool find_frame(SomImporter *importer, SomLabType *type) {
    bool fine = som_lab_type(importer, type);
    if (fine && som_module_type_find_frame(type->type, SOM_STR("vsparc")) < 0) {
        som_report(importer->diags, SOM_IMPORT_NO_LIBRARY, (SomSpan){0},
                   "the library's SMORES has no frame 'vsparc'");
        fine = false;
    }
    return fine;
}

// ---- the model

static void add_modules(const SomVsparcState *state, const SomLabType *type, SomLabModel *model,
                        Parts *found) {
    for (int i = 0; i < state->modules.count; i++) {
        const SomVsparcModule *from = &state->modules.data[i];
        SomLabModule module = {
            .group = {"", 0}, .name = from->name, .span = from->span, .joints_span = from->span};
        double values[4];
        measure_joints(from, values, found);
        for (int k = 0; k < 4; k++) {
            module.joints[k] = som_vsparc_signs[k] * values[k];
        }
        place_module(&module, type, from->parts[SOM_VSPARC_BACK_PLATE]);
        som_array_push(&model->modules, module);
    }
}

static int find_module(SomImporter *importer, const SomLabModel *model, SomStr name, SomSpan span) {
    int module = som_lab_find(model, SOM_STR(""), name);
    if (module < 0) {
        int nearest = som_lab_find_nearest(model, name);
        som_report(importer->diags, SOM_IMPORT_NAME_UNKNOWN, span, "there is no module '%.*s'",
                   SOM_STR_ARG(name));
        if (nearest >= 0) {
            som_note(importer->diags, model->modules.data[nearest].span, "there is '%.*s'",
                     SOM_STR_ARG(model->modules.data[nearest].name));
        }
    }
    return module;
}

static bool add_connections(SomImporter *importer, const SomVsparcState *state,
                            SomLabModel *model) {
    bool fine = true;
    for (int i = 0; i < state->connections.count; i++) {
        const SomVsparcConnection *from = &state->connections.data[i];
        SomLabConnection c = {.face_a = from->faces[0],
                              .face_b = from->faces[1],
                              .distance = from->distance,
                              .angle = from->angle,
                              .span = from->span};
        c.a = find_module(importer, model, from->names[0], from->name_spans[0]);
        c.b = find_module(importer, model, from->names[1], from->name_spans[1]);
        if (c.a >= 0 && c.a == c.b) {
            som_report(importer->diags, SOM_IMPORT_SELF_CONNECTION, c.span,
                       "'%.*s' is connected to itself", SOM_STR_ARG(from->names[0]));
            c.b = -1;
        }
        fine = fine && c.a >= 0 && c.b >= 0;
        som_array_push(&model->connections, c);
    }
    return fine;
}

// The module that all others are placed from, as in VSPARC.
static bool find_anchor(SomImporter *importer, const SomVsparcState *state, SomLabModel *model) {
    model->base = state->anchor.length > 0
                      ? find_module(importer, model, state->anchor, state->anchor_span)
                      : 0;
    return model->base >= 0;
}

// ---- rounding

// To tenths of degrees if they are near, else, and always if it is to be fine, to digits that are
// noise.
static double round_angle(double angle, bool is_fine) {
    const SomUnit *degree = som_unit_find(SOM_STR("deg"));
    double tenth = som_unit_to_si(degree, round(angle / DEGREE * 10) / 10);
    bool is_near = !is_fine && fabs(tenth - angle) <= ROUNDED;
    return is_near ? tenth : som_unit_to_si(degree, round(angle / DEGREE * 1e4) / 1e4);
}

static SomPose round_base(SomPose pose, bool is_fine) {
    SomVec3 p = pose.position, turn = som_turn_of(pose.rotation);
    turn = som_vec3(round_angle(turn.x, is_fine), round_angle(turn.y, is_fine),
                    round_angle(turn.z, is_fine));
    p = som_vec3(round(p.x * 1e6) / 1e6, round(p.y * 1e6) / 1e6, round(p.z * 1e6) / 1e6);
    return (SomPose){som_turn_rotation(turn), p};
}

// How far the modules of a model are from the recorded poses of their back halves, if they hang on
// its base.
static void find_error(const SomLabModel *model, const SomVsparcState *state,
                       const SomLabType *type, double *away, double *turned) {
    int count = model->modules.count;
    SomPose *poses = som_alloc((size_t)count * sizeof *poses);
    som_lab_place(model, type, model->base, poses);
    *away = *turned = 0;
    for (int i = 0; i < count; i++) {
        SomPose meant = state->modules.data[i].parts[SOM_VSPARC_BACK_PLATE];
        SomPose back = som_pose_compose(poses[i], back_of(type, model->modules.data[i].joints));
        *away = fmax(*away, som_vec3_length(som_vec3_sub(back.position, meant.position)));
        *turned = fmax(*turned, som_rotation_distance(back.rotation, meant.rotation));
    }
    som_free(poses);
}

// Joints and base, which the file has at `recorded`, with fewer digits.
static void round_model(SomLabModel *model, const SomLabType *type, SomPose recorded,
                        const SomLabModule *measured, bool is_fine) {
    for (int i = 0; i < 4 * model->modules.count; i++) {
        double angle = measured[i / 4].joints[i % 4];
        model->modules.data[i / 4].joints[i % 4] = round_angle(angle, is_fine);
    }
    model->base_pose = round_base(recorded, is_fine);
    place_module(&model->modules.data[model->base], type, model->base_pose);
}

// Tenths of degrees, unless that would move a module.
static void round_all(SomLabModel *model, const SomVsparcState *state, const SomLabType *type) {
    double away, turned, rounded_away, rounded_turned;
    SomPose recorded = state->modules.data[model->base].parts[SOM_VSPARC_BACK_PLATE];
    size_t size = (size_t)model->modules.count * sizeof *model->modules.data;
    SomLabModule *measured = som_alloc(size);
    memcpy(measured, model->modules.data, size);
    find_error(model, state, type, &away, &turned);
    round_model(model, type, recorded, measured, false);
    find_error(model, state, type, &rounded_away, &rounded_turned);
    if (rounded_away > fmax(ROUNDED_LENGTH, away) || rounded_turned > fmax(ROUNDED_ANGLE, turned)) {
        round_model(model, type, recorded, measured, true);
    }
    som_free(measured);
}

// ---- the whole

bool som_vsparc_configure(SomImporter *importer, const SomImportFile *file,
                          const SomVsparcState *state) {
    SomLabTolerance tolerance = {LENGTH_TOLERANCE, ANGLE_TOLERANCE, ROLL_TOLERANCE};
    SomLabModel model = {.tolerance = tolerance, .is_vsparc = true};
    SomLabType type;
    Parts found = {0};
    bool fine = find_frame(importer, &type);
    if (fine) {
        add_modules(state, &type, &model, &found);
        fine = som_lab_index(&model, &importer->arena, importer->diags);
    }
    fine = fine && add_connections(importer, state, &model);
    fine = fine && find_anchor(importer, state, &model) &&
           som_lab_check_faces(&model, &importer->arena, importer->diags);
    if (fine) {
        som_lab_note_pieces(&model, &type, &importer->arena, importer->diags);
        report_parts(&found, importer->diags);
        som_lab_derive(&model, &type, &importer->arena, importer->diags);
        round_all(&model, state, &type);
        som_lab_check_limits(&model, &type, &importer->arena, importer->diags);
        som_importer_use(importer, SOM_STR("smores.m3l"));
        SomStr name = som_importer_name(importer, som_path_stem(file->path));
        som_importer_count(importer, name, model.modules.count);
        som_lab_write(importer, &model, name, file->path);
    }
    som_lab_free(&model);
    return fine;
}

bool som_import_vsparc(SomImporter *importer, const SomImportFile *file) {
    SomVsparc vsparc = {0};
    bool fine = som_vsparc_read(importer, file, &vsparc) &&
                som_vsparc_configure(importer, file, &vsparc.states.data[0]);
    som_vsparc_free(&vsparc);
    return fine;
}
