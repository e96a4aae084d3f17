// SPDX-License-Identifier: Apache-2.0
#include "compose/dock_reach.h"

#include <math.h>

typedef struct Ball {
    SomVec3 center; // in the world
    double radius;
} Ball;

// Where a connector can be; its point is followed through the links up to the root.
static Ball ball_of(const SomMechanism *m, const SomPose *links, int module, int connector) {
    const SomConnector *k = &m->configuration->modules[module].type->connectors[connector];
    int link = som_mechanism_link_of(m, module, k->link);
    Ball ball = {k->has_frame ? k->frame.position : k->position, 0};
    for (; m->links[link].parent >= 0; link = m->links[link].parent) {
        const SomMechanismLink *l = &m->links[link];
        if (l->type == SOM_JOINT_PRISMATIC) {
            const SomModuleJoint *joint = m->joints[l->dof].joint;
            ball.radius += fmax(fabs(joint->low), fabs(joint->high));
        } else if (l->dof >= 0) {
            ball.radius += som_vec3_length(som_vec3_sub(ball.center, l->frame.position));
            ball.center = l->frame.position;
        } else if (l->connection >= 0) {
            ball.center = som_pose_apply(l->frame, ball.center);
        }
    }
    ball.center = som_pose_apply(links[link], ball.center);
    return ball;
}

double som_dock_least_distance(const SomMechanism *m, const SomPose *links, int dock) {
    const SomConnection *k = &m->configuration->docks[dock].connection;
    int a = m->links[m->first_link[k->module_a]].piece,
        b = m->links[m->first_link[k->module_b]].piece;
    if (a == b || !m->pieces[a].is_fixed || !m->pieces[b].is_fixed) {
        return 0;
    }
    Ball ball_a = ball_of(m, links, k->module_a, k->connector_a);
    Ball ball_b = ball_of(m, links, k->module_b, k->connector_b);
    double apart = som_vec3_length(som_vec3_sub(ball_a.center, ball_b.center));
    double least = apart - ball_a.radius - ball_b.radius;
    return least > 0 ? least : 0; // also where a slider has no limits
}
