// SPDX-License-Identifier: Apache-2.0
#include "studio/posture_pose.h"

#include "language/name.h"

#include <math.h>

// Values nearer than this are the same, in radians or metres.
#define SAME_VALUE 1e-9

static bool is_same(double a, double b) {
    return fabs(a - b) <= SAME_VALUE; // not of NAN
}

static double said_by(const SomNamedPose *pose, int dof) {
    bool is_its = dof >= pose->first_dof && dof < pose->first_dof + pose->dof_count;
    return is_its ? pose->values[dof - pose->first_dof] : (double)NAN;
}

static bool is_said(const SomConfiguration *c, int dof) {
    for (int i = 0; i < c->pose_count; i++) {
        if (c->poses[i].part == 0 && !isnan(said_by(&c->poses[i], dof))) {
            return true;
        }
    }
    return false;
}

static int find_own(const SomConfiguration *c, SomStr name) {
    SomText path = {0};
    som_name_print(&path, name);
    int pose = som_configuration_find_pose(c, som_text_str(&path));
    som_text_free(&path);
    return pose;
}

bool som_project_keep(SomProject *project, int part, SomStr name) {
    const SomModel *model = som_project_model(project);
    const SomConfiguration *c = model->configuration;
    if (c == NULL) {
        return false;
    }
    SOM_ARRAY(SomJointValue) values = {0};
    int pose = find_own(c, name);
    const SomPart *p = &c->parts[part];
    for (int dof = p->first_dof; dof < p->first_dof + p->dof_count; dof++) {
        double now = model->posture.values[dof];
        double said = pose >= 0 ? said_by(&c->poses[pose], dof) : (double)NAN;
        bool is_needed = isnan(said) ? now != 0 || is_said(c, dof) : !is_same(now, said);
        if (is_needed) {
            som_array_push(&values, ((SomJointValue){c->dofs[dof].path, now}));
        }
    }
    bool is_new = pose < 0;
    bool was_made =
        values.count == 0 && !is_new
            ? true // it says all that already
            : som_project_edited(project, som_design_set_values(som_project_design(project),
                                                                som_project_choice(project), name,
                                                                values.data, values.count));
    som_array_free(&values);
    return was_made;
}

static double value_in(const SomConfiguration *c, int pose, int dof) {
    if (pose == c->start_pose) {
        return c->start[dof]; // loops are closed there
    }
    double said = said_by(&c->poses[pose], dof);
    return isnan(said) ? 0 : said;
}

void som_project_show_pose(SomProject *project, int pose) {
    const SomConfiguration *c = som_project_model(project)->configuration;
    double *values = som_alloc(sizeof *values * (size_t)(c->dof_count > 0 ? c->dof_count : 1));
    for (int i = 0; i < c->dof_count; i++) {
        values[i] = value_in(c, pose, i);
    }
    som_project_set_posture(project, values);
    som_free(values);
}

bool som_project_pose_is_own(const SomProject *project, int pose) {
    return som_project_model(project)->configuration->poses[pose].part == 0;
}

bool som_project_pose_is_shown(const SomProject *project, int pose) {
    const SomModel *model = som_project_model(project);
    for (int i = 0; i < model->posture.count; i++) {
        if (!is_same(model->posture.values[i], value_in(model->configuration, pose, i))) {
            return false;
        }
    }
    return true;
}
