// SPDX-License-Identifier: Apache-2.0
#include "plugins/gazebo/somite_player.hh"

#include <chrono>
#include <cmath>
#include <exception>

// This header defines a function: only one source file of a plugin can include it.
#ifdef SOMITE_FORTRESS
#include <ignition/plugin/Register.hh>
#define SOMITE_ADD_PLUGIN IGNITION_ADD_PLUGIN
#define SOMITE_ADD_PLUGIN_ALIAS IGNITION_ADD_PLUGIN_ALIAS
#else
#include <gz/plugin/Register.hh>
#define SOMITE_ADD_PLUGIN GZ_ADD_PLUGIN
#define SOMITE_ADD_PLUGIN_ALIAS GZ_ADD_PLUGIN_ALIAS
#endif

namespace somite {

bool Player::Fail(const std::string &why) {
    SOMITE_ERROR << "somite: model '" << this->name << "': " << why << "; the robot stands still"
                 << std::endl;
    this->trouble = this->trouble.empty() ? why : this->trouble;
    return false;
}

// Plays a behavior from its beginning, with joints and docks as they are.
std::string Player::Start(Behavior &next) {
    std::vector<const char *> names;
    for (const Contact &contact : this->contacts) {
        names.push_back(contact.name.c_str());
    }
    SomElement element{};
    SomElementFault why{};
    element.graph = &next.graph;
    element.dofs = this->dofs.data();
    element.dof_count = static_cast<std::int32_t>(this->dofs.size());
    element.welds = this->welds.data();
    element.weld_count = static_cast<std::int32_t>(this->welds.size());
    element.contacts = names.data();
    element.contact_count = static_cast<std::int32_t>(names.size());
    std::vector<std::int32_t> found(
        static_cast<std::size_t>(next.graph.symbol_count[SOM_SYMBOL_CONTACT]));
    if (!som_element_bind(&element, found.data(), &why)) {
        return words_of("graph", next.name.c_str(), why);
    }
    for (std::size_t i = 0; this->run != nullptr && i < this->welds.size(); i++) {
        this->welds[i].state = som_robot_run_holds(this->run)[i] ? SOM_DOCK_CLOSED : SOM_DOCK_OPEN;
    }
    const SomRobotRunDef def{&next.graph, this->dofs.data(), this->welds.data(),
                             element.weld_count};
    const std::size_t size = som_robot_run_size(&def);
    if (size == 0 || size > max_memory) {
        return "<graph> '" + next.name + "' is too large";
    }
    this->run_memory.assign(size / sizeof(double) + 1, 0);
    this->run = som_robot_run_init(this->run_memory.data(), size, &def, nullptr);
    if (this->run == nullptr) {
        this->is_sound = this->Fail("<graph> '" + next.name + "' is refused");
        return this->trouble;
    }
    for (std::size_t i = 0; i < this->welds.size(); i++) {
        if (this->holds[i].is_torn) {
            som_robot_run_tear(this->run, static_cast<std::int32_t>(i));
        }
    }
    if (this->has_started) {
        som_robot_run_place(this->run, this->positions.data());
    }
    this->behavior = &next;
    this->contact_of = std::move(found);
    this->touches.assign(this->contact_of.size() + 1, 0);
    this->inputs.assign(static_cast<std::size_t>(next.graph.symbol_count[SOM_SYMBOL_INPUT]) + 1, 0);
    for (std::int32_t i = 0; i < next.graph.symbol_count[SOM_SYMBOL_INPUT]; i++) {
        if (som_graph_source(&next.graph, i).kind != SOM_SOURCE_UNKNOWN) {
            this->inputs[static_cast<std::size_t>(i)] = NAN; // the player asks the source
        }
    }
    this->asks_efforts =
        this->trace.file != nullptr || som_graph_senses(&next.graph, SOM_INSTRUCTION_EFFORT);
    this->asks_body = this->trace.file != nullptr || next.graph.symbol_count[SOM_SYMBOL_DOCK] > 0 ||
                      som_graph_senses(&next.graph, SOM_INSTRUCTION_HEIGHT) ||
                      som_graph_senses(&next.graph, SOM_INSTRUCTION_TILT);
    this->watch = SomRobotWatch{};
    this->pieces.assign(this->pieces.size(), {});
    this->last_status = SOM_PLAYER_READY;
    this->last_outcome.clear();
    return "";
}

void Player::Configure(const sim::Entity &entity,
                       const std::shared_ptr<const sdf::Element> &element,
                       sim::EntityComponentManager &ecm, sim::EventManager &) {
    try {
        this->model = sim::Model(entity);
        if (!this->model.Valid(ecm)) {
            SOMITE_ERROR << "somite: the plugin belongs into a <model>" << std::endl;
            return;
        }
        this->name = this->model.Name(ecm);
        const bool is_read = this->Read(*element), is_bound = this->Bind(ecm);
        const std::size_t dof_count = this->dofs.size();
        this->positions.resize(dof_count + 1);
        this->speeds.resize(dof_count + 1);
        this->efforts.resize(dof_count + 1);
        this->gaps.resize(this->welds.size() + 1);
        this->places.resize(this->bodies.size() + 1);
        this->FindPieces();
        this->Listen(); // what stands still says why, when it is asked to move
        if (!is_read || !is_bound) {
            return;
        }
        const std::string why = this->Start(this->behaviors.front());
        if (!why.empty()) {
            this->Fail(why);
            return;
        }
        this->is_sound = true;
        this->OpenTrace();
        SOMITE_NOTE << "somite: model '" << this->name << "' plays '" << this->behavior->name << "'"
                    << std::endl;
    } catch (const std::exception &error) {
        this->is_sound = this->Fail(error.what());
    }
}

// ---- a step

// In place where there is one already: this runs for each joint in each step.
template <typename C>
static void command(sim::EntityComponentManager &ecm, sim::Entity joint, double value) {
    auto *component = ecm.Component<C>(joint);
    if (component != nullptr && component->Data().size() == 1) {
        component->Data()[0] = value;
    } else {
        ecm.SetComponentData<C>(joint, {value});
    }
}

void Player::Command(sim::EntityComponentManager &ecm, double dt) {
    for (std::size_t i = 0; i < this->joints.size(); i++) {
        const double effort = som_robot_run_efforts(this->run)[i];
        if (this->joints[i] == sim::kNullEntity) {
            continue;
        }
        if (std::isfinite(effort)) {
            command<components::JointForceCmd>(ecm, this->joints[i], effort);
        } else {
            command<components::JointVelocityCmd>(ecm, this->joints[i],
                                                  som_robot_run_speeds(this->run)[i]);
        }
    }
    this->HoldWelds(ecm, dt);
}

void Player::StandStill(sim::EntityComponentManager &ecm) {
    for (const sim::Entity joint : this->joints) {
        if (joint != sim::kNullEntity) {
            command<components::JointVelocityCmd>(ecm, joint, 0);
        }
    }
}

// The model was removed. Early versions keep its plugins: one that is spawned again has its own.
void Player::Leave(sim::EntityComponentManager &ecm) {
    this->is_gone = true;
    this->is_sound = false;
    this->publisher = transport::Node::Publisher();
    this->answers = transport::Node::Publisher();
    this->node.reset();
    this->trace_file.Close();
    for (const Hold &hold : this->holds) {
        if (hold.joint != sim::kNullEntity && ecm.HasEntity(hold.joint)) {
            ecm.RequestRemoveEntity(hold.joint);
        }
    }
}

// The world was set back, and this plugin was not made anew: the behavior begins again, with joints
// and docks as they are, and a trace of its own.
void Player::Rewind() {
    this->has_started = true; // joints are where they were sensed
    for (Hold &hold : this->holds) {
        hold.is_torn = false;
    }
    const std::string why = this->Start(this->behaviors.front());
    this->has_started = false;
    this->next_state = this->next_row = this->next_body = 0;
    this->sensed_steps = 0;
    this->touching.clear();
    this->is_sound = why.empty() || this->Fail(why);
    this->OpenTrace();
}

// Once a step, from where it starts on.
bool Player::Falls() {
    this->held_pieces.clear();
    for (std::size_t i = 0; i < this->welds.size(); i++) {
        if (som_robot_run_holds(this->run)[i] != 0) {
            this->held_pieces.push_back(this->weld_pieces[i]);
        }
    }
    const SomPieceStep now{this->bodies.data(),
                           this->places.data(),
                           static_cast<std::int32_t>(this->bodies.size()),
                           this->held_pieces.data(),
                           static_cast<std::int32_t>(this->held_pieces.size()),
                           &this->fall};
    return som_piece_watch_step(this->pieces.data(), static_cast<std::int32_t>(this->pieces.size()),
                                &now) >= 0;
}

// What becomes of the behavior while it is played. Once it is over, its outcome stays.
void Player::Watch(const sim::EntityComponentManager &ecm, double dt) {
    if (this->IsOver()) {
        return;
    }
    this->sensed_steps += this->is_sensed ? 1 : 0;
    this->SenseCollisions(ecm);
    this->watch.has_fallen = this->Falls() || this->watch.has_fallen;
    som_robot_watch_step(&this->watch, this->run, &this->senses, this->is_sensed, dt);
}

bool Player::IsSane() const {
    bool is_sane =
        som_robot_senses_are_sound(&this->senses, static_cast<std::int32_t>(this->dofs.size()));
    for (int i = 0; i < 3; i++) {
        const double away = this->body.base.position[i] - this->body_at_start.base.position[i];
        is_sane = is_sane && std::abs(away) < SOM_DIVERGED_DISTANCE;
    }
    return is_sane;
}

void Player::Step(double time, double dt, sim::EntityComponentManager &ecm) {
    this->Sense(ecm, time);
    if (time < this->last_time - 1e-9) {
        this->Rewind();
        this->Sense(ecm, time);
    }
    this->last_time = time;
    if (!this->has_started) {
        this->has_started = true;
        this->body_at_start = this->body;
    }
    if (this->Obey()) {
        this->Sense(ecm, time); // another behavior has other senses
    }
    if (!this->is_sound) {
        this->StandStill(ecm);
        return;
    }
    if (!this->IsSane()) {
        this->watch.has_diverged = !this->IsOver();
        this->Tell(time);
        this->is_sound = this->Fail("the physics has left all bounds");
        this->StandStill(ecm);
        return;
    }
    this->BreakDocks(ecm, dt);
    som_robot_run_play(this->run, &this->senses, dt);
    this->Watch(ecm, dt);
    this->Tell(time);
    this->Record(time);
    som_robot_run_drive(this->run, &this->senses, this->gaps.data(), dt);
    this->Command(ecm, dt);
}

void Player::PreUpdate(const sim::UpdateInfo &info, sim::EntityComponentManager &ecm) {
    try {
        if (this->is_gone || this->node == nullptr) {
            return;
        }
        if (!this->model.Valid(ecm)) {
            this->Leave(ecm);
            return;
        }
        const double dt = std::chrono::duration<double>(info.dt).count();
        this->AnswerDropped();
        if (info.paused || !(dt > 0)) {
            return;
        }
        if (this->is_sound) {
            const double now = std::chrono::duration<double>(info.simTime).count();
            this->Step(now - dt, dt, ecm); // which begins
        } else {
            this->Obey(); // refuses
            this->StandStill(ecm);
        }
    } catch (const std::exception &error) {
        this->is_sound = this->Fail(error.what());
    }
}

} // namespace somite

SOMITE_ADD_PLUGIN(somite::Player, sim::System, somite::Player::ISystemConfigure,
                  somite::Player::ISystemPreUpdate)
SOMITE_ADD_PLUGIN_ALIAS(somite::Player, "somite::Player")
