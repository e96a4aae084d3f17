// SPDX-License-Identifier: Apache-2.0
// What holds links together that have no joint in the model: docks, and loops.
//
// The physics can fix a link to another one only if it hangs on nothing and the other does not hang
// on it: else Gazebo's engines crash, or do nothing, each version in its own way. There the plugin
// holds it by a spring, as the embedded engine does. Faces that close are pulled into place by the
// spring first, since a fixed joint holds links as it finds them.

#include "plugins/gazebo/somite_player.hh"

#include <cmath>

namespace somite {

constexpr double aligned_gap = 1e-4;  // metre: near enough for a fixed joint
constexpr double aligned_turn = 1e-3; // sine of the angle, likewise
constexpr double aligned_after = 0.5; // seconds: as near as it gets

sim::Entity Player::TopOf(sim::Entity link) const {
    std::size_t steps = 0;
    for (auto at = this->above.find(link); at != this->above.end() && steps++ <= this->above.size();
         at = this->above.find(link)) {
        link = at->second;
    }
    return link;
}

void Player::ReportOpen(std::size_t weld, const std::string &why) {
    Hold &hold = this->holds[weld];
    if (!hold.is_reported) {
        hold.is_reported = true;
        SOMITE_ERROR << "somite: model '" << this->name << "': '" << this->welds[weld].name << "' "
                     << why << std::endl;
    }
    this->watch.has_opened =
        this->watch.has_opened || (this->welds[weld].dock == nullptr && !this->IsOver());
}

// False where the physics cannot have a fixed joint.
bool Player::Fix(sim::EntityComponentManager &ecm, std::size_t weld) {
    auto [parent, child] = this->sides[weld];
    Hold &hold = this->holds[weld];
    if (this->TopOf(parent) == this->TopOf(child)) {
        return false;
    }
    hold.is_swapped = this->TopOf(child) != child;
    if (hold.is_swapped) {
        std::swap(parent, child);
    }
    if (this->TopOf(child) != child) {
        return false;
    }
    // With the model as its parent it is removed together with it. As a joint with this component,
    // the physics says what it carries.
    hold.joint = ecm.CreateEntity();
    ecm.SetParentEntity(hold.joint, this->model.Entity());
    ecm.CreateComponent(hold.joint, components::Joint());
    ecm.CreateComponent(hold.joint, components::DetachableJoint({parent, child, "fixed"}));
    ecm.CreateComponent(hold.joint, components::JointTransmittedWrench());
    this->above[child] = parent;
    hold.is_spring = false;
    return true;
}

void Player::Release(sim::EntityComponentManager &ecm, std::size_t weld) {
    Hold &hold = this->holds[weld];
    if (hold.joint != sim::kNullEntity) {
        const auto &[parent, child] = this->sides[weld];
        ecm.RequestRemoveEntity(hold.joint);
        this->above.erase(hold.is_swapped ? parent : child);
    }
    const bool is_torn = hold.is_torn;
    hold = Hold();
    hold.is_torn = is_torn;
}

void Player::Pull(sim::EntityComponentManager &ecm, std::size_t weld, double dt) {
    Hold &hold = this->holds[weld];
    const SomRobotWeld &its = this->welds[weld];
    const auto &[parent, child] = this->sides[weld];
    const SomBodyPlace at_parent = this->PlaceOf(parent, ecm), at_child = this->PlaceOf(child, ecm);
    hold.spring.aligns = this->TopOf(parent) != this->TopOf(child); // else it stays a spring
    const double gap = som_weld_gap(&its, &at_parent, &at_child);
    if (!som_weld_spring_pull(&its, &hold.spring, &at_parent, &at_child, dt, &hold.pull)) {
        if (!this->Fix(ecm, weld)) {
            this->ReportOpen(weld, "closes a loop and cannot be held without a mass and an inertia "
                                   "in its <weld>; export the design again");
        }
        return;
    }
    const double *turn = hold.spring.turn;
    const bool is_aligned =
        gap <= aligned_gap && std::hypot(turn[0], turn[1], turn[2]) <= aligned_turn;
    hold.since += dt;
    if (som_weld_spring_is_far(&hold.spring)) {
        this->ReportOpen(weld, "cannot be held: its two links are too far from each other");
        return;
    }
    if ((is_aligned || hold.since >= aligned_after) && this->Fix(ecm, weld)) {
        return;
    }
    if (its.dock == nullptr && hold.since >= SOM_OPEN_SETTLES && !(gap <= SOM_OPEN_GAP)) {
        this->ReportOpen(weld, "is open, where the design has a closed loop");
    }
    const auto pull = [&](sim::Entity link, const SomBodyPlace &place, double sign) {
        const double *at = hold.pull.at, *f = hold.pull.force, *t = hold.pull.torque;
        const double arm[3] = {at[0] - place.position[0], at[1] - place.position[1],
                               at[2] - place.position[2]};
        const math::Vector3d force(sign * f[0], sign * f[1], sign * f[2]);
        const math::Vector3d torque(sign * (t[0] + arm[1] * f[2] - arm[2] * f[1]),
                                    sign * (t[1] + arm[2] * f[0] - arm[0] * f[2]),
                                    sign * (t[2] + arm[0] * f[1] - arm[1] * f[0]));
        sim::Link(link).AddWorldWrench(ecm, force, torque);
    };
    pull(child, at_child, 1);
    pull(parent, at_parent, -1);
}

void Player::HoldWeld(sim::EntityComponentManager &ecm, std::size_t weld, double dt) {
    const auto &[parent, child] = this->sides[weld];
    Hold &hold = this->holds[weld];
    if (parent == sim::kNullEntity || parent == child || !ecm.HasEntity(parent) ||
        !ecm.HasEntity(child)) { // one link with itself: nothing to hold
        return;
    }
    if (som_robot_run_holds(this->run)[weld] == 0) {
        if (hold.is_spring || hold.joint != sim::kNullEntity) {
            this->Release(ecm, weld);
        }
    } else if (hold.joint == sim::kNullEntity) {
        hold.is_spring = true;
        this->Pull(ecm, weld, dt);
    }
}

void Player::HoldWelds(sim::EntityComponentManager &ecm, double dt) {
    for (std::size_t i = 0; i < this->welds.size(); i++) {
        this->HoldWeld(ecm, i, dt);
    }
}

// Docks that carried more than their connectors hold in the last step are torn off, for good.
void Player::BreakDocks(const sim::EntityComponentManager &ecm, double dt) {
    for (std::size_t i = 0; i < this->welds.size(); i++) {
        const SomRobotWeld &weld = this->welds[i];
        Hold &hold = this->holds[i];
        if (weld.dock == nullptr || (!hold.is_spring && hold.joint == sim::kNullEntity)) {
            continue;
        }
        const auto &[parent, child] = this->sides[i];
        const SomBodyPlace place = this->PlaceOf(child, ecm);
        SomBodyLoad load = hold.pull;
        if (!hold.is_spring) { // at the origin of the joint's child, in its frame
            const auto *wrench = ecm.Component<components::JointTransmittedWrench>(hold.joint);
            if (wrench == nullptr) {
                continue;
            }
            const SomBodyPlace at = hold.is_swapped ? this->PlaceOf(parent, ecm) : place;
            const auto &f = wrench->Data().force(), &t = wrench->Data().torque();
            const double sign = hold.is_swapped ? -1 : 1;
            const double force[3] = {sign * f.x(), sign * f.y(), sign * f.z()};
            const double torque[3] = {sign * t.x(), sign * t.y(), sign * t.z()};
            load = {{at.position[0], at.position[1], at.position[2]}, {0, 0, 0}, {0, 0, 0}};
            som_body_place_rotate(&at, force, load.force);
            som_body_place_rotate(&at, torque, load.torque);
        }
        if (som_dock_load_step(&weld.limits, &hold.load, &load, &place, dt)) {
            SOMITE_ERROR << "somite: model '" << this->name << "': dock '" << weld.dock
                         << "' broke after " << som_player_time(som_robot_run_shown(this->run))
                         << " s: tension " << hold.load.means[0] << " N, shear "
                         << hold.load.means[1] << " N, bending " << hold.load.means[2] << " N m"
                         << std::endl;
            hold.is_torn = true;
            this->watch.has_broken = this->watch.has_broken || !this->IsOver();
            som_robot_run_tear(this->run, static_cast<std::int32_t>(i));
        }
    }
}

} // namespace somite
