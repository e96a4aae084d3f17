// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/peer_fcl.h"

#include <fcl/fcl.h>
#include <memory>

struct SomPeerFcl {
    std::shared_ptr<fcl::CollisionGeometryd> geometry;
};

static fcl::Transform3d transform_of(const SomPose *pose) {
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            transform.linear()(i, j) = pose->rotation.m[i][j];
        }
    }
    transform.translation() = fcl::Vector3d(pose->position.x, pose->position.y, pose->position.z);
    return transform;
}

SomPeerFcl *som_peer_fcl_box(SomVec3 size) {
    return new SomPeerFcl{std::make_shared<fcl::Boxd>(size.x, size.y, size.z)};
}

SomPeerFcl *som_peer_fcl_cylinder(double radius, double length) {
    return new SomPeerFcl{std::make_shared<fcl::Cylinderd>(radius, length)};
}

void som_peer_fcl_destroy(SomPeerFcl *peer) {
    delete peer;
}

double som_peer_fcl_distance(const SomPeerFcl *a, const SomPose *pose_a, const SomPeerFcl *b,
                             const SomPose *pose_b) {
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    return fcl::distance(a->geometry.get(), transform_of(pose_a), b->geometry.get(),
                         transform_of(pose_b), request, result);
}

int som_peer_fcl_touch(const SomPeerFcl *a, const SomPose *pose_a, const SomPeerFcl *b,
                       const SomPose *pose_b) {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide(a->geometry.get(), transform_of(pose_a), b->geometry.get(),
                        transform_of(pose_b), request, result) > 0;
}
