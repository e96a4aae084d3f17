// SPDX-License-Identifier: Apache-2.0
#include "tests/verify/fcl_shapes.h"

#include <fcl/fcl.h>
#include <memory>
#include <vector>

struct FclShape {
    std::shared_ptr<fcl::CollisionGeometryd> geometry;
};

static std::shared_ptr<fcl::CollisionGeometryd> convex_of(const SomHull *hull) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (int i = 0; i < hull->vertex_count; i++) {
        vertices->emplace_back(hull->vertices[i].x, hull->vertices[i].y, hull->vertices[i].z);
    }
    auto faces = std::make_shared<std::vector<int>>();
    for (int i = 0; i < hull->triangle_count; i++) {
        faces->push_back(3);
        faces->insert(faces->end(), hull->triangles + 3 * i, hull->triangles + 3 * i + 3);
    }
    return std::make_shared<fcl::Convexd>(vertices, hull->triangle_count, faces);
}

static std::shared_ptr<fcl::CollisionGeometryd> geometry_of(const SomShape *shape) {
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return std::make_shared<fcl::Boxd>(2 * shape->half.x, 2 * shape->half.y, 2 * shape->half.z);
    case SOM_SHAPE_CYLINDER:
        return std::make_shared<fcl::Cylinderd>(shape->radius, 2 * shape->half_length);
    case SOM_SHAPE_SPHERE:
        return std::make_shared<fcl::Sphered>(shape->radius);
    case SOM_SHAPE_CAPSULE:
        return std::make_shared<fcl::Capsuled>(shape->radius, 2 * shape->half_length);
    case SOM_SHAPE_HULL:
        return convex_of(shape->hull);
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return nullptr;
}

FclShape *fcl_shape_create(const SomShape *shape) {
    return new FclShape{geometry_of(shape)};
}

void fcl_shape_destroy(FclShape *shape) {
    delete shape;
}

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

bool fcl_shapes_touch(const FclShape *a, const SomPose *pose_a, const FclShape *b,
                      const SomPose *pose_b) {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide(a->geometry.get(), transform_of(pose_a), b->geometry.get(),
                        transform_of(pose_b), request, result) > 0;
}
