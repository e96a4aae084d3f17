// SPDX-License-Identifier: Apache-2.0
// CKBot robots of LTLMoP → configurations of U-Bars.
//
// LTLMoP's module is the library's U-Bar: its lower half, with ports at the bottom and both sides,
// is the bar, the upper half with port 7 the body. The frames differ: x of LTLMoP is y of the
// U-Bar, y is -z and z is -x. Two ports of one face are at right angles to each other, so the pair
// of ports says at which roll two faces mate.

#include "exchange/ckbot.h"

#include "base/classes.h"
#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/lab_model.h"
#include "space/trigonometry.h"

#include <math.h>

#define SIZE 0.06 // metres, of a module

enum { BOTTOM, PLUS_X, MINUS_X, TOP, FACES };
static const char *const face_names[FACES] = {"head", "left", "right", "tail"};

// Which turn of its face a port stands for, in eighths, so that the roll of two is minus their sum.
// Ports 8, 9 and 10 are both ports of a face at once.
static const struct {
    int face, eighths;
} ports[SOM_CKBOT_MOST_PORT + 1] = {
    [1] = {BOTTOM, 0},  [2] = {BOTTOM, 2},  [3] = {PLUS_X, 0}, [4] = {PLUS_X, 2},
    [5] = {MINUS_X, 4}, [6] = {MINUS_X, 6}, [7] = {TOP, 0},    [8] = {BOTTOM, 1},
    [9] = {PLUS_X, 1},  [10] = {MINUS_X, 5}};

typedef struct Connection {
    int a, b; // the smaller number first
    int port_a, port_b;
    int face_a, face_b;
    double roll;
} Connection;

typedef struct Robot {
    SomImporter *importer;
    const SomCkbot *ckbot;
    const SomModuleType *type;
    int connectors[FACES];
    int hinge;
    SOM_ARRAY(Connection) connections;
    SomSpan other_side_span; // of the first row with one
    int other_sides;
} Robot;

static SomSpan row_span(const Robot *r, int module) {
    return r->ckbot->row_spans.data[module];
}

// ---- connections

// Ports of one kind mate, and the top with any single one.
static bool can_mate(int a, int b) {
    if (a >= 8 || b >= 8) {
        return a >= 8 && b >= 8;
    }
    return a == 7 || b == 7 || a % 2 == b % 2;
}

// Faces and roll as LTLMoP's table of pairs has them. Its 7-6 and 8-8 are the other way round than
// the rest of it, and of 1-3 and 1-5 it swaps the sides.
static void find_mating(Robot *r, Connection *c) {
    int b = c->port_b;
    if (c->port_a == 1 && (b == 3 || b == 5)) {
        b = 8 - b;
        if (r->other_sides++ == 0) {
            r->other_side_span = row_span(r, c->a);
        }
    }
    c->face_a = ports[c->port_a].face;
    c->face_b = ports[b].face;
    bool is_turned = (c->port_a == 7 && b == 6) || (c->port_a == 8 && b == 8);
    int eighths = 16 - ports[c->port_a].eighths - ports[b].eighths + (is_turned ? 4 : 0);
    c->roll = eighths % 8 * (SOM_PI / 4);
}

static bool find_connections(Robot *r) {
    int count = r->ckbot->module_count;
    const int *matrix = r->ckbot->ports.data;
    bool fine = true;
    for (int a = 0; a < count; a++) {
        if (matrix[a * count + a] != 0) {
            som_report(r->importer->diags, SOM_IMPORT_SELF_CONNECTION, row_span(r, a),
                       "module %d is connected to itself", a);
            fine = false;
        }
        for (int b = a + 1; b < count; b++) {
            Connection c = {.a = a, .b = b};
            c.port_a = matrix[a * count + b];
            c.port_b = matrix[b * count + a];
            if (c.port_a == 0 && c.port_b == 0) {
                continue;
            }
            if (c.port_a == 0 || c.port_b == 0) {
                som_report(r->importer->diags, SOM_CKBOT_MATRIX, row_span(r, c.port_a == 0 ? b : a),
                           "module %d is connected to module %d, but not %d to %d",
                           c.port_a == 0 ? b : a, c.port_a == 0 ? a : b, c.port_a == 0 ? a : b,
                           c.port_a == 0 ? b : a);
                fine = false;
            } else if (!can_mate(c.port_a, c.port_b)) {
                som_report(r->importer->diags, SOM_CKBOT_PORTS, row_span(r, a),
                           "port %d of module %d and port %d of module %d do not mate", c.port_a, a,
                           c.port_b, b);
                fine = false;
            } else {
                find_mating(r, &c);
                som_array_push(&r->connections, c);
            }
        }
    }
    return fine;
}

static bool check_faces(const Robot *r) {
    int count = r->ckbot->module_count;
    int *taken1 = som_alloc((size_t)(FACES * count) * sizeof *taken1);
    bool fine = true;
    for (int i = 0; i < r->connections.count; i++) {
        const Connection *c = &r->connections.data[i];
        for (int side = 0; side < 2; side++) {
            int module = side == 0 ? c->a : c->b, face = side == 0 ? c->face_a : c->face_b;
            int other = side == 0 ? c->b : c->a;
            int *user1 = &taken1[FACES * module + face];
            if (*user1 > 0) {
                som_report(r->importer->diags, SOM_IMPORT_FACE_TAKEN, row_span(r, module),
                           "one face of module %d is connected to module %d and to module %d",
                           module, *user1 - 1, other);
                fine = false;
            }
            *user1 = other + 1;
        }
    }
    som_free(taken1);
    return fine;
}

static bool check_pieces(const Robot *r) {
    int count = r->ckbot->module_count;
    int *parents = som_alloc((size_t)count * sizeof *parents);
    som_classes_reset(parents, count);
    for (int i = 0; i < r->connections.count; i++) {
        som_classes_join(parents, r->connections.data[i].a, r->connections.data[i].b);
    }
    int loose = 0, first = 0;
    for (int i = 1; i < count; i++) {
        if (som_classes_find(parents, i) != som_classes_find(parents, 0) && loose++ == 0) {
            first = i;
        }
    }
    som_free(parents);
    if (loose > 0) {
        som_report(r->importer->diags, SOM_IMPORT_IN_PIECES, row_span(r, first),
                   "nothing connects %d module%s to module 0, the first of them is module %d",
                   loose, loose > 1 ? "s" : "", first);
    }
    return loose == 0;
}

// ---- rings

static SomPose step_of(const Robot *r, const Connection *c) {
    SomPose a = r->type->connectors[r->connectors[c->face_a]].frame;
    SomPose b = r->type->connectors[r->connectors[c->face_b]].frame;
    return som_pose_compose(som_pose_compose(a, som_lab_mating(0, c->roll)), som_pose_invert(b));
}

// A connection that closes a ring must meet with all hinges straight, as LTLMoP starts.
static bool check_rings(const Robot *r) {
    int count = r->ckbot->module_count;
    SomPose *poses = som_alloc((size_t)count * sizeof *poses);
    bool *known = som_alloc((size_t)count);
    poses[0] = som_pose_identity();
    known[0] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < r->connections.count; i++) {
            const Connection *c = &r->connections.data[i];
            SomPose step = step_of(r, c);
            if (known[c->a] && !known[c->b]) {
                poses[c->b] = som_pose_compose(poses[c->a], step);
                known[c->b] = changed = true;
            } else if (known[c->b] && !known[c->a]) {
                poses[c->a] = som_pose_compose(poses[c->b], som_pose_invert(step));
                known[c->a] = changed = true;
            }
        }
    }
    bool fine = true;
    for (int i = 0; i < r->connections.count; i++) {
        const Connection *c = &r->connections.data[i];
        SomPose meant = som_pose_compose(poses[c->a], step_of(r, c));
        if (som_pose_distance(meant, poses[c->b]) > 1e-6) {
            som_report(r->importer->diags, SOM_CKBOT_PORTS, row_span(r, c->a),
                       "module %d and module %d close a ring, but do not meet", c->a, c->b);
            fine = false;
        }
    }
    som_free(poses);
    som_free(known);
    return fine;
}

// ---- text

static SomStr module_name(const Robot *r, int module) {
    SomText name = {0};
    som_text_printf(&name, "M%d", module);
    SomStr kept = som_arena_copy(&r->importer->arena, som_text_str(&name));
    som_text_free(&name);
    return kept;
}

// LTLMoP's axes of a module, and of its world with y up, to ours.
static SomMat3 module_axes(void) {
    return (SomMat3){{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}}};
}

static SomMat3 world_axes(void) {
    return (SomMat3){{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
}

static void write_base(const Robot *r, SomText *out) {
    SomMat3 rotation =
        som_mat3_multiply(som_mat3_multiply(world_axes(), r->ckbot->rotation), module_axes());
    SomVec3 turn = som_turn_of(rotation), at = r->ckbot->offset;
    SomWrittenBase base = {
        .place = {{module_name(r, 0)}, 1},
        .is_on_ground = !r->ckbot->has_offset,
        .position = som_vec3(som_tidy_length(SIZE * at.x), som_tidy_length(SIZE * -at.z),
                             som_tidy_length(SIZE * at.y)),
        .turn = som_vec3(som_tidy_angle(turn.x), som_tidy_angle(turn.y), som_tidy_angle(turn.z))};
    som_write_base(out, &base);
}

static void describe(const Robot *r, SomStr path, SomText *out) {
    static const char *const axes[] = {"y", "-z", "-x"}, *const back[] = {"-y", "z", "x"};
    som_text_printf(out, "Imported from %.*s.", SOM_STR_ARG(som_path_name(path)));
    int forward = r->ckbot->forward;
    if (forward != 0) {
        som_text_printf(out, "\nForward is %s of M0.",
                        forward > 0 ? axes[forward - 1] : back[-forward - 1]);
    }
}

static void write_robot(Robot *r, const SomImportFile *file) {
    SomImporter *importer = r->importer;
    const SomCkbot *ckbot = r->ckbot;
    SomText *out = &importer->configs;
    som_importer_use(importer, SOM_STR("ckbot.m3l"));
    SomStr wanted = ckbot->name.length > 0 ? ckbot->name : som_path_stem(file->path);
    SomStr name = som_importer_name(importer, wanted);
    som_importer_count(importer, name, ckbot->module_count);
    SomText comment = {0};
    describe(r, file->path, &comment);
    som_write_begin(out, som_text_str(&comment), name);
    som_text_free(&comment);
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < ckbot->module_count; i++) {
        SomStr module = module_name(r, i);
        som_array_push(&names, module);
    }
    som_write_parts(out, names.data, names.count, SOM_STR("UBar"));
    for (int i = 0; i < r->connections.count; i++) {
        const Connection *c = &r->connections.data[i];
        SomWrittenConnection written = {
            .a = {{names.data[c->a], som_str(face_names[c->face_a])}, 2},
            .b = {{names.data[c->b], som_str(face_names[c->face_b])}, 2},
            .roll = som_tidy_angle(c->roll)};
        som_write_connect(out, &written);
    }
    som_array_free(&names);
    write_base(r, out);
    SomImportRobot *robot = som_importer_add_robot(importer, name, file->path);
    som_ckbot_add_gaits(importer, ckbot, robot, &r->type->joints[r->hinge]);
    som_write_end(out);
}

// ---- the whole

static bool find_type(Robot *r) {
    const SomM3l *m3l = som_importer_library(r->importer, SOM_STR("ckbot.m3l"));
    if (m3l == NULL) {
        return false;
    }
    r->type = som_m3l_find_type(m3l, SOM_STR("UBar"));
    bool fine = r->type != NULL;
    for (int i = 0; fine && i < FACES; i++) {
        r->connectors[i] = som_module_type_find_connector(r->type, som_str(face_names[i]));
        fine = r->connectors[i] >= 0 && r->type->connectors[r->connectors[i]].has_frame;
    }
    r->hinge = fine ? som_module_type_find_joint(r->type, SOM_STR("hinge"), NULL) : -1;
    fine = fine && r->hinge >= 0;
    if (!fine) {
        som_report(r->importer->diags, SOM_IMPORT_NO_LIBRARY, (SomSpan){0},
                   "the library's ckbot.m3l has no module UBar with the faces head, left, right, "
                   "tail and the joint hinge");
    }
    som_importer_reserve(r->importer, SOM_STR("UBar"));
    som_importer_reserve(r->importer, SOM_STR("L7"));
    return fine;
}

bool som_import_ckbot(SomImporter *importer, const SomImportFile *file) {
    SomCkbot ckbot = {0};
    Robot r = {.importer = importer, .ckbot = &ckbot};
    bool fine = som_ckbot_read(importer, file, &ckbot) && find_type(&r) && find_connections(&r) &&
                check_faces(&r) && check_pieces(&r) && check_rings(&r);
    if (fine && r.other_sides > 0) {
        som_report(importer->diags, SOM_CKBOT_OTHER_SIDE, r.other_side_span,
                   "%d module%s at port 1 with the other side than the port says", r.other_sides,
                   r.other_sides > 1 ? "s are" : " is");
    }
    if (fine) {
        write_robot(&r, file);
    }
    som_array_free(&r.connections);
    som_ckbot_free(&ckbot);
    return fine;
}
