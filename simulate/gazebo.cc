// SPDX-License-Identifier: Apache-2.0
// Gazebo's own physics behind simulate/engine.h: libsdformat reads the world, ign-physics with its
// DART plugin moves it. C++ because these libraries are.

#include "base/codes/simulate_codes.h"
#include "player/weld_spring.h"
#include "simulate/engine_internal.h"

#include <algorithm>
#include <chrono>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/constraint/WeldJointConstraint.hpp>
#include <ignition/physics/FeatureList.hh>
#include <ignition/physics/ForwardStep.hh>
#include <ignition/physics/FrameSemantics.hh>
#include <ignition/physics/GetContacts.hh>
#include <ignition/physics/GetEntities.hh>
#include <ignition/physics/Joint.hh>
#include <ignition/physics/RequestEngine.hh>
#include <ignition/physics/Shape.hh>
#include <ignition/physics/config.hh>
#include <ignition/physics/dartsim/World.hh>
#include <ignition/physics/sdf/ConstructCollision.hh>
#include <ignition/physics/sdf/ConstructJoint.hh>
#include <ignition/physics/sdf/ConstructLink.hh>
#include <ignition/physics/sdf/ConstructModel.hh>
#include <ignition/physics/sdf/ConstructNestedModel.hh>
#include <ignition/physics/sdf/ConstructWorld.hh>
#include <ignition/plugin/Loader.hh>
#include <ignition/plugin/PluginPtr.hh>
#include <memory>
#include <optional>
#include <sdf/Console.hh>
#include <sdf/Root.hh>
#include <sdf/World.hh>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

namespace physics = ignition::physics;

struct Features : physics::FeatureList<
                      physics::GetEntities, physics::ForwardStep, physics::sdf::ConstructSdfWorld,
                      physics::GetBasicJointState, physics::GetBasicJointProperties,
                      physics::SetJointVelocityCommandFeature, physics::GetJointTransmittedWrench,
                      physics::LinkFrameSemantics, physics::JointFrameSemantics,
                      physics::GetContactsFromLastStepFeature, physics::dartsim::RetrieveWorld> {};

using Engine = physics::Engine3dPtr<Features>;
using World = physics::World3dPtr<Features>;
using Model = physics::Model3dPtr<Features>;
using Link = physics::Link3dPtr<Features>;
using Joint = physics::Joint3dPtr<Features>;
using Shape = physics::Shape3dPtr<Features>;
using ContactPoint = physics::World3d<Features>::ContactPoint;
using ExtraContactData = physics::World3d<Features>::ExtraContactData;

constexpr char dart_plugin[] =
    IGNITION_PHYSICS_ENGINE_INSTALL_DIR "/libignition-physics-dartsim-plugin.so";

// Two bodies of DART held together, which must not be in one tree; remembers what that takes.
class Weld : public dart::constraint::WeldJointConstraint {
  public:
    using WeldJointConstraint::WeldJointConstraint;

    Eigen::Vector6d impulse = Eigen::Vector6d::Zero(); // on the first body, in its frame

  protected:
    void applyImpulse(double *lambda) override {
        impulse = Eigen::Map<Eigen::Vector6d>(lambda);
        WeldJointConstraint::applyImpulse(lambda);
    }
};

struct Gazebo {
    SomEngine base{}; // first
    ignition::plugin::Loader loader;
    Engine engine;
    World world;
    std::vector<Joint> joints;                // empty where a joint is fixed
    std::vector<Link> links;                  // one a body
    std::vector<std::shared_ptr<Weld>> welds; // those that hold ...
    // ... and those that close a loop: there joints and welds say some things twice, and DART's
    // solver explodes
    std::vector<std::optional<SomWeldSpring>> springs;
    SomRobotWeld *held = nullptr;                  // one a weld
    std::vector<dart::dynamics::BodyNode *> nodes; // one a body, if there are welds
    double dt;
    std::unordered_map<std::size_t, int> shapes; // of the model, by the entity
    physics::ForwardStep::Input input;
    physics::ForwardStep::State state;
    physics::ForwardStep::Output output;
};

Gazebo *gazebo_of(SomEngine *engine) {
    return reinterpret_cast<Gazebo *>(engine);
}

std::string text_of(SomStr text) {
    return std::string(text.data, text.length);
}

// ---- reading

SomPose pose_of(const Eigen::Isometry3d &pose) {
    SomPose ours = som_pose_identity();
    const Eigen::Quaterniond turned(pose.linear());
    ours.rotation = som_quat_to_rotation({turned.x(), turned.y(), turned.z(), turned.w()});
    ours.position =
        som_vec3(pose.translation().x(), pose.translation().y(), pose.translation().z());
    return ours;
}

Eigen::Isometry3d isometry_of(SomPose pose) {
    const SomQuat turned = som_quat_from_rotation(pose.rotation);
    Eigen::Isometry3d theirs = Eigen::Isometry3d::Identity();
    theirs.linear() = Eigen::Quaterniond(turned.w, turned.x, turned.y, turned.z).toRotationMatrix();
    theirs.translation() = Eigen::Vector3d(pose.position.x, pose.position.y, pose.position.z);
    return theirs;
}

// The torque or force along the joint's axis, of what the parent gives to the child.
double effort_of(const Gazebo &g, int index) {
    const SomBodyJoint &joint = g.base.model->joints[index];
    const SomVec3 axis = som_pose_rotate(g.base.poses[joint.child], joint.axis);
    const auto wrench = g.joints[index]->GetTransmittedWrench(g.joints[index]->GetFrameID(),
                                                              physics::FrameID::World());
    const Eigen::Vector3d along = joint.type == SOM_JOINT_PRISMATIC
                                      ? Eigen::Vector3d(wrench.force)
                                      : Eigen::Vector3d(wrench.torque);
    return along.x() * axis.x + along.y() * axis.y + along.z() * axis.z;
}

// Of the model; -1 if it is none of it.
int shape_of(const Gazebo &g, const Shape &shape) {
    const auto found = g.shapes.find(shape->EntityID());
    return found != g.shapes.end() ? found->second : -1;
}

void read_contacts(Gazebo *g) {
    g->base.contacts.count = 0;
    for (const auto &contact : g->world->GetContactsFromLastStep()) {
        const auto &point = contact.Get<ContactPoint>();
        const auto *extra = contact.Query<ExtraContactData>();
        som_engine_add_contact(&g->base, shape_of(*g, point.collision1),
                               shape_of(*g, point.collision2),
                               som_vec3(point.point.x(), point.point.y(), point.point.z()),
                               extra != nullptr ? std::abs(extra->force.dot(extra->normal)) : NAN);
    }
}

// In DART the first body feels the impulse, and the second its opposite.
void read_loads(Gazebo *g) {
    for (std::size_t i = 0; i < g->welds.size(); i++) {
        if (!g->springs[i]) { // theirs is that of the last pull
            g->base.loads[i] = SomBodyLoad{};
        }
        if (g->welds[i]) {
            const SomPose a = g->base.poses[g->base.model->welds[i].body_a];
            const Eigen::Vector6d wrench = g->welds[i]->impulse / -g->dt;
            som_engine_set_load(&g->base, static_cast<int>(i), a.position,
                                som_pose_rotate(a, som_vec3(wrench[3], wrench[4], wrench[5])),
                                som_pose_rotate(a, som_vec3(wrench[0], wrench[1], wrench[2])));
        }
    }
}

void read_state(Gazebo *g, bool has_moved) {
    const SomBodyModel *model = g->base.model;
    for (int i = 0; i < model->body_count; i++) {
        const Eigen::Isometry3d pose = g->links[i]->FrameDataRelativeToWorld().pose;
        g->base.poses[i] = pose_of(pose);
    }
    for (int i = 0; i < model->joint_count; i++) {
        const bool moves = static_cast<bool>(g->joints[i]);
        // the joint is at zero where the file has it
        g->base.positions[i] = model->joints[i].start + (moves ? g->joints[i]->GetPosition(0) : 0);
        g->base.speeds[i] = moves ? g->joints[i]->GetVelocity(0) : 0;
        g->base.efforts[i] = moves && has_moved ? effort_of(*g, i) : 0;
    }
    read_loads(g);
    read_contacts(g);
}

// ---- the calls

void destroy(SomEngine *engine) {
    Gazebo *g = gazebo_of(engine);
    som_engine_finish(engine);
    som_free(g->held);
    delete g;
}

// The tree of a body, with all trees that welds hold together.
int tree_of(const Gazebo &g, int body) {
    const SomBodyModel *model = g.base.model;
    std::vector<int> tree(static_cast<std::size_t>(model->body_count));
    for (int i = 0; i < model->body_count; i++) {
        tree[i] = model->bodies[i].parent >= 0 ? tree[model->bodies[i].parent] : i;
    }
    for (std::size_t i = 0; i < g.welds.size(); i++) {
        if (g.welds[i]) {
            const int from = tree[model->welds[i].body_a], to = tree[model->welds[i].body_b];
            std::replace(tree.begin(), tree.end(), from, to);
        }
    }
    return tree[body];
}

SomBodyPlace place_of(const dart::dynamics::BodyNode *node) {
    const Eigen::Isometry3d &pose = node->getTransform();
    SomBodyPlace place;
    for (int i = 0; i < 3; i++) {
        place.position[i] = pose.translation()[i];
        for (int k = 0; k < 3; k++) {
            place.rotation[i][k] = pose.linear()(i, k);
        }
    }
    return place;
}

void pull(Gazebo *g, int weld) {
    const SomBodyWeld &ours = g->base.model->welds[weld];
    dart::dynamics::BodyNode *a = g->nodes[ours.body_a], *b = g->nodes[ours.body_b];
    const SomBodyPlace place_a = place_of(a), place_b = place_of(b);
    SomBodyLoad &load = g->base.loads[weld];
    som_weld_spring_pull(&g->held[weld], &*g->springs[weld], &place_a, &place_b, g->dt, &load);
    const Eigen::Vector3d at(load.at), force(load.force), torque(load.torque);
    b->addExtForce(force, at, false, false);
    a->addExtForce(-force, at, false, false);
    b->addExtTorque(torque, false);
    a->addExtTorque(-torque, false);
}

bool hold(SomEngine *engine, int weld, bool is_held) {
    Gazebo *g = gazebo_of(engine);
    const SomBodyWeld &ours = engine->model->welds[weld];
    auto *solver = g->world->GetDartsimWorld()->getConstraintSolver();
    std::shared_ptr<Weld> &held = g->welds[weld];
    std::optional<SomWeldSpring> &spring = g->springs[weld];
    if (is_held && !held && !spring) {
        if (tree_of(*g, ours.body_a) == tree_of(*g, ours.body_b)) {
            spring = SomWeldSpring{};
            return true;
        }
        held = std::make_shared<Weld>(g->nodes[ours.body_a], g->nodes[ours.body_b]);
        held->setRelativeTransform(isometry_of(ours.pose).inverse()); // of a in b
        solver->addConstraint(held);
    } else if (!is_held) {
        if (held) {
            solver->removeConstraint(held);
        }
        held.reset();
        spring.reset();
    }
    return true;
}

bool step(SomEngine *engine, const double *speeds) {
    Gazebo *g = gazebo_of(engine);
    for (int i = 0; i < engine->model->joint_count; i++) {
        // the engine forgets commands with each step
        if (g->joints[i] && engine->model->joints[i].dof >= 0) {
            g->joints[i]->SetVelocityCommand(0, speeds[i]);
        }
    }
    for (std::size_t i = 0; i < g->springs.size(); i++) {
        if (g->springs[i]) {
            pull(g, static_cast<int>(i));
        }
    }
    g->world->Step(g->output, g->state, g->input);
    read_state(g, true);
    return true;
}

const SomEngineCalls calls = {destroy, step, hold};

// ---- loading

bool refuse(SomDiagnostics *diags, const char *what, const std::string &why) {
    som_report(diags, SOM_ENGINE_REFUSED, {0, 0, 0}, "Gazebo's physics %s: %s", what, why.c_str());
    return false;
}

bool load_engine(Gazebo *g, SomDiagnostics *diags) {
    if (g->loader.LoadLib(dart_plugin).empty()) {
        return refuse(diags, "has no DART plugin", dart_plugin);
    }
    const auto able =
        g->loader
            .PluginsImplementing<physics::ForwardStep::Implementation<physics::FeaturePolicy3d>>();
    if (!able.empty()) {
        g->engine = physics::RequestEngine3d<Features>::From(g->loader.Instantiate(*able.begin()));
    }
    return g->engine || refuse(diags, "lacks a feature that is needed", dart_plugin);
}

bool load_world(Gazebo *g, SomStr text, SomDiagnostics *diags) {
    sdf::Root root;
    sdf::Console::Instance()->SetQuiet(true); // errors are ours to tell
    const sdf::Errors errors = root.LoadSdfString(text_of(text));
    if (!errors.empty()) {
        return refuse(diags, "does not load the world", errors.front().Message());
    }
    if (root.WorldCount() != 1) {
        return refuse(diags, "does not load the world", "there is none in the file");
    }
    g->world = g->engine->ConstructWorld(*root.WorldByIndex(0));
    return g->world || refuse(diags, "does not load the world", "the engine refused it");
}

// The model that has our bodies; the ground is another one.
Model find_model(Gazebo *g) {
    const std::string first = text_of(g->base.model->bodies[0].name);
    for (std::size_t i = 0; i < g->world->GetModelCount(); i++) {
        Model model = g->world->GetModel(i);
        if (model->GetLink(first)) {
            return model;
        }
    }
    return Model();
}

bool lacks(SomDiagnostics *diags, const char *what, SomStr name) {
    som_report(diags, SOM_ENGINE_LACKS, {0, 0, 0}, "the world has no %s '%.*s'", what,
               SOM_STR_ARG(name));
    return false;
}

// A hull is several collisions in SDF, named after it: "NAME_ball_3", "NAME_box".
std::string shape_name(const std::string &collision) {
    for (const char *ending : {"_ball_", "_box"}) {
        const auto at = collision.rfind(ending);
        if (at != std::string::npos) {
            return collision.substr(0, at);
        }
    }
    return collision;
}

void bind_shapes(Gazebo *g) {
    const SomBodyModel *ours = g->base.model;
    std::unordered_map<std::string, int> names;
    for (int i = 0; i < ours->shape_count; i++) {
        names[text_of(ours->shapes[i].name)] = i;
    }
    for (const Link &link : g->links) {
        for (std::size_t i = 0; i < link->GetShapeCount(); i++) {
            const Shape shape = link->GetShape(i);
            auto found = names.find(shape->GetName());
            if (found == names.end()) {
                found = names.find(shape_name(shape->GetName()));
            }
            if (found != names.end()) {
                g->shapes[shape->EntityID()] = found->second;
            }
        }
    }
}

// The bodies of DART itself, in the skeleton of our model.
bool bind_welds(Gazebo *g, const std::string &name, SomDiagnostics *diags) {
    const SomBodyModel *ours = g->base.model;
    const auto skeleton = g->world->GetDartsimWorld()->getSkeleton(name);
    for (int i = 0; ours->weld_count > 0 && i < ours->body_count; i++) {
        const std::string body = text_of(ours->bodies[i].name);
        g->nodes.push_back(skeleton ? skeleton->getBodyNode(body) : nullptr);
        if (g->nodes.back() == nullptr) {
            return lacks(diags, "body", ours->bodies[i].name);
        }
    }
    for (int i = 0; i < ours->weld_count; i++) {
        hold(&g->base, i, ours->welds[i].is_held);
    }
    return true;
}

bool bind(Gazebo *g, SomDiagnostics *diags) {
    const SomBodyModel *ours = g->base.model;
    const Model model = find_model(g);
    g->welds.resize(static_cast<std::size_t>(ours->weld_count));
    g->springs.resize(g->welds.size());
    g->held = som_body_model_welds(ours);
    for (int i = 0; i < ours->body_count; i++) {
        g->links.push_back(model ? model->GetLink(text_of(ours->bodies[i].name)) : Link());
        if (!g->links.back()) {
            return lacks(diags, "link", ours->bodies[i].name);
        }
    }
    bind_shapes(g);
    for (int i = 0; i < ours->joint_count; i++) {
        Joint joint = model->GetJoint(text_of(ours->joints[i].name));
        if (ours->joints[i].type != SOM_JOINT_FIXED && !joint) {
            return lacks(diags, "joint", ours->joints[i].name);
        }
        g->joints.push_back(ours->joints[i].type != SOM_JOINT_FIXED ? joint : Joint());
    }
    return bind_welds(g, text_of(ours->name), diags);
}

} // namespace

// Gazebo's libraries profile themselves, in a thread of their own with a port open to everybody,
// into memory that grows with every step. They ask this function for a profiler, find it here
// before the one of theirs because the module is opened for all to see, and do without.
extern "C" __attribute__((visibility("default"))) int _rmt_CreateGlobalInstance(void **profiler) {
    *profiler = nullptr;
    return 0; // no error
}

// What the program finds in the module.
__attribute__((visibility("default"))) SomEngine *som_engine_create_gazebo(const SomEngineDef *def,
                                                                           SomDiagnostics *diags) {
    auto g = std::make_unique<Gazebo>();
    som_engine_init(&g->base, &calls, def->model);
    g->dt = def->step;
    g->input.Get<std::chrono::steady_clock::duration>() =
        std::chrono::nanoseconds(static_cast<std::int64_t>(def->step * 1e9 + 0.5));
    if (!load_engine(g.get(), diags) || !load_world(g.get(), def->world, diags) ||
        !bind(g.get(), diags)) {
        destroy(&g.release()->base);
        return nullptr;
    }
    read_state(g.get(), false);
    return &g.release()->base;
}
