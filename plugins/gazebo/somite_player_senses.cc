// SPDX-License-Identifier: Apache-2.0
// What the physics says of joints, links and contacts.

#include "plugins/gazebo/somite_player.hh"

#include <algorithm>
#include <cmath>

namespace somite {

constexpr double body_every = 0.01; // seconds, if no condition asks where the body is
constexpr int start_steps = 3;      // in which contacts count as those of the start

SomBodyPlace Player::PlaceOf(sim::Entity link, const sim::EntityComponentManager &ecm) const {
    const auto *in_model = ecm.Component<components::Pose>(link);
    const math::Pose3d pose =
        in_model != nullptr ? this->model_pose * in_model->Data() : this->model_pose;
    const double position[3] = {pose.Pos().X(), pose.Pos().Y(), pose.Pos().Z()};
    const double turned[4] = {pose.Rot().X(), pose.Rot().Y(), pose.Rot().Z(), pose.Rot().W()};
    return som_body_place(position, turned);
}

template <typename C>
static double first_of(const sim::EntityComponentManager &ecm, sim::Entity entity,
                       double otherwise) {
    const auto *component = ecm.Component<C>(entity);
    return component != nullptr && !component->Data().empty() ? component->Data()[0] : otherwise;
}

void Player::SenseJoints(sim::EntityComponentManager &ecm) {
    bool has_joints = false;
    this->is_sensed = false;
    for (std::size_t i = 0; i < this->dofs.size(); i++) {
        const SomRobotDof &dof = this->dofs[i];
        const sim::Entity joint = this->joints[i];
        const bool moves = joint != sim::kNullEntity;
        const auto *turned = moves ? ecm.Component<components::JointPosition>(joint) : nullptr;
        const bool is_told = turned != nullptr && !turned->Data().empty();
        this->is_sensed = this->is_sensed || is_told;
        has_joints = has_joints || moves;
        this->positions[i] = dof.start + (is_told ? turned->Data()[0] : 0);
        this->speeds[i] = moves ? first_of<components::JointVelocity>(ecm, joint, 0) : 0;
        if (!moves || !this->asks_efforts) {
            continue;
        }
        enable<components::JointTransmittedWrench>(ecm, joint);
        const auto *load = ecm.Component<components::JointTransmittedWrench>(joint);
        if (load == nullptr) { // the joint was removed
            this->efforts[i] = NAN;
            continue;
        }
        const auto &f = load->Data().force(), &t = load->Data().torque();
        const double force[3] = {f.x(), f.y(), f.z()}, torque[3] = {t.x(), t.y(), t.z()};
        this->efforts[i] = som_robot_dof_effort(&dof, force, torque);
    }
    this->is_sensed = this->is_sensed || !has_joints;
}

void Player::SenseBody(const sim::EntityComponentManager &ecm) {
    for (std::size_t i = 0; i < this->links.size(); i++) {
        this->places[i] = this->PlaceOf(this->links[i], ecm);
    }
    this->body = som_body_senses(this->bodies.data(), this->places.data(),
                                 static_cast<std::int32_t>(this->bodies.size()));
    som_piece_places(this->bodies.data(), this->places.data(),
                     static_cast<std::int32_t>(this->bodies.size()), this->piece_places.data(),
                     static_cast<std::int32_t>(this->piece_places.size()));
    for (std::size_t i = 0; i < this->welds.size(); i++) {
        if (this->welds[i].parent != nullptr && this->welds[i].dock != nullptr) {
            const SomBodyPlace parent = this->PlaceOf(this->sides[i].first, ecm),
                               child = this->PlaceOf(this->sides[i].second, ecm);
            this->gaps[i] = som_weld_gap(&this->welds[i], &parent, &child);
        }
    }
}

void Player::SenseContacts(const sim::EntityComponentManager &ecm) {
    for (std::size_t i = 0; i < this->contact_of.size(); i++) {
        this->touches[i] = 0;
        for (const sim::Entity collision :
             this->contacts[static_cast<std::size_t>(this->contact_of[i])].collisions) {
            const auto *data = ecm.Component<components::ContactSensorData>(collision);
            this->touches[i] |= data != nullptr && data->Data().contact_size() > 0;
        }
    }
}

// Contacts of the robot with itself. Links that touch where it starts are made to.
void Player::SenseCollisions(const sim::EntityComponentManager &ecm) {
    for (const auto &[collision, group] : this->watched) {
        const auto *data = ecm.Component<components::ContactSensorData>(collision);
        const int count = data != nullptr ? data->Data().contact_size() : 0;
        for (int i = 0; i < count; i++) {
            const auto &contact = data->Data().contact(i);
            const sim::Entity first = contact.collision1().id(), second = contact.collision2().id();
            const auto other = this->group_of.find(first == collision ? second : first);
            if (other == this->group_of.end() || other->second == group) {
                continue;
            }
            const std::pair<int, int> pair = std::minmax(group, other->second);
            if (this->may_touch.count(pair) > 0 || !this->touching.insert(pair).second) {
                continue;
            }
            if (this->sensed_steps > start_steps && !this->watch.has_collided) {
                this->watch.has_collided = true;
                const auto *a = ecm.Component<components::Name>(collision);
                const auto *b = ecm.Component<components::Name>(other->first);
                SOMITE_ERROR << "somite: model '" << this->name << "': '"
                             << (a != nullptr ? a->Data() : "") << "' collided with '"
                             << (b != nullptr ? b->Data() : "") << "' after "
                             << som_player_time(som_robot_run_shown(this->run)) << " s"
                             << std::endl;
            }
        }
    }
}

// Of topics, as soon as something was received.
void Player::SenseInputs() {
    if (this->behavior == nullptr) {
        return;
    }
    const SomActionGraph &graph = this->behavior->graph;
    const std::lock_guard<std::mutex> lock(this->received->mutex);
    for (std::int32_t i = 0; i < graph.symbol_count[SOM_SYMBOL_INPUT]; i++) {
        const auto found = this->received->values.find(som_graph_topic(&graph, i));
        if (found != this->received->values.end()) {
            this->inputs[static_cast<std::size_t>(i)] = found->second;
        }
    }
}

void Player::Sense(sim::EntityComponentManager &ecm, double time) {
    this->model_pose = sim::worldPose(this->model.Entity(), ecm);
    this->SenseJoints(ecm);
    if (this->asks_body || !this->has_started || time >= this->next_body - 1e-9) {
        this->SenseBody(ecm);
        this->next_body = time + body_every;
    }
    this->SenseContacts(ecm);
    this->SenseInputs();
    this->senses.positions = this->positions.data();
    this->senses.speeds = this->speeds.data();
    this->senses.efforts = this->efforts.data();
    this->senses.contacts = this->touches.data();
    this->senses.inputs = this->inputs.data();
    this->senses.height = this->body.base.position[2];
    this->senses.tilt = this->body.tilt;
}

} // namespace somite
