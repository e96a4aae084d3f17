// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "modules/module_type.h"
#include "space/distance.h"
#include "space/trigonometry.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

#include <math.h>

static double difference(SomPose a, SomPose b) {
    double worst = som_vec3_length(som_vec3_sub(a.position, b.position));
    for (int i = 0; i < 9; i++) {
        worst = fmax(worst, fabs(a.rotation.m[i / 3][i % 3] - b.rotation.m[i / 3][i % 3]));
    }
    return worst;
}

static SomPose turned(SomMat3 rotation) {
    return (SomPose){rotation, {0, 0, 0}};
}

static SomPose shifted(double x, double y, double z) {
    return som_pose_translation(som_vec3(x, y, z));
}

static SomPose link_pose(const SomModuleType *type, const SomPose *links, const char *name) {
    int link = som_module_type_find_link(type, som_str(name));
    ck_assert_int_ge(link, 0);
    return links[link];
}

static SomPose face_pose(const SomModuleType *type, const SomPose *links, const char *name) {
    int connector = som_module_type_find_connector(type, som_str(name));
    ck_assert_int_ge(connector, 0);
    ck_assert(type->connectors[connector].has_frame);
    return som_pose_compose(links[type->connectors[connector].link],
                            type->connectors[connector].frame);
}

// The matrices of the Gazebo model, written out.
START_TEST(smores_agrees_with_the_explicit_matrices) {
    SomM3l *m3l = som_test_library("smores");
    const SomModuleType *type = som_m3l_find_type(m3l, SOM_STR("SMORES"));
    SomTestRandom random = {1};
    for (int n = 0; n < 1000; n++) {
        double a[4];
        for (int i = 0; i < 4; i++) {
            a[i] = som_test_uniform(&random, i < 3 ? -7 : -SOM_PI / 2, i < 3 ? 7 : SOM_PI / 2);
        }
        SomPose links[SOM_MAX_MODULE_LINKS];
        som_module_type_place(type, a, links);
        double c0 = cos(a[0]), s0 = sin(a[0]), c3 = cos(a[3]), s3 = sin(a[3]), l = 0.05;
        double c1 = cos(a[1] + a[3]), s1 = sin(a[1] + a[3]);
        double c2 = cos(a[2] + a[3]), s2 = sin(a[2] + a[3]);
        SomPose k0 = {{{{0, c0, s0}, {-1, 0, 0}, {0, -s0, c0}}}, {0, -l, 0}};
        SomPose k1 = {{{{1, 0, 0}, {0, c1, -s1}, {0, s1, c1}}}, {l, 0, 0}};
        SomPose k2 = {{{{-1, 0, 0}, {0, -c2, -s2}, {0, -s2, c2}}}, {-l, 0, 0}};
        SomPose k3 = {{{{0, -1, 0}, {c3, 0, -s3}, {s3, 0, c3}}}, {0, c3 * l, s3 * l}};
        ck_assert_double_lt(difference(face_pose(type, links, "T"), k0), 1e-12);
        ck_assert_double_lt(difference(face_pose(type, links, "L"), k1), 1e-12);
        ck_assert_double_lt(difference(face_pose(type, links, "R"), k2), 1e-12);
        ck_assert_double_lt(difference(face_pose(type, links, "B"), k3), 1e-12);
        ck_assert_double_lt(
            difference(link_pose(type, links, "CircuitHolder"), som_pose_identity()), 1e-12);
        ck_assert_double_lt(
            difference(link_pose(type, links, "UHolderBody"), turned(som_rotation_x(a[3]))), 1e-12);
        ck_assert_double_lt(
            difference(link_pose(type, links, "FrontWheel"), turned(som_rotation_y(a[0]))), 1e-12);
        ck_assert_double_lt(
            difference(link_pose(type, links, "LeftWheel"), turned(som_rotation_x(a[3] + a[1]))),
            1e-12);
        ck_assert_double_lt(
            difference(link_pose(type, links, "RightWheel"), turned(som_rotation_x(a[3] + a[2]))),
            1e-12);
    }
    som_m3l_destroy(m3l);
}
END_TEST

// Frames of the faces 0 to 3 as the lab writes them, x out of the face, for joint values in the
// lab's order: front, left, right, bend.
static SomPose lab_face(int face, const double *a) {
    SomPose out = shifted(0.05, 0, 0);
    SomPose rear = turned(som_rotation_x(a[3]));
    SomPose turns[4] = {
        som_pose_compose(turned(som_rotation_y(a[0])), turned(som_rotation_z(-SOM_PI / 2))),
        som_pose_compose(rear, turned(som_rotation_x(a[1]))),
        som_pose_compose(
            rear, som_pose_compose(turned(som_rotation_x(a[2])), turned(som_rotation_z(SOM_PI)))),
        som_pose_compose(rear, turned(som_rotation_z(SOM_PI / 2)))};
    return som_pose_compose(turns[face], out);
}

// The pose of frame `lab` of a module whose root is at `root`.
static SomPose lab_pose(const SomModuleType *type, const SomPose *links, SomPose root) {
    const SomModuleFrame *frame = &type->frames[som_module_type_find_frame(type, SOM_STR("lab"))];
    return som_pose_compose(root, som_pose_compose(links[frame->link], frame->pose));
}

// M2 = M1 K(f1) Rz(180) Rx(roll) K(f2)^-1 for all matings, at random joint values of both modules.
START_TEST(smores_mates_as_the_lab_does) {
    SomM3l *m3l = som_test_library("smores");
    const SomConnectionRule *rule = &m3l->rules[0];
    const SomModuleType *type = rule->a;
    SomTestRandom random = {7};
    double worst = 0;
    ck_assert_int_eq(rule->mating_count, 64);
    for (int n = 0; n < 20 * rule->mating_count; n++) {
        const SomMating *mating = &rule->matings[n % rule->mating_count];
        double q[2][4];
        SomPose links[2][SOM_MAX_MODULE_LINKS];
        for (int i = 0; i < 8; i++) {
            q[i / 4][i % 4] = som_test_uniform(&random, -1.5, 1.5);
        }
        som_module_type_place(type, q[0], links[0]);
        som_module_type_place(type, q[1], links[1]);
        SomPose root = {som_rotation_y(0.4), {1, 2, 3}};
        SomPose link_of_b = som_pose_compose(
            som_pose_compose(root, links[0][type->connectors[mating->a].link]), mating->transform);
        SomPose root_of_b = som_pose_compose(
            link_of_b, som_pose_invert(links[1][type->connectors[mating->b].link]));
        SomPose w =
            som_pose_compose(turned(som_rotation_z(SOM_PI)), turned(som_rotation_x(mating->roll)));
        SomPose wanted =
            som_pose_compose(som_pose_compose(lab_pose(type, links[0], root),
                                              som_pose_compose(lab_face(mating->a, q[0]), w)),
                             som_pose_invert(lab_face(mating->b, q[1])));
        worst = fmax(worst, difference(lab_pose(type, links[1], root_of_b), wanted));
    }
    ck_assert_double_lt(worst, 1e-12);
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(smores_has_the_names_signs_and_order_of_the_lab) {
    static const char *const joints[4] = {"front", "left", "right", "bend"};
    static const char *const faces[4][2] = {
        {"T", "front"}, {"L", "left"}, {"R", "right"}, {"B", "back"}};
    static const struct {
        const char *alias, *joint;
    } turned_round[] = {{"tilt", "bend"}, {"pan", "front"}};
    SomM3l *m3l = som_test_library("smores");
    const SomModuleType *type = &m3l->types[0];
    SomAlias alias;
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(som_module_type_find_joint(type, som_str(joints[i]), &alias), i);
        ck_assert(alias.sign == 1 && alias.zero == 0);
        ck_assert_int_eq(som_module_type_find_connector(type, som_str(faces[i][0])), i);
        ck_assert_int_eq(som_module_type_find_connector(type, som_str(faces[i][1])), i);
    }
    for (int i = 0; i < 2; i++) { // as in VSPARC and in SMORES-EP
        int joint = som_module_type_find_joint(type, som_str(turned_round[i].alias), &alias);
        ck_assert(alias.sign == -1 && alias.zero == 0);
        ck_assert_int_eq(joint,
                         som_module_type_find_joint(type, som_str(turned_round[i].joint), NULL));
    }
    const SomModuleFrame *lab = &type->frames[som_module_type_find_frame(type, SOM_STR("lab"))];
    ck_assert_int_eq(lab->link, som_module_type_find_link(type, SOM_STR("CircuitHolder")));
    ck_assert_int_eq(lab->link, type->root);
    ck_assert_double_eq(difference(lab->pose, som_pose_identity()), 0);
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(smores_ep_agrees_with_the_explicit_chain) {
    SomM3l *m3l = som_test_library("smores_ep");
    const SomModuleType *type = som_m3l_find_type(m3l, SOM_STR("SMORES-EP"));
    SomTestRandom random = {2};
    for (int n = 0; n < 1000; n++) {
        double q[4];
        for (int i = 0; i < 4; i++) {
            q[i] = som_test_uniform(&random, -1.5, 1.5);
        }
        SomPose links[SOM_MAX_MODULE_LINKS];
        som_module_type_place(type, q, links); // left, right, tilt, pan
        SomPose pivot = shifted(0.034458, 0, 0);
        SomPose left = som_pose_compose(pivot, turned(som_rotation_y(q[0])));
        SomPose right = som_pose_compose(pivot, turned(som_rotation_y(q[1])));
        SomPose tilt = som_pose_compose(pivot, turned(som_rotation_y(q[2])));
        SomPose pan = som_pose_compose(som_pose_compose(tilt, shifted(0.039912, 0, 0)),
                                       turned(som_rotation_x(q[3])));
        SomPose l = som_pose_compose(som_pose_compose(left, shifted(0, 0.04405, 0)),
                                     turned(som_rotation_z(SOM_PI / 2)));
        SomPose r = som_pose_compose(som_pose_compose(right, shifted(0, -0.04405, 0)),
                                     turned(som_rotation_z(-SOM_PI / 2)));
        SomPose t = som_pose_compose(pan, shifted(0.005762, 0, 0));
        SomPose b = som_pose_compose(shifted(-0.010741577, 0, 0), turned(som_rotation_z(SOM_PI)));
        ck_assert_double_lt(difference(face_pose(type, links, "L"), l), 1e-12);
        ck_assert_double_lt(difference(face_pose(type, links, "R"), r), 1e-12);
        ck_assert_double_lt(difference(face_pose(type, links, "T"), t), 1e-12);
        ck_assert_double_lt(difference(face_pose(type, links, "B"), b), 1e-12);
    }
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(roombots_agrees_with_its_dh_parameters) {
    SomM3l *m3l = som_test_library("roombots");
    const SomModuleType *type = &m3l->types[0];
    SomTestRandom random = {3};
    double a = acos(-1 / sqrt(3.0)), unit = 0.055;
    for (int n = 0; n < 100; n++) {
        double q[3];
        for (int i = 0; i < 3; i++) {
            q[i] = som_test_uniform(&random, -3, 3);
        }
        // modified DH: Rx(alpha) Rz(theta) Tz(d), from the first face outwards
        double d[6] = {0, 1, 0, 2, 0, -1};
        double theta[6] = {0, -SOM_PI / 4, q[0], -q[1], q[2], SOM_PI / 4 + SOM_PI};
        double alpha[6] = {0, 0, a, -a, a, -a - SOM_PI};
        SomPose pose = som_pose_identity(), zero = som_pose_identity();
        for (int i = 0; i < 6; i++) {
            double at_zero = i >= 2 && i <= 4 ? 0 : theta[i];
            SomPose tail = shifted(0, 0, unit * d[i]);
            pose = som_pose_compose(
                pose, som_pose_compose(turned(som_mat3_multiply(som_rotation_x(alpha[i]),
                                                                som_rotation_z(theta[i]))),
                                       tail));
            zero = som_pose_compose(
                zero, som_pose_compose(turned(som_mat3_multiply(som_rotation_x(alpha[i]),
                                                                som_rotation_z(at_zero))),
                                       tail));
        }
        SomPose links[SOM_MAX_MODULE_LINKS];
        som_module_type_place(type, q, links);
        // both seen from the first link, in the frame of the module
        SomPose base = shifted(0, 0, -2 * unit);
        SomPose moved = som_pose_compose(som_pose_compose(base, pose),
                                         som_pose_invert(som_pose_compose(base, zero)));
        SomPose first = link_pose(type, links, "outer_a"), last = link_pose(type, links, "outer_d");
        ck_assert_double_lt(difference(som_pose_relative(first, last), moved), 1e-12);
    }
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(aliases_have_their_own_sign_and_zero) {
    SomM3l *m3l = som_test_library("smores_ep");
    const SomModuleType *type = &m3l->types[0];
    SomAlias alias;
    int tilt = som_module_type_find_joint(type, SOM_STR("tilt"), &alias);
    ck_assert_int_ge(tilt, 0);
    ck_assert_double_eq(alias.sign, 1);
    ck_assert_int_eq(som_module_type_find_joint(type, SOM_STR("bend"), &alias), tilt);
    ck_assert_double_eq(alias.sign, -1);
    ck_assert_int_eq(som_module_type_find_joint(type, SOM_STR("knee"), NULL), -1);
    ck_assert_int_eq(som_module_type_find_connector(type, SOM_STR("bottom")),
                     som_module_type_find_connector(type, SOM_STR("B")));
    som_m3l_destroy(m3l);
    m3l = som_test_m3l("t", SOM_STR("module M:\nlink a: mass=1\nlink b: mass=1\n"
                                    "joint j: type=revolute, alias=((raised, -1, 90deg), other), "
                                    "pair=((a,(axis: origin=(0,0,0),direction=(0,0,1))),"
                                    "(b,(axis: origin=(0,0,3),direction=(0,0,-2))))"));
    ck_assert_int_eq(som_module_type_find_joint(&m3l->types[0], SOM_STR("raised"), &alias), 0);
    ck_assert_double_eq(alias.sign, -1);
    ck_assert_double_eq(alias.zero, SOM_PI / 2);
    som_m3l_destroy(m3l);
}
END_TEST

// Every type of the library as a linkage: the same poses as som_module_type_place.
static void check_linkage(const SomModuleType *type, SomTestRandom *random) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkage *linkage = som_linkage_create();
    SomSublinkageId part = som_linkage_add_sublinkage(linkage, som_linkage_top(linkage),
                                                      SOM_STR("m"), SOM_SIMULTANEOUS, diags);
    SomLinkId links[SOM_MAX_MODULE_LINKS];
    SomJointId joints[SOM_MAX_MODULE_LINKS];
    SomPose where = {som_rotation_x(0.3), {1, 2, 3}};
    som_module_type_add_to_linkage(type, linkage, part, SOM_STR("m."), where, links, joints, diags);
    double values[SOM_MAX_MODULE_LINKS];
    SomPose poses[SOM_MAX_MODULE_LINKS];
    for (int j = 0; j < type->joint_count; j++) {
        const SomModuleJoint *joint = &type->joints[j];
        values[j] = som_test_uniform(random, fmax(joint->low, -3), fmin(joint->high, 3));
        int dof = joint->type == SOM_JOINT_PRISMATIC ? SOM_DOF_TZ : SOM_DOF_RZ;
        SomJointInfo info = som_linkage_get_joint(linkage, joints[j]);
        ck_assert(info.is_tree);
        bool is_limited = isfinite(joint->low) || isfinite(joint->high);
        ck_assert_uint_eq(info.limits.limited, is_limited ? 1u << dof : 0);
        ck_assert(!is_limited ||
                  (info.limits.low[dof] == joint->low && info.limits.high[dof] == joint->high));
        ck_assert(som_linkage_set_value(linkage, joints[j], dof, values[j], diags));
    }
    som_module_type_place(type, values, poses);
    for (int i = 0; i < type->link_count; i++) {
        SomPose wanted = som_pose_compose(where, poses[i]);
        ck_assert_double_lt(difference(som_linkage_pose(linkage, links[i]), wanted), 1e-12);
    }
    SomText why = {0};
    ck_assert_msg(som_linkage_validate(linkage, &why), "%s", why.data);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_linkage_destroy(linkage);
    som_diagnostics_destroy(diags);
}

START_TEST(every_type_of_the_library_becomes_a_linkage) {
    SomTestRandom random = {4};
    for (int f = 0; som_test_module_files[f] != NULL; f++) {
        SomM3l *m3l = som_test_library(som_test_module_files[f]);
        for (int i = 0; i < m3l->type_count; i++) {
            check_linkage(&m3l->types[i], &random);
        }
        som_m3l_destroy(m3l);
    }
}
END_TEST

static bool are_joined(const SomModuleType *type, int a, int b) {
    for (int j = 0; j < type->joint_count; j++) {
        const SomModuleJoint *joint = &type->joints[j];
        if ((joint->parent == a && joint->child == b) ||
            (joint->parent == b && joint->child == a)) {
            return true;
        }
    }
    return false;
}

static double link_distance(const SomModuleType *type, const SomPose *poses, int a, int b) {
    double least = 1e9;
    for (int i = 0; i < type->links[a].part_count; i++) {
        for (int k = 0; k < type->links[b].part_count; k++) {
            const SomShapePart *x = &type->links[a].parts[i], *y = &type->links[b].parts[k];
            SomDistance gap = som_shape_distance(&x->shape, som_pose_compose(poses[a], x->pose),
                                                 &y->shape, som_pose_compose(poses[b], y->pose));
            least = fmin(least, gap.distance);
        }
    }
    return least;
}

// At zero, and SMORES at any bend: a module does not collide with itself where it is allowed to be.
START_TEST(links_that_no_joint_joins_are_apart) {
    for (int f = 0; som_test_module_files[f] != NULL; f++) {
        SomM3l *m3l = som_test_library(som_test_module_files[f]);
        for (int t = 0; t < m3l->type_count; t++) {
            const SomModuleType *type = &m3l->types[t];
            bool is_smores = strncmp(som_test_module_files[f], "smores", 6) == 0;
            for (int n = 0; n < (is_smores ? 19 : 1); n++) {
                double values[SOM_MAX_MODULE_LINKS] = {0};
                SomPose poses[SOM_MAX_MODULE_LINKS];
                int bend = som_module_type_find_joint(type, SOM_STR("bend"), NULL);
                if (is_smores) {
                    values[bend] = (n - 9) * SOM_PI / 18;
                }
                som_module_type_place(type, values, poses);
                for (int a = 0; a < type->link_count; a++) {
                    for (int b = a + 1; b < type->link_count; b++) {
                        ck_assert_msg(are_joined(type, a, b) ||
                                          link_distance(type, poses, a, b) > -1e-9,
                                      "%s: %s and %s overlap", som_test_module_files[f],
                                      type->links[a].name.data, type->links[b].name.data);
                    }
                }
            }
        }
        som_m3l_destroy(m3l);
    }
}
END_TEST

// With the moved link as root, the joint is met from its child's side.
START_TEST(a_joint_may_be_turned_round_by_the_root) {
    SomM3l *m3l = som_test_m3l(
        "turned", SOM_STR("module M: root=moved\nlink moved: mass=1\nlink still: mass=1\n"
                          "joint j: type=revolute, value=[-inf, 2],\n"
                          "pair=((moved, (axis: origin=(1,2,3), direction=(0,1,1))),\n"
                          "(still, (axis: origin=(1,2,3), direction=(0,-1,-1))))\n"));
    SomTestRandom random = {5};
    const SomModuleType *type = &m3l->types[0];
    ck_assert_int_eq(type->root, 0);
    double value = 0.7;
    SomPose links[SOM_MAX_MODULE_LINKS];
    som_module_type_place(type, &value, links);
    SomPose motion = som_module_joint_motion(&type->joints[0], value);
    ck_assert_double_lt(difference(som_pose_relative(links[1], links[0]), motion), 1e-12);
    check_linkage(type, &random);
    som_m3l_destroy(m3l);
}
END_TEST

#define AXIS(at, z) "(axis: origin=" at ", direction=(0,0," z "))"
static const char four_bar[] =
    "module FOURBAR: root=base\n"
    "link base: mass=1\nlink left: mass=1\nlink top: mass=1\nlink right: mass=1\n"
    "joint j1: type=revolute, pair=((left," AXIS("(0,0,0)", "1") "),(base," AXIS(
        "(0,0,0)",
        "-1") "))\n"
              "joint j2: type=revolute, pair=((top," AXIS("(0,1,0)", "1") "),(left," AXIS(
                  "(0,1,0)",
                  "-1") "))\n"
                        "joint j3: type=revolute, pair=((right," AXIS(
                            "(2,1,0)",
                            "1") "),(top," AXIS("(2,1,0)",
                                                "-1") "))\n"
                                                      "joint j4: type=revolute, "
                                                      "pair=((base," AXIS(
                                                          "(2,0,0)",
                                                          "1") "),(right," AXIS("(2,0,0)",
                                                                                "-1") "))\n";

START_TEST(a_closed_chain_has_one_closure) {
    SomM3l *m3l = som_test_m3l("four bar", som_str(four_bar));
    const SomModuleType *type = &m3l->types[0];
    ck_assert_int_eq(type->joint_count, 4);
    ck_assert_int_eq(type->tree_joint_count, 3);
    // a parallelogram: these values close it
    double values[4] = {0.4, -0.4, 0.4, -0.4};
    SomPose links[SOM_MAX_MODULE_LINKS];
    som_module_type_place(type, values, links);
    for (int j = 0; j < 4; j++) {
        SomPose child = som_pose_compose(links[type->joints[j].parent],
                                         som_module_joint_motion(&type->joints[j], values[j]));
        ck_assert_double_lt(difference(child, links[type->joints[j].child]), 1e-12);
    }
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkage *linkage = som_linkage_create();
    SomJointId joints[4];
    som_module_type_add_to_linkage(type, linkage, (SomSublinkageId){0}, SOM_STR(""),
                                   som_pose_identity(), NULL, joints, diags);
    int closures = 0;
    for (int j = 0; j < 4; j++) {
        closures += !som_linkage_get_joint(linkage, joints[j]).is_tree;
        ck_assert_double_lt(difference(som_linkage_motion(linkage, joints[j]), som_pose_identity()),
                            1e-12);
    }
    ck_assert_int_eq(closures, 1);
    som_linkage_destroy(linkage);
    som_diagnostics_destroy(diags);
    som_m3l_destroy(m3l);
}
END_TEST

SOM_SUITE("modules/module_type", smores_agrees_with_the_explicit_matrices,
          smores_mates_as_the_lab_does, smores_has_the_names_signs_and_order_of_the_lab,
          smores_ep_agrees_with_the_explicit_chain, roombots_agrees_with_its_dh_parameters,
          aliases_have_their_own_sign_and_zero, every_type_of_the_library_becomes_a_linkage,
          links_that_no_joint_joins_are_apart, a_joint_may_be_turned_round_by_the_root,
          a_closed_chain_has_one_closure)
