// SPDX-License-Identifier: Apache-2.0
// What URDF has no elements for: friction, as Gazebo's; loops and docks, as comments; and warnings.

#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "base/number.h"
#include "exchange/urdf_internal.h"

#include <math.h>

// ---- friction

// Of a body, NAN if its links do not say; `differs` where they say two things. Engines take the
// smaller of two that touch, so it is the smallest.
static double friction_of(const SomBodyModel *model, const SomBody *body, bool *differs) {
    double least = (double)NAN;
    *differs = false;
    for (int i = body->first_shape; i < body->first_shape + body->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        if (shape->is_solid && !isnan(model->mechanism->links[shape->link].link->friction)) {
            *differs |= shape->friction != least && !isnan(least);
            least = shape->friction < least || isnan(least) ? shape->friction : least;
        }
    }
    return least;
}

void som_urdf_write_frictions(const SomBodyModel *model, SomXmlWriter *xml, SomDiagnostics *diags) {
    int mixed = 0, first = -1;
    for (int i = 0; i < model->body_count; i++) {
        bool differs;
        double friction = friction_of(model, &model->bodies[i], &differs);
        first = differs && mixed == 0 ? i : first;
        mixed += differs;
        if (!isnan(friction)) {
            som_xml_open(xml, "gazebo");
            som_xml_string(xml, "reference", model->bodies[i].name);
            som_xml_number_element(xml, "mu1", friction);
            som_xml_number_element(xml, "mu2", friction);
            som_xml_close(xml);
        }
    }
    if (mixed > 0) {
        som_report(diags, SOM_URDF_FRICTION_MIXED, (SomSpan){0},
                   "%d link%s of the URDF join%s links with different frictions, '%.*s'%s", mixed,
                   mixed == 1 ? "" : "s", mixed == 1 ? "s" : "",
                   SOM_STR_ARG(model->bodies[first].name), mixed == 1 ? "" : " the first");
    }
}

// ---- loops and docks

static void begin_note(SomText *text, const char *kind, SomStr name) {
    som_text_clear(text);
    som_text_printf(text, "<somite:%s name=\"%.*s\"", kind, SOM_STR_ARG(name));
}

static void end_note(SomText *text, const SomBodyModel *model, int a, SomPose pose, int b,
                     SomXmlWriter *xml) {
    double numbers[6];
    som_urdf_pose_numbers(som_urdf_between(model, a, pose, b), numbers);
    som_text_printf(text, " a=\"%.*s\" b=\"%.*s\"", SOM_STR_ARG(model->bodies[a].name),
                    SOM_STR_ARG(model->bodies[b].name));
    for (int i = 0; i < 6; i++) {
        som_text_add(text, i == 0   ? SOM_STR(" xyz=\"")
                           : i == 3 ? SOM_STR("\" rpy=\"")
                                    : SOM_STR(" "));
        som_text_number(text, numbers[i] == 0 ? 0 : numbers[i]);
    }
    som_text_add(text, SOM_STR("\"/>"));
    som_xml_comment(xml, som_text_str(text));
}

void som_urdf_write_welds(const SomBodyModel *model, SomXmlWriter *xml) {
    SomText text = {0};
    for (int i = 0; i < model->weld_count; i++) {
        const SomBodyWeld *weld = &model->welds[i];
        begin_note(&text, weld->dock >= 0 ? "dock" : "closure", weld->name);
        if (weld->dock >= 0) {
            som_text_add(&text, weld->is_held ? SOM_STR(" closed=\"true\"")
                                              : SOM_STR(" closed=\"false\""));
        }
        end_note(&text, model, weld->body_a, weld->pose, weld->body_b, xml);
    }
    for (int i = 0; i < model->joint_count; i++) {
        const SomBodyJoint *joint = &model->joints[i];
        if (joint->dock >= 0) {
            SomPose pose = som_pose_relative(model->bodies[joint->parent].pose,
                                             model->bodies[joint->child].pose);
            begin_note(&text, "dock", joint->name);
            som_text_printf(&text, " closed=\"true\" joint=\"%.*s\"", SOM_STR_ARG(joint->name));
            end_note(&text, model, joint->parent, pose, joint->child, xml);
        }
    }
    som_text_free(&text);
}

// ---- warnings

static void warn_of_loops(const SomBodyModel *model, SomDiagnostics *diags) {
    const SomBodyWeld *first = NULL;
    int loops = 0, passive = 0;
    for (int i = 0; i < model->weld_count; i++) {
        if (model->welds[i].is_held && model->welds[i].body_a != model->welds[i].body_b) {
            first = first == NULL ? &model->welds[i] : first;
            loops++;
        }
    }
    if (loops == 0) {
        return;
    }
    bool *follows = som_urdf_followers(model);
    for (int i = 0; i < model->joint_count; i++) {
        passive += follows[i];
    }
    som_free(follows);
    som_report(diags, SOM_URDF_LOOPS_CUT, first->span,
               "%d loop%s cut, at '%.*s'%s; %d joint%s that follow%s %s passive in the SRDF", loops,
               loops == 1 ? " is" : "s are", SOM_STR_ARG(first->path),
               loops == 1 ? "" : " the first", passive, passive == 1 ? "" : "s",
               passive == 1 ? "s" : "", passive == 1 ? "is" : "are");
}

static void warn_of_docks(const SomConfiguration *c, SomDiagnostics *diags) {
    if (c->dock_count > 0) {
        som_report(diags, SOM_URDF_DOCKS_STAY, c->docks[0].span,
                   "%d dock%s as the design starts: '%.*s'%s %s", c->dock_count,
                   c->dock_count == 1 ? " stays" : "s stay", SOM_STR_ARG(c->docks[0].path),
                   c->dock_count == 1 ? "" : ", the first,",
                   c->docks[0].is_closed ? "closed" : "open");
    }
}

static void warn_of_motors(const SomBodyModel *model, SomDiagnostics *diags) {
    const SomBodyJoint *first = NULL;
    int count = 0;
    for (int i = 0; i < model->joint_count; i++) {
        const SomBodyJoint *joint = &model->joints[i];
        if (joint->dof >= 0 && (!(joint->effort > 0) || !(joint->speed > 0))) {
            first = first == NULL ? joint : first;
            count++;
        }
    }
    if (count > 0) {
        SomText text = {0};
        som_text_number(&text, som_body_joint_effort(model, first));
        som_text_add(&text, first->type == SOM_JOINT_PRISMATIC ? SOM_STR(" N and ")
                                                               : SOM_STR(" N m and "));
        som_text_number(&text, som_body_joint_speed(first));
        som_text_add(&text,
                     first->type == SOM_JOINT_PRISMATIC ? SOM_STR(" m/s") : SOM_STR(" rad/s"));
        som_report(diags, SOM_URDF_MOTOR_UNKNOWN,
                   som_configuration_joint(model->mechanism->configuration, first->dof)->span,
                   "%d joint%s no effort or no speed: '%.*s'%s is written with %s", count,
                   count == 1 ? " has" : "s have", SOM_STR_ARG(first->path),
                   count == 1 ? "" : ", the first,", text.data);
        som_text_free(&text);
    }
}

typedef struct Rest {
    const char *what, *of; // "the gains of", "joint"
    int count;
} Rest;

// What has no place in the file, each kind once.
static void warn_of_rest(const SomBodyModel *model, SomDiagnostics *diags) {
    enum { ACCELERATIONS, GAINS, TOLERANCES, FIXED, SDF, KINDS };
    Rest rest[KINDS] = {{"the acceleration of", "joint", 0},
                        {"the gains of", "joint", 0},
                        {"the tolerance of", "joint", 0},
                        {"what was kept of fixed", "joint", 0},
                        {"what was kept of SDF in", "element", 0}};
    const SomMechanism *m = model->mechanism;
    for (int i = 0; i < model->joint_count; i++) {
        const SomBodyJoint *joint = &model->joints[i];
        rest[ACCELERATIONS].count += joint->acceleration > 0;
        rest[GAINS].count += joint->gains[0] != 0 || joint->gains[1] != 0 || joint->gains[2] != 0;
        rest[TOLERANCES].count += joint->dof >= 0 && joint->joint->tolerance > 0;
    }
    for (int i = 0; i < m->dof_count; i++) {
        const SomModuleJoint *joint = m->joints[i].joint;
        rest[FIXED].count += model->joint_of[i] < 0 && joint->kept.urdf.length > 0;
        rest[SDF].count += joint->kept.sdf.length > 0;
    }
    for (int i = 0; i < m->link_count; i++) {
        rest[SDF].count += m->links[i].link->kept.sdf.length > 0;
    }
    for (int i = 0; i < m->configuration->module_count; i++) {
        rest[SDF].count += m->configuration->modules[i].type->kept.sdf.length > 0;
    }
    SomText text = {0};
    for (int i = 0; i < KINDS; i++) {
        if (rest[i].count > 0) {
            som_text_printf(&text, "%s%s %d %s%s", text.length > 0 ? ", " : "", rest[i].what,
                            rest[i].count, rest[i].of, rest[i].count == 1 ? "" : "s");
        }
    }
    if (text.length > 0) {
        som_report(diags, SOM_URDF_NOT_CARRIED, (SomSpan){0}, "not in the URDF: %s", text.data);
    }
    som_text_free(&text);
}

void som_urdf_warn(const SomBodyModel *model, SomDiagnostics *diags) {
    warn_of_loops(model, diags);
    warn_of_docks(model->mechanism->configuration, diags);
    warn_of_motors(model, diags);
    warn_of_rest(model, diags);
}
