// SPDX-License-Identifier: Apache-2.0

#include "tests/compose/designer.h"

#include "base/memory.h"
#include "compose/diff.h"
#include "compose/identity.h"
#include "compose/matings.h"
#include "language/som_syntax.h"
#include "space/trigonometry.h"
#include "tests/compose/texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_MODULES 60

static void stop(const TestDesigner *designer, SomDesign *design, const char *what) {
    SomText text = {0};
    som_diagnostics_print(som_design_refusal(design), 0, &text);
    som_diagnostics_print(som_design_diagnostics(design), 0, &text);
    fprintf(stderr, "%s after %s\n%s\n%s\n", what,
            designer != NULL ? som_text_str(&designer->what).data : "reopening",
            som_text_str(&text).data, som_document_text(som_design_document(design)).data);
    abort();
}

int test_designer_choose(TestDesigner *designer, int n) {
    if (n <= 1) {
        return 0;
    }
    if (designer->left > 0) {
        int value = *designer->bytes++;
        designer->left--;
        return value % n;
    }
    return designer->random.state != 0 ? som_test_int(&designer->random, 0, n - 1) : 0;
}

// ---- choosing what an operation is about

static const char *const references[][2] = {
    {"Chain3", "chain3.som"},      {"Module", "module.som"},
    {"SMORES", "smores.m3l"},      {"Chain6", "chain6.som"},
    {"Snake(n = 2)", "snake.som"}, {"MTRAN", "mtran.m3l"},
    {"Walkbot17", "walkbot.som"},  {"Chain3", ""},
    {"Nothing", "nothing.som"},    {"Snake(n = ", "snake.som"},
    {"Chain18", "snake.som"},      {"Chain3\n}", "chain3.som"}};
#define REFERENCES ((int)(sizeof references / sizeof *references))

static const char *const names[] = {"leg", "arm",  "body", "a b", "leg2", "tail",
                                    "n",   "part", "",     "x.y", "s",    "\n"};
#define NAMES ((int)(sizeof names / sizeof *names))

static const char *const own_places[] = {"head.T", "head.L",       "T",           "L",
                                         "tail.B", "front.head.T", "s[1].head.T", "R to x.T"};

static SomStr any_name(TestDesigner *t) {
    return som_str(names[test_designer_choose(t, NAMES)]);
}

static SomStr any_part(TestDesigner *t, const SomConfiguration *c) {
    int part = 1 + test_designer_choose(t, c->part_count > 1 ? c->part_count - 1 : 1);
    while (part < c->part_count && c->parts[part].parent != 0 && test_designer_choose(t, 8) != 7) {
        part = c->parts[part].parent; // mostly those that the config has itself
    }
    SomStr name = part < c->part_count ? c->parts[part].path : SOM_STR("none");
    const char *bracket = memchr(name.data, '[', name.length);
    bool is_whole = bracket != NULL && test_designer_choose(t, 2) == 0; // all of an array
    return is_whole ? som_str_slice(name, 0, (size_t)(bracket - name.data)) : name;
}

// The connector of a module, any or a free one.
static void any_connector(TestDesigner *t, const SomConfiguration *c, bool is_free, SomText *out) {
    som_text_clear(out);
    SomMechanism *mechanism = som_mechanism_create(c);
    SomPose *links = som_alloc(sizeof *links * (size_t)(mechanism->link_count + 1));
    SomPosture posture = som_posture_start(c);
    som_mechanism_place(mechanism, &posture, links);
    SomSites sites = som_sites_find(mechanism, links);
    if (is_free && sites.count > 0) {
        const SomSite *site = &sites.data[test_designer_choose(t, sites.count)];
        som_configuration_print_connector(c, site->module, site->connector, out);
    } else {
        int module = test_designer_choose(t, c->module_count);
        int count = c->modules[module].type->connector_count;
        if (count > 0) {
            som_configuration_print_connector(c, module, test_designer_choose(t, count), out);
        }
    }
    som_text_add(out, SOM_STR(""));
    som_sites_free(&sites);
    som_posture_free(&posture);
    som_free(links);
    som_mechanism_destroy(mechanism);
}

static SomMatingWish any_wish(TestDesigner *t) {
    static const double angles[] = {0, 90, 180, 270, 0, 0, 45, -90};
    int which = test_designer_choose(t, 10);
    return which < 8    ? (SomMatingWish){.has_roll = true, .roll = angles[which] * SOM_PI / 180}
           : which == 8 ? (SomMatingWish){0}
                        : (SomMatingWish){.index = 1 + test_designer_choose(t, 80)};
}

static SomStr any_pose(TestDesigner *t, const SomConfiguration *c) {
    int pose = test_designer_choose(t, c->pose_count + 2) - 2;
    return pose >= 0 && c->poses[pose].part == 0 ? c->poses[pose].name
           : test_designer_choose(t, 2) == 0     ? SOM_STR("stand")
                                                 : any_name(t);
}

static SomStr any_dof(TestDesigner *t, const SomConfiguration *c) {
    return c->dof_count > 0 ? c->dofs[test_designer_choose(t, c->dof_count)].path : SOM_STR("none");
}

// Two connected connectors.
static void any_connection(TestDesigner *t, const SomConfiguration *c, SomText *a, SomText *b) {
    som_text_clear(a);
    som_text_clear(b);
    som_text_add(a, SOM_STR("x.T"));
    som_text_add(b, SOM_STR("y.B"));
    if (c->connection_count > 0) {
        const SomConnection *k = &c->connections[test_designer_choose(t, c->connection_count)];
        bool is_turned = test_designer_choose(t, 2) == 1;
        som_text_clear(a);
        som_text_clear(b);
        som_configuration_print_connector(c, k->module_a, k->connector_a, is_turned ? b : a);
        som_configuration_print_connector(c, k->module_b, k->connector_b, is_turned ? a : b);
    }
}

// ---- operations

typedef struct Scene {
    TestDesigner *t;
    SomDesign *design;
    SomText *config;
    const SomConfiguration *c;
    SomText a, b, d, e;
} Scene;

static SomPartAddition any_addition(Scene *s) {
    TestDesigner *t = s->t;
    int which = test_designer_choose(t, REFERENCES);
    SomPartAddition addition = {.reference = som_str(references[which][0]),
                                .file = som_str(references[which][1]),
                                .mating = any_wish(t)};
    any_connector(t, s->c, test_designer_choose(t, 8) != 7, &s->a);
    addition.to = som_text_str(&s->a);
    addition.name = test_designer_choose(t, 2) == 0 ? SOM_STR("") : any_name(t);
    addition.own = som_str(own_places[which == 1 || which == 2   ? 2 + test_designer_choose(t, 2)
                                      : which == 0 || which == 7 ? test_designer_choose(t, 2)
                                                                 : test_designer_choose(t, 8)]);
    return addition;
}

static bool add(Scene *s) {
    SomPartAddition addition = any_addition(s);
    som_text_printf(&s->t->what, "adding %.*s at %.*s", SOM_STR_ARG(addition.reference),
                    SOM_STR_ARG(addition.to));
    return som_design_add_part(s->design, som_text_str(s->config), &addition);
}

// The part as the configuration has it, which the operation may free.
static SomStr keep(SomText *text, SomStr value) {
    som_text_clear(text);
    som_text_add(text, value);
    return som_text_str(text);
}

static bool duplicate(Scene *s) {
    SomStr part = keep(&s->b, any_part(s->t, s->c));
    SomPartAddition addition = any_addition(s);
    som_text_printf(&s->t->what, "duplicating %.*s", SOM_STR_ARG(part));
    return som_design_duplicate_part(s->design, som_text_str(s->config), part, &addition);
}

static bool mirror(Scene *s) {
    SomStr part = keep(&s->b, any_part(s->t, s->c));
    som_text_printf(&s->t->what, "mirroring %.*s", SOM_STR_ARG(part));
    return som_design_mirror_part(s->design, som_text_str(s->config), part, SOM_STR(""));
}

static bool replace(Scene *s) {
    SomStr part = keep(&s->b, any_part(s->t, s->c));
    int which = test_designer_choose(s->t, REFERENCES);
    som_text_printf(&s->t->what, "replacing %.*s by %s", SOM_STR_ARG(part), references[which][0]);
    return som_design_replace_part(s->design, som_text_str(s->config), part,
                                   som_str(references[which][0]), som_str(references[which][1]));
}

static bool take_out(Scene *s) {
    SomStr part = keep(&s->b, any_part(s->t, s->c));
    bool with_all = test_designer_choose(s->t, 2) == 1;
    som_text_printf(&s->t->what, "removing %.*s", SOM_STR_ARG(part));
    return som_design_remove_part(s->design, som_text_str(s->config), part, with_all);
}

static bool rename_part(Scene *s) {
    SomStr part = keep(&s->b, any_part(s->t, s->c));
    SomStr name = any_name(s->t);
    som_text_printf(&s->t->what, "renaming %.*s to %.*s", SOM_STR_ARG(part), SOM_STR_ARG(name));
    return som_design_rename_part(s->design, som_text_str(s->config), part, name);
}

static bool connect(Scene *s) {
    any_connector(s->t, s->c, true, &s->a);
    any_connector(s->t, s->c, test_designer_choose(s->t, 4) != 3, &s->b);
    som_text_printf(&s->t->what, "connecting %s to %s", s->a.data, s->b.data);
    return som_design_connect(s->design, som_text_str(s->config), som_text_str(&s->a),
                              som_text_str(&s->b), any_wish(s->t));
}

static bool disconnect(Scene *s) {
    any_connection(s->t, s->c, &s->a, &s->b);
    som_text_printf(&s->t->what, "disconnecting %s and %s", s->a.data, s->b.data);
    return som_design_disconnect(s->design, som_text_str(s->config), som_text_str(&s->a),
                                 som_text_str(&s->b));
}

static bool reconnect(Scene *s) {
    any_connection(s->t, s->c, &s->a, &s->b);
    any_connector(s->t, s->c, true, &s->d);
    som_text_printf(&s->t->what, "reconnecting %s and %s", s->a.data, s->b.data);
    bool only_turns = test_designer_choose(s->t, 2) == 0;
    return som_design_reconnect(s->design, som_text_str(s->config), som_text_str(&s->a),
                                som_text_str(&s->b), som_text_str(&s->a),
                                som_text_str(only_turns ? &s->b : &s->d), any_wish(s->t));
}

static bool set_value(Scene *s) {
    SomStr joint = keep(&s->b, any_dof(s->t, s->c));
    SomStr pose = keep(&s->a, any_pose(s->t, s->c));
    double value = (test_designer_choose(s->t, 201) - 100) / 100.0;
    som_text_printf(&s->t->what, "posing %.*s in %.*s", SOM_STR_ARG(joint), SOM_STR_ARG(pose));
    return som_design_set_value(s->design, som_text_str(s->config), pose, joint,
                                test_designer_choose(s->t, 30) == 29 ? (double)NAN : value);
}

static bool clear_value(Scene *s) {
    SomStr joint = keep(&s->b, any_dof(s->t, s->c));
    SomStr pose = keep(&s->a, any_pose(s->t, s->c));
    som_text_printf(&s->t->what, "clearing %.*s in %.*s", SOM_STR_ARG(joint), SOM_STR_ARG(pose));
    return som_design_clear_value(s->design, som_text_str(s->config), pose, joint);
}

static bool remove_pose(Scene *s) {
    SomStr pose = keep(&s->a, any_pose(s->t, s->c));
    som_text_printf(&s->t->what, "removing the pose %.*s", SOM_STR_ARG(pose));
    return som_design_remove_pose(s->design, som_text_str(s->config), pose);
}

static bool set_start(Scene *s) {
    SomStr pose = keep(&s->a, any_pose(s->t, s->c));
    som_text_printf(&s->t->what, "starting in %.*s", SOM_STR_ARG(pose));
    return som_design_set_start(s->design, som_text_str(s->config),
                                test_designer_choose(s->t, 5) == 4 ? SOM_STR("") : pose);
}

static bool set_base(Scene *s) {
    int module = test_designer_choose(s->t, s->c->module_count);
    SomStr path = keep(&s->a, s->c->modules[module].path);
    int which = test_designer_choose(s->t, 5);
    SomBaseSetting base = {.module = which == 4 ? SOM_STR("") : path,
                           .frame = which == 1 ? SOM_STR("lab") : SOM_STR(""),
                           .is_on_ground = which < 2,
                           .position = {0.1, which * 0.3, 1e-7},
                           .turn = {0, 0, which == 2 ? 1.0 : 0}};
    som_text_printf(&s->t->what, "putting the base to %.*s", SOM_STR_ARG(path));
    return som_design_set_base(s->design, som_text_str(s->config), &base);
}

static bool add_config(Scene *s) {
    int which = test_designer_choose(s->t, REFERENCES);
    SomStr name = any_name(s->t);
    som_text_printf(&s->t->what, "adding a config of %s", references[which][0]);
    return som_design_add_config(s->design, name, som_str(references[which][0]),
                                 som_str(references[which][1]));
}

static bool rename_config(Scene *s) {
    SomStr name = any_name(s->t);
    som_text_printf(&s->t->what, "renaming the config to %.*s", SOM_STR_ARG(name));
    bool done = som_design_rename_config(s->design, som_text_str(s->config), name);
    if (done && s->config->length > 0) {
        bool is_quoted = memchr(name.data, ' ', name.length) != NULL ||
                         memchr(name.data, '.', name.length) != NULL;
        som_text_clear(s->config);
        som_text_printf(s->config, is_quoted ? "\"%.*s\"" : "%.*s", SOM_STR_ARG(name));
    }
    return done;
}

static bool (*const operations[])(Scene *) = {
    add,         add,       add,       duplicate,  take_out,      rename_part, connect,
    disconnect,  reconnect, reconnect, replace,    set_value,     set_value,   clear_value,
    remove_pose, set_start, set_base,  add_config, rename_config, duplicate,   mirror};
#define OPERATIONS ((int)(sizeof operations / sizeof *operations))

// ---- what must hold

int test_count_comments(SomStr text) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse(text, &som_dialect_somite, 0, diags);
    int count = 0;
    for (int i = 0; i < som_syntax_token_count(tree); i++) {
        count += som_syntax_token_kind(tree, i) == SOM_TOKEN_COMMENT;
    }
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    return count;
}

// Operations that take statements away, with the comments at them.
static bool takes_away(bool (*operation)(Scene *)) {
    return operation == take_out || operation == disconnect || operation == clear_value ||
           operation == remove_pose || operation == set_start || operation == set_base;
}

static void check(TestDesigner *t, SomDesign *design, SomStr config, const SomText *before,
                  bool done) {
    SomStr text = som_document_text(som_design_document(design));
    int errors = som_diagnostics_error_count(som_design_refusal(design));
    if (errors != (done ? 0 : 1)) {
        stop(t, design, "a wrong number of reasons");
    }
    if (!done && !som_str_equal(text, som_text_str(before))) {
        stop(t, design, "the text was changed by a refused operation");
    }
    if (som_design_compose(design, config) == NULL ||
        som_diagnostics_error_count(som_design_diagnostics(design)) > 0) {
        stop(t, design, "the text does not compose");
    }
}

void test_designer_act(TestDesigner *t, SomDesign *design, SomText *config) {
    const SomConfiguration *c = som_design_compose(design, som_text_str(config));
    if (c == NULL) {
        stop(t, design, "nothing to design");
    }
    Scene scene = {.t = t, .design = design, .config = config, .c = c};
    SomText before = {0};
    som_text_add(&before, som_document_text(som_design_document(design)));
    som_text_clear(&t->what);
    int which = test_designer_choose(t, OPERATIONS);
    bool is_full = c->module_count > MOST_MODULES;
    bool done = is_full && which < 4 ? take_out(&scene) : operations[which](&scene);
    check(t, design, som_text_str(config), &before, done);
    int was = test_count_comments(som_text_str(&before));
    int is = test_count_comments(som_document_text(som_design_document(design)));
    bool takes = (is_full && which < 4) || takes_away(operations[which]);
    bool copies = operations[which] == duplicate || operations[which] == mirror; // of values
    if ((is > was && !copies) || (is < was && !takes)) {
        stop(t, design, is > was ? "a comment more" : "a comment is lost");
    }
    t->done += done;
    t->refused += !done;
    t->done_by[which] += done;
    som_text_free(&before);
    som_text_free(&scene.a);
    som_text_free(&scene.b);
    som_text_free(&scene.d);
    som_text_free(&scene.e);
}

void test_designer_reopen(SomDesign *design, SomStr library, SomStr config) {
    SomDesign *other = som_design_create(library, SOM_STR("robot.som"),
                                         som_document_text(som_design_document(design)));
    const SomConfiguration *a = som_design_compose(design, config);
    const SomConfiguration *b = som_design_compose(other, config);
    if (a == NULL || b == NULL) {
        stop(NULL, design, "not composed");
    }
    SomDiff *diff = som_diff_create(a, b);
    if (diff->change_count > 0 || !som_configuration_same_structure(a, b)) {
        stop(NULL, design, "another design");
    }
    som_diff_destroy(diff);
    som_design_destroy(other);
}

// ---- many acts

SomDesign *test_designer_begin(TestDesigner *designer, SomStr text) {
    SomText start = {0};
    bool is_other = som_test_int(&designer->random, 0, 2) == 0;
    for (size_t i = 0; i < text.length; i++) {
        som_text_add_char(&start, '\r', is_other && text.data[i] == '\n' ? 1 : 0);
        som_text_add_char(&start, text.data[i], 1);
    }
    SomDesign *design =
        som_design_create(som_str(test_library), SOM_STR("robot.som"), som_text_str(&start));
    som_text_free(&start);
    return design;
}

void test_designer_play(TestDesigner *designer, SomDesign *design, SomText *config, int steps,
                        TestAct act) {
    SOM_ARRAY(SomText) texts = {0};
    SomDocument *document = som_design_document(design);
    for (int i = 0; i <= steps; i++) {
        SomStr now = som_document_text(document);
        if (texts.count == 0 || !som_str_equal(now, som_text_str(&texts.data[texts.count - 1]))) {
            SomText copy = {0};
            som_text_add(&copy, now);
            som_array_push(&texts, copy);
        }
        if (i < steps) {
            act(designer, design, config);
        }
    }
    for (int way = 0; way < 2; way++) {
        for (int i = 1; i < texts.count; i++) {
            ck_assert(way == 0 ? som_document_undo(document) : som_document_redo(document));
            const SomText *text = &texts.data[way == 0 ? texts.count - 1 - i : i];
            ck_assert(som_str_equal(som_document_text(document), som_text_str(text)));
        }
        ck_assert(!(way == 0 ? som_document_undo(document) : som_document_redo(document)));
    }
    for (int i = 0; i < texts.count; i++) {
        som_text_free(&texts.data[i]);
    }
    som_array_free(&texts);
}

int test_designer_kinds(const TestDesigner *designer) {
    int kinds = 0;
    bool is_shown = getenv("SOM_TEST_SHOW") != NULL;
    for (int i = 0; i < 32; i++) {
        kinds += designer->done_by[i] > 0;
        if (is_shown) {
            fprintf(stderr, "%d ", designer->done_by[i]);
        }
    }
    if (is_shown) {
        fprintf(stderr, "done: %d, refused: %d\n", designer->done, designer->refused);
    }
    return kinds;
}
