// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verify_peers.h"

#include <dart/collision/ode/ode.hpp>
#include <dart/dart.hpp>
#include <string>
#include <vector>

namespace {

struct Peer {
    dart::dynamics::SkeletonPtr skeleton;
    std::shared_ptr<dart::collision::CollisionGroup> group;
    dart::collision::CollisionOption option;
    dart::collision::CollisionResult result;
    std::vector<int> dofs; // of the workload, for each of the skeleton
    Eigen::VectorXd values;
};

Eigen::Isometry3d transform_of(const SomPose &pose) {
    Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            transform.linear()(i, j) = pose.rotation.m[i][j];
        }
    }
    transform.translation() = Eigen::Vector3d(pose.position.x, pose.position.y, pose.position.z);
    return transform;
}

// Names are its own business unless two are the same, of which it tells at length.
dart::dynamics::BodyNode *add_body(Peer *p, const SomVerifyLink *link,
                                   dart::dynamics::BodyNode *parent) {
    dart::dynamics::BodyNode::Properties body;
    body.mName = "b" + std::to_string(link->link);
    if (link->dof < 0) {
        dart::dynamics::WeldJoint::Properties weld;
        weld.mName = "w" + std::to_string(link->link);
        weld.mT_ParentBodyToJoint = transform_of(link->offset);
        return p->skeleton
            ->createJointAndBodyNodePair<dart::dynamics::WeldJoint>(parent, weld, body)
            .second;
    }
    dart::dynamics::RevoluteJoint::Properties hinge;
    hinge.mAxis = Eigen::Vector3d(0, 0, link->sign);
    hinge.mT_ParentBodyToJoint = transform_of(link->offset);
    hinge.mName = "j" + std::to_string(link->dof);
    p->dofs.push_back(link->dof);
    return p->skeleton
        ->createJointAndBodyNodePair<dart::dynamics::RevoluteJoint>(parent, hinge, body)
        .second;
}

void add_shape(const SomVerifyLink *link, dart::dynamics::BodyNode *body) {
    dart::dynamics::ShapePtr shape;
    if (link->is_box) {
        shape = std::make_shared<dart::dynamics::BoxShape>(
            2 * Eigen::Vector3d(link->half.x, link->half.y, link->half.z));
    } else {
        shape =
            std::make_shared<dart::dynamics::CylinderShape>(link->radius, 2 * link->half_length);
    }
    SomPose identity = som_pose_identity();
    body->createShapeNodeWith<dart::dynamics::CollisionAspect>(shape)->setRelativeTransform(
        transform_of(som_verify_shape_pose(link, &identity)));
}

void *create(const SomVerifyWorkload *workload) {
    Peer *p = new Peer;
    p->skeleton = dart::dynamics::Skeleton::create("robot");
    std::vector<dart::dynamics::BodyNode *> bodies;
    for (int i = 0; i < workload->link_count; i++) {
        const SomVerifyLink *link = &workload->links[i];
        bodies.push_back(add_body(p, link, link->parent < 0 ? nullptr : bodies[link->parent]));
        add_shape(link, bodies.back());
    }
    p->skeleton->enableSelfCollisionCheck();
    p->skeleton->disableAdjacentBodyCheck();
    p->values.resize(workload->dof_count);
    // joints are numbered in the order in which they were added to a tree
    for (size_t i = 0; i < p->dofs.size(); i++) {
        p->dofs[i] = std::stoi(p->skeleton->getDof(i)->getJoint()->getName().substr(1));
    }
    auto detector = dart::collision::OdeCollisionDetector::create();
    p->group = detector->createCollisionGroup(p->skeleton.get());
    // without contacts: which pairs touch is all that is asked for
    p->option = dart::collision::CollisionOption(
        false, 1000000, std::make_shared<dart::collision::BodyNodeCollisionFilter>());
    return p;
}

void destroy(void *peer) {
    delete static_cast<Peer *>(peer);
}

int find(void *peer, const double *values) {
    Peer *p = static_cast<Peer *>(peer);
    for (size_t i = 0; i < p->dofs.size(); i++) {
        p->values[static_cast<Eigen::Index>(i)] = values[p->dofs[i]];
    }
    p->skeleton->setPositions(p->values);
    p->result.clear();
    p->group->collide(p->option, &p->result);
    // it tells points, those of a pair after each other
    int hits = 0;
    const dart::collision::CollisionObject *a = nullptr, *b = nullptr;
    for (const dart::collision::Contact &contact : p->result.getContacts()) {
        hits += contact.collisionObject1 != a || contact.collisionObject2 != b;
        a = contact.collisionObject1;
        b = contact.collisionObject2;
    }
    return hits;
}

} // namespace

extern "C" const SomVerifyPeer som_verify_dart = {"DART + ODE", create, find, destroy};
