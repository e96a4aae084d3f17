// Fuzz target: small designs of odd modules, and behaviors of them with hostile numbers, are
// verified. Each byte is a choice.
//
// Facts: a verdict is safe if and only if no finding is an error; findings are ordered, lie within
// the motion, have a message, and name what there is; the same input gives the same findings.

// SPDX-License-Identifier: Apache-2.0

#include "behaviors/compile.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

typedef struct Bytes {
    const uint8_t *data;
    size_t size;
} Bytes;

// The next choice of so many; 0 when all bytes are used up.
static int pick(Bytes *b, int count) {
    if (b->size == 0) {
        return 0;
    }
    int byte = b->data[0];
    b->data++;
    b->size--;
    return byte % count;
}

// ---- modules

static const char *const sizes[] = {"0.1",   "0.05", "0.02", "0.3", "1e-6",
                                    "0.001", "1",    "50",   "1000"};
static const char *const masses[] = {"0.1kg", "1kg", "0kg", "1e-12kg", "1e6kg", "0.01kg"};
static const char *const efforts[] = {"1", "0", "1e-9", "100", "1e9"};
static const char *const speeds[] = {"2", "0.1", "30", "1e6", "1e-6"};

#define PICK(b, list) list[pick((b), (int)(sizeof(list) / sizeof *(list)))]

static void add_shape(SomText *out, Bytes *b, const char *z) {
    const char *a = PICK(b, sizes), *c = PICK(b, sizes);
    switch (pick(b, 5)) {
    case 0:
        som_text_printf(out, "box((0, 0, %s), (%s, %s, %s))", z, a, a, c);
        break;
    case 1:
        som_text_printf(out, "cylinder((0, 0, %s), (0, %s, %s), %s)", z, a, z, c);
        break;
    case 2:
        som_text_printf(out, "sphere((0, 0, %s), %s)", z, a);
        break;
    case 3:
        som_text_printf(out, "capsule((0, 0, %s), (%s, 0, %s), %s)", z, a, z, c);
        break;
    default:
        som_text_printf(out, "convex((0, 0, %s), (%s, 0, %s), (0, %s, %s), (0, 0, 0))", z, a, z, c,
                        z);
        break;
    }
}

static void add_connector(SomText *out, Bytes *b, const char *name, const char *z) {
    som_text_printf(out,
                    "point %s: (point _1: coords=(0.02, 0, %s)) (point _2: coords=(0, 0.02, %s)) "
                    "(point _3: coords=(-0.02, 0, %s)) (point _4: coords=(0, -0.02, %s)) "
                    "coords=(0, 0, %s), connector",
                    name, z, z, z, z, z);
    if (pick(b, 3) == 1) {
        som_text_printf(out, ", tension=%s, shear=%s, bending=%s", PICK(b, efforts),
                        PICK(b, efforts), PICK(b, efforts));
    }
    som_text_add_char(out, '\n', 1);
}

static void add_module(SomText *out, Bytes *b) {
    som_text_add(out, SOM_STR("module M: timeout=1s\n"));
    add_connector(out, b, "up", "0.1");
    add_connector(out, b, "down", "-0.1");
    for (int i = 0; i < 2; i++) {
        som_text_printf(out, "link %s: grouping=(%s)", i == 0 ? "top" : "low",
                        i == 0 ? "up" : "down");
        if (pick(b, 8) != 7) {
            som_text_add(out, SOM_STR(", shape="));
            add_shape(out, b, i == 0 ? "0.05" : "-0.05");
        }
        som_text_printf(out, ", mass=%s\n", PICK(b, masses));
    }
    som_text_add(out, SOM_STR("axis of_top: origin=(0, 0, 0), direction=(0, 1, 0)\n"
                              "axis of_low: origin=(0, 0, 0), direction=(0, -1, 0)\n"));
    static const char *const limits[] = {"-1.5, 1.5", "-inf, inf", "0, 0.001", "-100, 0.1"};
    som_text_printf(out, "joint j: type=%s, value=[%s], effort=%s, speed=%s, ",
                    pick(b, 4) == 3 ? "prismatic" : "revolute", PICK(b, limits), PICK(b, efforts),
                    PICK(b, speeds));
    som_text_add(out, SOM_STR("pair=((top, of_top), (low, of_low))\n"
                              "connection c: members=(M a, M b), conditions=((a.point p_a "
                              "coincident b.point p_b) and (p_a._1 coincident p_b.point) and "
                              "(p_a._2 coincident p_b.point) and (p_a._3 coincident p_b.point) "
                              "and (p_a._4 coincident p_b.point))\n"));
}

// ---- the design

static bool is_prismatic(SomStr module) {
    static const char word[] = "prismatic";
    for (size_t i = 0; i + sizeof word - 1 <= module.length; i++) {
        if (memcmp(module.data + i, word, sizeof word - 1) == 0) {
            return true;
        }
    }
    return false;
}

static void add_action(SomText *out, Bytes *b, int modules, const char *unit, int depth) {
    static const char *const values[] = {"0.5", "-1.2", "0", "3", "1e-9", "-1e6", "1e9"};
    static const char *const times[] = {"0.1s", "0.03s", "0s", "0.001s", "100s"};
    int at = pick(b, modules) + 1;
    switch (pick(b, depth > 0 ? 8 : 4)) {
    case 0:
        som_text_printf(out, "m[%d].j to %s%s", at, PICK(b, values), unit);
        break;
    case 1:
        som_text_printf(out, "m[%d].j spin %s%s/s during %s", at, PICK(b, values), unit,
                        PICK(b, times));
        break;
    case 2:
        som_text_printf(out, "m[%d].j by %s%s timeout %s", at, PICK(b, values), unit,
                        PICK(b, times));
        break;
    case 3:
        som_text_printf(out, "wait %s", PICK(b, times));
        break;
    case 4:
        som_text_printf(out, "repeat %d: ", pick(b, 5));
        add_action(out, b, modules, unit, depth - 1);
        break;
    default: {
        static const char *const lists[] = {"series", "parallel", "any"};
        som_text_printf(out, "%s(", PICK(b, lists));
        for (int i = pick(b, 4); i >= 0; i--) {
            add_action(out, b, modules, unit, depth - 1);
            som_text_add(out, i > 0 ? SOM_STR(", ") : SOM_STR(")"));
        }
        break;
    }
    }
}

static void add_design(SomText *out, Bytes *b, const char *unit) {
    int modules = pick(b, 6) + 1;
    // a piece comes loose before the behavior goes on, and may be taken again
    int opened = pick(b, 3) == 1 && modules > 1 ? pick(b, modules - 1) + 2 : 0;
    som_text_printf(out, "use \"m.m3l\"\nconfig A {\n    part m[%d] : M\n", modules);
    for (int i = 2; i <= modules; i++) {
        static const char *const ways[] = {"", " at 90deg", " at 45deg forced", " gap 2mm"};
        som_text_printf(out,
                        i == opened ? "    dock k: m[%d].up to m[%d].down closed\n"
                                    : "    connect m[%d].up to m[%d].down%s\n",
                        i - 1, i, PICK(b, ways));
    }
    if (pick(b, 4) == 1 && modules > 3) {
        som_text_printf(out, "    dock d: m[%d].up to m[1].down open\n", modules);
    }
    static const char *const bases[] = {"on ground", "at (0m, 0m, 0m)", "at (0m, 0m, -1m)",
                                        "on ground turned (0deg, 90deg, 0deg)",
                                        "on ground turned (180deg, 30deg, 0deg)"};
    som_text_printf(out, "    base m[%d] %s\n", pick(b, modules) + 1, PICK(b, bases));
    bool is_taken = opened > 0 && pick(b, 2) == 1;
    som_text_printf(out, "    behavior x = %s",
                    opened > 0 ? "series(disconnect k timeout 0.1s, " : "");
    add_action(out, b, modules, unit, 3);
    som_text_add(out, is_taken ? SOM_STR(", connect k timeout 0.1s") : SOM_STR(""));
    som_text_add(out, opened > 0 ? SOM_STR(")\n}\n") : SOM_STR("\n}\n"));
}

// ---- facts

static void must(bool fact) {
    if (!fact) {
        abort();
    }
}

static void check_finding(const SomVerification *v, const SomFinding *f) {
    must(f->message.length > 0 && (int)f->check < SOM_CHECKS);
    must(f->severity == som_code_severity(f->code));
    must(isnan(f->t0) == isnan(f->t1));
    if (!isnan(f->t0)) {
        must(f->t0 >= 0 && f->t0 <= f->t1 && f->t1 <= v->duration + 1e-6);
        must(f->worst >= f->t0 - 1e-9 && f->worst <= f->t1 + 1e-9);
    }
    for (int i = 0; i < f->subject_count; i++) {
        must(f->subjects[i].length > 0);
    }
}

static void check(const SomVerification *v) {
    bool has_error = false;
    for (int i = 0; i < v->findings.count; i++) {
        const SomFinding *f = &v->findings.data[i];
        check_finding(v, f);
        has_error |= f->severity == SOM_ERROR;
        must(i == 0 || isnan(f[-1].t0) || f[-1].t0 <= f->t0);
    }
    must((v->verdict != SOM_VERDICT_UNSAFE) != has_error || v->omitted > 0);
    must(v->sample_count >= 1 && v->times != NULL);
}

static void check_same(const SomVerification *a, const SomVerification *b) {
    must(a->findings.count == b->findings.count && a->verdict == b->verdict);
    for (int i = 0; i < a->findings.count; i++) {
        must(som_str_equal(a->findings.data[i].message, b->findings.data[i].message));
    }
    must(memcmp(&a->min_clearance, &b->min_clearance, sizeof a->min_clearance) == 0);
    must(memcmp(&a->min_margin, &b->min_margin, sizeof a->min_margin) == 0);
}

// ---- all of it

static SomVerifyOptions read_options(Bytes *b) {
    SomVerifyOptions options = som_verify_default_options();
    int count;
    const SomVerifyOptionInfo *infos = som_verify_option_infos(&count);
    options.most_time = 0.3; // so that the work is bounded
    for (int i = pick(b, 3); i > 0; i--) {
        int index = pick(b, count);
        *som_verify_option(&options, index) =
            pick(b, 2) == 0 ? infos[index].low : infos[index].high;
    }
    options.most_time = fmin(options.most_time, 200 * options.dt);
    return options;
}

static void verify(const SomConfiguration *design, const SomActionGraph *graph, Bytes *b) {
    SomMechanism *mechanism = som_mechanism_create(design);
    SomPosture start = som_posture_start(design);
    SomVerifyOptions options = read_options(b);
    static const double odd[] = {0, NAN, INFINITY, 1e300, -7, 1e-300};
    if (start.count > 0 && pick(b, 4) == 1) {
        start.values[pick(b, start.count)] = PICK(b, odd);
    }
    SomVerifyDef def = {.mechanism = mechanism,
                        .start = start.values,
                        .graph = graph,
                        .options = &options,
                        .wants_series = pick(b, 2) == 1};
    SomVerification *first = som_verify(&def), *second = som_verify(&def);
    check(first);
    check_same(first, second);
    som_verification_destroy(first);
    som_verification_destroy(second);
    som_posture_free(&start);
    som_mechanism_destroy(mechanism);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Bytes b = {data, size};
    SomText module = {0}, design = {0};
    add_module(&module, &b);
    add_design(&design, &b, is_prismatic(som_text_str(&module)) ? "m" : "rad");
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(SOM_STR(SOM_SOURCE "/library"), diags);
    som_workspace_open_text(workspace, SOM_STR("m.m3l"), som_text_str(&module));
    int file = som_workspace_open_text(workspace, SOM_STR("a.som"), som_text_str(&design));
    SomConfiguration *configuration =
        file < 0 ? NULL : som_configuration_compose(workspace, file, SOM_STR(""), diags);
    if (configuration != NULL) {
        SomCompileDef def = {
            .workspace = workspace, .configuration = configuration, .diags = diags};
        SomActionGraph *graph = som_compile_call(&def, SOM_STR("x"));
        verify(configuration, graph, &b);
        som_action_graph_destroy(graph);
    }
    som_configuration_destroy(configuration);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
    som_text_free(&module);
    som_text_free(&design);
    return 0;
}
