// URDF that we wrote, read again: it stands and moves as the design does, and written once more it
// is the same file. What imported files had beside that comes back where it stood.

// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "base/number.h"
#include "exchange/urdf.h"
#include "tests/exchange/library_exports.h"
#include "tests/exchange/placed_text.h"

#include <math.h>

// A design, and what became of it on the way.
typedef struct Round {
    SomBodyModel *model;
    SomText text;
    double lift; // of the first body above the root of the file
    bool has_meshes;
    SomArena texts;
    SomDiagnostics *diags;
    SomImported imported;
    SomTestPlaced placed;
    const SomModuleType *type;
} Round;

static SomBodyModel *model_of(const SomMechanism *mechanism, bool is_full) {
    return som_body_model_create(&(SomBodyDef){
        .mechanism = mechanism, .is_full = is_full, .joins_docks = true, .keeps_root = true});
}

static void write_model(const SomBodyModel *model, SomText *text, SomDiagnostics *diags) {
    som_urdf_write(&(SomUrdfDef){.model = model, .has_plugins = true}, text, diags);
}

static void read_text(Round *r, const SomImportOptions *options, const char *label) {
    r->diags = som_diagnostics_create();
    bool fine = som_import_text(SOM_STR("robot.urdf"), som_text_str(&r->text), options, &r->texts,
                                &r->imported, r->diags);
    ck_assert_msg(fine, "%s", label);
    r->placed = som_test_place_imported(&r->imported);
    r->type = r->placed.configuration->modules[0].type;
}

static Round begin_round(const TestExport *e) {
    Round r = {.model = model_of(e->mechanism, true)};
    r.lift = r.model->lifts[0];
    SomMeshFiles meshes = {0};
    write_model(r.model, &r.text, e->diags);
    som_urdf_find_meshes(&(SomUrdfDef){.model = r.model}, &meshes);
    r.has_meshes = meshes.all.count > 0;
    som_mesh_files_free(&meshes);
    read_text(&r, &(SomImportOptions){0}, e->label);
    return r;
}

static void end_round(Round *r) {
    som_test_free_placed(&r->placed);
    som_imported_free(&r->imported);
    som_diagnostics_destroy(r->diags);
    som_arena_free(&r->texts);
    som_text_free(&r->text);
    som_body_model_destroy(r->model);
}

// ---- poses

static int joint_of(const Round *r, SomStr name) {
    int joint = som_module_type_find_joint(r->type, name, NULL);
    ck_assert_msg(joint >= 0 && som_str_equal(r->type->joints[joint].name, name), "%s", name.data);
    return joint;
}

// Where a link of the imported module stands, by the frame that it has in the file.
static SomPose imported_pose(const Round *r, const double *values, SomStr name) {
    SomPose links[SOM_MAX_MODULE_LINKS];
    int link = som_module_type_find_link(r->type, name);
    ck_assert_msg(link >= 0, "%s", name.data);
    som_module_type_place(r->type, values, links);
    return som_pose_compose(links[link], r->type->links[link].frame);
}

// Joints that close chains have no DoF: what hangs on them is not looked at where others moved.
static double worst_pose(const Round *r, const SomPosture *posture, bool is_start) {
    const SomMechanism *m = r->model->mechanism;
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    bool *is_known = som_alloc(sizeof *is_known * (size_t)r->model->body_count);
    double values[SOM_MAX_MODULE_LINKS] = {0}, worst = 0;
    som_mechanism_place(m, posture, links);
    for (int i = 0; i < r->model->joint_count; i++) {
        const SomBodyJoint *joint = &r->model->joints[i];
        values[joint_of(r, joint->name)] =
            joint->dof >= 0 ? posture->values[joint->dof] : joint->start;
    }
    for (int i = 0; i < r->model->body_count; i++) {
        const SomBody *body = &r->model->bodies[i];
        const SomBodyJoint *joint = body->joint >= 0 ? &r->model->joints[body->joint] : NULL;
        bool moves = joint != NULL && joint->type != SOM_JOINT_FIXED;
        bool follows = moves && joint->dof < 0;
        is_known[i] = is_start || joint == NULL || (is_known[body->parent] && !follows);
        SomVec3 origin = moves ? joint->position : som_vec3(0, 0, 0);
        SomPose pose = som_pose_compose(links[body->link], m->links[body->link].link->frame);
        pose = som_pose_compose(pose, som_pose_translation(origin));
        pose.position.z += r->lift;
        if (is_known[i]) {
            worst = fmax(worst, som_pose_distance(pose, imported_pose(r, values, body->name)));
        }
    }
    som_free(is_known);
    som_free(links);
    return worst;
}

static void check_poses(const Round *r, const char *label) {
    SomTestRandom random = {23};
    SomPosture posture = som_posture_start(r->model->mechanism->configuration);
    for (int k = 0; k < som_test_count(4, 50); k++) {
        for (int i = 0; i < posture.count && k > 0; i++) {
            posture.values[i] = k == 1 ? 0 : som_test_uniform(&random, -2, 2);
        }
        double worst = worst_pose(r, &posture, k == 0);
        ck_assert_msg(worst <= 1e-9, "%s, posture %d: %g", label, k, worst);
    }
    som_posture_free(&posture);
}

// ---- texts

static bool begins(SomStr line, const char *word) {
    size_t at = 0, length = som_str(word).length;
    while (at < line.length && line.data[at] == ' ') {
        at++;
    }
    return line.length - at >= length && memcmp(line.data + at, word, length) == 0;
}

// The next line that both files are to have.
static bool next_line(SomStr *rest, bool has_meshes, SomStr *line) {
    const char *inside = NULL;
    while (rest->length > 0) {
        const char *end = memchr(rest->data, '\n', rest->length);
        size_t length = end != NULL ? (size_t)(end - rest->data) : rest->length;
        *line = som_str_slice(*rest, 0, length);
        *rest = som_str_slice(*rest, length + 1, rest->length);
        if (inside != NULL) {
            inside = begins(*line, inside) ? NULL : inside;
        } else if (has_meshes && begins(*line, "<visual")) {
            inside = "</visual>";
        } else if (has_meshes && begins(*line, "<collision")) {
            inside = "</collision>";
        } else if (has_meshes && begins(*line, "<material")) {
            inside = "</material>";
        } else if (!begins(*line, "<!-- <somite:")) {
            return true;
        }
    }
    return false;
}

// The numbers of an attribute, and the line without them.
static int take_numbers(SomStr line, SomText *words, double values[32]) {
    int count = 0;
    som_text_clear(words);
    for (size_t at = 0; at < line.length;) {
        size_t end = at;
        while (end < line.length && line.data[end] != ' ' && line.data[end] != '"') {
            end++;
        }
        if (end > at && count < 32 &&
            som_number_parse(som_str_slice(line, at, end), &values[count])) {
            count++;
        } else {
            som_text_add(words, som_str_slice(line, at, end));
        }
        som_text_add(words, som_str_slice(line, end, end + 1));
        at = end + 1;
    }
    return count;
}

// Two lines with the same words.
typedef struct Lines {
    SomStr line;
    int count;
    double a[32], b[32];
} Lines;

// Angles have two names where pitch is upright; what is round looks the same from all sides.
static double difference(const Lines *lines, SomStr shape) {
    double worst = 0, size = begins(lines->line, "<inertia ") ? 0 : 1;
    int plain = lines->count;
    if (begins(lines->line, "<origin")) {
        SomMat3 a = som_rotation_from_rpy(lines->a[3], lines->a[4], lines->a[5]);
        SomMat3 b = som_rotation_from_rpy(lines->b[3], lines->b[4], lines->b[5]);
        for (int i = 0; i < 9; i++) {
            bool is_seen = begins(shape, "<cylinder") ? i % 3 == 2 : !begins(shape, "<sphere");
            worst = fmax(worst, is_seen ? fabs(a.m[i / 3][i % 3] - b.m[i / 3][i % 3]) : 0);
        }
        plain = 3;
    }
    for (int i = 0; i < plain; i++) {
        worst = fmax(worst, fabs(lines->a[i] - lines->b[i]));
        size = fmax(size, fabs(lines->a[i]));
    }
    return size > 0 ? worst / size : worst;
}

// Comments are of docks, which are connections of the design, and of loops that are open with all
// joints at zero: they are not in a module. Names of shapes do not come back where there are
// meshes, which are not in the text.
static void check_same(SomStr first, SomStr second, bool has_meshes, const char *label) {
    SomText words_a = {0}, words_b = {0};
    SomStr a, b;
    Lines now, origin = {0};
    while (next_line(&first, has_meshes, &a)) {
        ck_assert_msg(next_line(&second, has_meshes, &b), "%s: %.*s", label, SOM_STR_ARG(a));
        now.line = a;
        now.count = take_numbers(a, &words_a, now.a);
        bool same = take_numbers(b, &words_b, now.b) == now.count &&
                    som_str_equal(som_text_str(&words_a), som_text_str(&words_b));
        bool is_origin = begins(a, "<origin") && now.count == 6;
        if (same && is_origin) { // judged by the shape, two lines below
            origin = now;
        } else if (same && !begins(a, "<geometry>")) {
            same = difference(&now, a) <= 1e-9 &&
                   (origin.count == 0 || difference(&origin, a) <= 1e-9);
            origin.count = 0;
        }
        ck_assert_msg(same, "%s:\n%.*s\n%.*s\n%.*s", label, SOM_STR_ARG(origin.line),
                      SOM_STR_ARG(a), SOM_STR_ARG(b));
    }
    ck_assert_msg(!next_line(&second, has_meshes, &b), "%s: %.*s", label, SOM_STR_ARG(b));
    som_text_free(&words_a);
    som_text_free(&words_b);
}

// ---- the library

// The joint that closes a chain in a module has no motor; read again it is one like the others.
static void check_moves(const TestExport *e, void *context) {
    (void)context;
    Round r = begin_round(e);
    check_poses(&r, e->label);
    end_round(&r);
}

static void check_design(const TestExport *e, void *context) {
    int *count = context;
    if (e->graph != NULL) {
        return;
    }
    Round r = begin_round(e);
    check_poses(&r, e->label);
    SomBodyModel *again = model_of(r.placed.mechanism, true);
    SomText text = {0};
    write_model(again, &text, r.placed.diags);
    check_same(som_text_str(&r.text), som_text_str(&text), r.has_meshes, e->label);
    som_text_free(&text);
    som_body_model_destroy(again);
    end_round(&r);
    (*count)++;
}

START_TEST(designs_come_back_as_they_went) {
    int count = 0;
    test_each_export(check_design, &count);
    ck_assert_int_gt(count, 15);
    test_four_bar(check_moves, NULL);
    test_export(test_hostile_design, "", "", check_design, &count);
}
END_TEST

// ---- a root without mass

#define BRICK                                                                                      \
    "<inertial><origin xyz='0.01 0 0.02'/><mass value='0.3'/>"                                     \
    "<inertia ixx='2e-4' iyy='2e-4' izz='1e-4' ixy='0' ixz='0' iyz='0'/></inertial>"               \
    "<collision><geometry><box size='0.06 0.05 0.04'/></geometry></collision>"

// Two things stand on the root, of which one is behind a mere frame.
#define ROOTED(type)                                                                               \
    "<robot name='rooted'><link name='base_link'/><link name='body'>" BRICK "</link>"              \
    "<link name='frame'/><link name='mast'>" BRICK "</link><link name='head'>" BRICK "</link>"     \
    "<joint name='stand' type='" type "'><parent link='base_link'/><child link='body'/>"           \
    "<origin xyz='0.1 0.2 0.3' rpy='0.1 0.2 0.3'/></joint>"                                        \
    "<joint name='hold' type='fixed'><parent link='base_link'/><child link='frame'/>"              \
    "<origin xyz='-0.4 0 0.3' rpy='1 0 0.3'/></joint>"                                             \
    "<joint name='bolt' type='fixed'><parent link='frame'/><child link='mast'/>"                   \
    "<origin xyz='0 0.1 0' rpy='0 0.5 0'/></joint>"                                                \
    "<joint name='turn' type='continuous'><parent link='mast'/><child link='head'/>"               \
    "<origin xyz='0.1 0 0.3'/><axis xyz='0 1 1'/><limit effort='5' velocity='2'/></joint></robot>"

static int count_of(const char *text, const char *wanted) {
    int count = 0;
    for (; (text = strstr(text, wanted)) != NULL; text++) {
        count++;
    }
    return count;
}

// One root, and it is the old one.
static void check_rooted(const char *urdf, bool is_full, int links) {
    Round first = {0}, second = {0};
    som_text_add(&first.text, som_str(urdf));
    read_text(&first, &(SomImportOptions){0}, "rooted");
    second.model = model_of(first.placed.mechanism, is_full);
    write_model(second.model, &second.text, first.placed.diags);
    const char *text = second.text.data;
    ck_assert_ptr_nonnull(strstr(text, "  <link name=\"base_link\"/>\n"));
    ck_assert_int_eq(count_of(text, "<link name="), links);
    ck_assert_int_eq(count_of(text, "<child link="), links - 1);
    ck_assert_int_eq(count_of(text, "<child link=\"base_link\"/>"), 0);
    ck_assert_ptr_nonnull(strstr(text, "<parent link=\"base_link\"/>\n    <child link=\"body\"/>"));
    read_text(&second, &(SomImportOptions){0}, "rooted again");
    check_poses(&second, "rooted");
    end_round(&second);
    end_round(&first);
}

START_TEST(a_root_without_mass_stays_the_root) {
    check_rooted(ROOTED("fixed"), true, 5);
    check_rooted(ROOTED("fixed"), false, 3); // body and mast are one
    check_rooted(ROOTED("continuous"), true, 5);
    check_rooted(ROOTED("continuous"), false, 4);
}
END_TEST

// ---- what files had beside links and joints

#define INERTIAL                                                                                   \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"        \
    "</inertial>"
#define SLIDES(parent, child)                                                                      \
    "<parent link='" parent "'/><child link='" child                                               \
    "'/><axis xyz='1 0 0'/><limit lower='0' upper='1' effort='1' velocity='1'/>"

// Of its names some are no words, and so are others where they are written.
static const char hand[] =
    "<robot name='hand'><link name='base_link'/><link name='palm'>" INERTIAL "<sensor name='cam'/>"
    "</link><link name='left-finger'>" INERTIAL "</link><link name='right'>" INERTIAL "</link>"
    "<joint name='mount' type='fixed'><parent link='base_link'/><child link='palm'/>"
    "<origin xyz='0 0 0.2'/><note/></joint>"
    "<joint name='l-joint' type='prismatic'>" SLIDES(
        "palm",
        "left-finger") "</joint>"
                       "<joint name='r' type='prismatic'>" SLIDES(
                           "palm",
                           "right") "<mimic multiplier='-1' joint='l-joint'/></joint>"
                                    "<gazebo "
                                    "reference='left-finger'><mu1>0.3</mu1></gazebo><gazebo "
                                    "reference='l-joint'/>"
                                    "<gazebo><plugin name='r'/></gazebo>"
                                    "<transmission name='t'><joint "
                                    "name='l-joint'><hw>r</hw></joint><a joint='no'/>"
                                    "<joint> r "
                                    "</joint><link>left-finger</link></transmission></robot>";

static Round read_hand(void) {
    Round r = {0};
    som_text_add(&r.text, som_str(hand));
    SomImportOptions options = {.connectors = (const SomStr[]){SOM_STR("palm"), SOM_STR("right")},
                                .connector_count = 2};
    read_text(&r, &options, "hand");
    return r;
}

static void check_has(const SomText *text, const char *const *wanted) {
    for (int i = 0; wanted[i] != NULL; i++) {
        const char *found = strstr(text->data, wanted[i]);
        ck_assert_msg(found != NULL, "no %s in %s", wanted[i], text->data);
        ck_assert_msg(strstr(found + 1, wanted[i]) == NULL, "two %s in %s", wanted[i], text->data);
    }
}

START_TEST(what_was_kept_comes_back) {
    static const char *const wanted[] = {
        "  <link name=\"base_link\"/>\n",
        "<sensor name='cam'/>\n  </link>\n  <joint name=\"mount\"",
        "<child link=\"palm\"/>\n    <note/>\n  </joint>",
        "    <mimic multiplier='-1' joint='l_joint'/>\n  </joint>",
        "  <gazebo reference='left_finger'><mu1>0.3</mu1></gazebo>\n",
        "  <gazebo reference='l_joint'/>\n",
        "  <gazebo><plugin name='r'/></gazebo>\n",
        "  <transmission name='t'><joint name='l_joint'><hw>r</hw>"
        "</joint><a joint='no'/><joint> r </joint>"
        "<link>left_finger</link></transmission>\n</robot>\n",
        NULL};
    Round r = read_hand();
    r.model = model_of(r.placed.mechanism, true);
    SomText text = {0}, again = {0};
    write_model(r.model, &text, r.placed.diags);
    check_has(&text, wanted);
    ck_assert_ptr_null(strstr(text.data, "base_footprint"));
    // and again
    Round second = {.text = text};
    read_text(&second, &(SomImportOptions){0}, "hand again");
    second.model = model_of(second.placed.mechanism, true);
    write_model(second.model, &again, second.placed.diags);
    ck_assert_str_eq(again.data, text.data);
    som_text_free(&again);
    end_round(&second);
    end_round(&r);
}
END_TEST

START_TEST(two_modules_have_it_under_their_names) {
    static const char *const wanted[] = {"<mimic multiplier='-1' joint='a_l_joint'/>",
                                         "<mimic multiplier='-1' joint='b_l_joint'/>",
                                         "<gazebo reference='a_left_finger'>",
                                         "<gazebo reference='b_left_finger'>",
                                         "<gazebo><plugin name='r'/></gazebo>",
                                         "<joint> a_r </joint>",
                                         "<joint> b_r </joint>",
                                         NULL};
    Round r = read_hand();
    SomText text = {0};
    som_test_free_placed(&r.placed);
    som_text_clear(&r.imported.som);
    som_text_printf(&r.imported.som,
                    "use \"%.*s\"\nconfig Two { part a, b : hand\n"
                    "connect a.palm_connector to b.right_connector at 90deg }\n",
                    SOM_STR_ARG(r.imported.files.data[0].path));
    r.placed = som_test_place_imported(&r.imported);
    r.model = model_of(r.placed.mechanism, false); // links that are fixed to each other are one
    write_model(r.model, &text, r.placed.diags);
    check_has(&text, wanted);
    som_text_free(&text);
    end_round(&r);
}
END_TEST

// What a module type has and URDF has not.
START_TEST(what_urdf_does_not_carry_is_told) {
    static const char *const wanted[] = {
        "the acceleration of 1 joint, the gains of 2 joints, the tolerance of 1 joint, "
        "what was kept of SDF in 1 element",
        NULL};
    Round r = {0};
    som_text_add(&r.text, SOM_STR(ROOTED("continuous")));
    read_text(&r, &(SomImportOptions){0}, "rooted");
    // in what was imported, more is written
    SomStr types = r.imported.files.data[0].content;
    SomText more = {0};
    for (size_t i = 0; i < types.length; i++) {
        SomStr rest = som_str_slice(types, i, types.length);
        bool is_turn = som_str_starts_with(rest, SOM_STR("joint turn: "));
        bool is_stand = som_str_starts_with(rest, SOM_STR("joint stand: "));
        bool is_head = som_str_starts_with(rest, SOM_STR("link head: "));
        size_t length = is_turn ? 12 : is_stand ? 13 : is_head ? 11 : 1;
        som_text_add(&more, som_str_slice(types, i, i + length));
        som_text_add(&more, is_turn    ? SOM_STR("acceleration=3, gains=(1, 0, 0), tolerance=0.1, ")
                            : is_stand ? SOM_STR("gains=(0, 0, 1), ")
                            : is_head  ? SOM_STR("sdf=\"<sensor/>\", ")
                                       : SOM_STR(""));
        i += length - 1;
    }
    som_test_free_placed(&r.placed);
    r.imported.files.data[0].content = som_text_str(&more);
    r.placed = som_test_place_imported(&r.imported);
    r.model = model_of(r.placed.mechanism, true);
    SomText text = {0}, told = {0};
    write_model(r.model, &text, r.placed.diags);
    som_diagnostics_print(r.placed.diags, 0, &told);
    check_has(&told, wanted);
    check_has(&told, (const char *const[]){"[SOM5525]", NULL});
    som_text_free(&told);
    som_text_free(&text);
    end_round(&r);
    som_text_free(&more);
}
END_TEST

SOM_SUITE("exchange/urdf_round", designs_come_back_as_they_went, a_root_without_mass_stays_the_root,
          what_was_kept_comes_back, two_modules_have_it_under_their_names,
          what_urdf_does_not_carry_is_told)
