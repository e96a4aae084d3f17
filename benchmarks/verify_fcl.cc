// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verify_peers.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace {

struct Peer {
    const SomVerifyWorkload *workload;
    SomVerifyScalar *scalar;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    fcl::DynamicAABBTreeCollisionManagerd manager;
    fcl::CollisionRequestd request;
    int hits = 0;
};

fcl::Transform3d transform_of(const SomVerifyLink *link, const SomPose *frame) {
    SomPose pose = som_verify_shape_pose(link, frame);
    fcl::Transform3d transform;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            transform.linear()(i, j) = pose.rotation.m[i][j];
        }
    }
    transform.translation() = fcl::Vector3d(pose.position.x, pose.position.y, pose.position.z);
    transform.makeAffine();
    return transform;
}

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(const SomVerifyLink *link) {
    if (link->is_box) {
        return std::make_shared<fcl::Boxd>(2 * link->half.x, 2 * link->half.y, 2 * link->half.z);
    }
    return std::make_shared<fcl::Cylinderd>(link->radius, 2 * link->half_length);
}

void *create(const SomVerifyWorkload *workload) {
    Peer *p = new Peer{workload, som_verify_scalar_create(workload), {}, {}, {}};
    som_verify_scalar_place(p->scalar, workload->values);
    for (int i = 0; i < workload->link_count; i++) {
        const SomVerifyLink *link = &workload->links[i];
        p->objects.emplace_back(new fcl::CollisionObjectd(
            geometry_of(link), transform_of(link, &som_verify_scalar_frames(p->scalar)[i])));
        p->objects.back()->setUserData(reinterpret_cast<void *>(static_cast<intptr_t>(i)));
        p->manager.registerObject(p->objects.back().get());
    }
    p->manager.setup();
    return p;
}

void destroy(void *peer) {
    Peer *p = static_cast<Peer *>(peer);
    som_verify_scalar_destroy(p->scalar);
    delete p;
}

bool meet(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *context) {
    Peer *p = static_cast<Peer *>(context);
    int i = static_cast<int>(reinterpret_cast<intptr_t>(a->getUserData()));
    int j = static_cast<int>(reinterpret_cast<intptr_t>(b->getUserData()));
    if (som_verify_is_tested(p->workload->links, i, j)) {
        fcl::CollisionResultd result;
        p->hits += fcl::collide(a, b, p->request, result) > 0;
    }
    return false;
}

void place(Peer *p, const double *values) {
    som_verify_scalar_place(p->scalar, values);
    const SomPose *frames = som_verify_scalar_frames(p->scalar);
    for (int i = 0; i < p->workload->link_count; i++) {
        p->objects[i]->setTransform(transform_of(&p->workload->links[i], &frames[i]));
    }
}

int find(void *peer, const double *values) {
    Peer *p = static_cast<Peer *>(peer);
    place(p, values);
    for (auto &object : p->objects) {
        object->computeAABB();
    }
    p->manager.update();
    p->hits = 0;
    p->manager.collide(p, meet);
    return p->hits;
}

} // namespace

extern "C" const SomVerifyPeer som_verify_fcl = {"FCL", create, find, destroy};

int som_verify_fcl_near(void *fcl, const double *values, double gap) {
    Peer *p = static_cast<Peer *>(fcl);
    place(p, values);
    const SomVerifyPair *pairs;
    int count = som_verify_scalar_pairs(p->scalar, gap, &pairs);
    int near = 0;
    fcl::DistanceRequestd request;
    for (int i = 0; i < count; i++) {
        fcl::DistanceResultd result;
        near += fcl::distance(p->objects[pairs[i].a].get(), p->objects[pairs[i].b].get(), request,
                              result) < gap;
    }
    return near;
}

SomVerifyScalar *som_verify_fcl_scalar(void *fcl) {
    return static_cast<Peer *>(fcl)->scalar;
}
