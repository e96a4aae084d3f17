// tests/plugins/gazebo_world.hh - a world for the plugin without a server: entities, components and
// topics of our own (tests/plugins/declarations), and joints that turn as they are told.
//
//     World world;
//     const sim::Entity model = world.Spawn(robot);   // loads the plugin of its element
//     world.Step(1000);                               // milliseconds
//     ck_assert_str_eq(world.crash.c_str(), "");
//
// Where a simulator would crash, `crash` says why. It does what gz-sim and its physics do there: a
// link that is attached to one that hangs on it, a link that hangs already, a fixed joint that is
// left when its model is removed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef SOMITE_FORTRESS
#include "tests/plugins/declarations/fortress.hh"
namespace sim = ignition::gazebo;
namespace gazebo = ignition;
#else
#include "tests/plugins/declarations/gz.hh"
namespace sim = gz::sim;
namespace gazebo = gz;
#endif

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

struct RobotLink {
    std::string name;
    gazebo::math::Pose3d pose;
};

struct RobotJoint {
    std::string name, parent, child;
    bool is_fixed;
};

struct Robot {
    std::string name;
    std::vector<RobotLink> links; // each with a collision NAME_shape
    std::vector<RobotJoint> joints;
    std::string element; // what is in <plugin>, as XML without entities
};

class World {
  public:
    sim::Entity Spawn(const Robot &robot);
    void Remove(sim::Entity model); // with the next step
    void Step(int count = 1);
    void Reset();  // as gz-sim 7 and later: all systems anew, entities as they were
    void Rewind(); // as Fortress: time goes back to zero, nothing else
    sim::Entity Find(sim::Entity model, const std::string &name) const;
    double Position(sim::Entity model, const std::string &joint) const;
    void Turn(sim::Entity model, const std::string &joint, double speed); // whatever is commanded
    int Holds() const; // fixed joints that there are, made by plugins
    double Force(sim::Entity model, const std::string &link) const; // in the last step, its length

    sim::EntityComponentManager ecm;
    std::string crash;
    bool has_physics{true}, is_paused{false};
    bool keeps_systems{false}; // of models that were removed, as Fortress did at first
    double stiffness{1};       // of what is commanded, joints move so much
    double load[3]{0, 0, 0};   // that fixed joints put on their child, in its frame
    std::vector<std::pair<std::string, std::string>> touching; // collisions

  private:
    struct Running {
        sim::Entity model;
        Robot robot;
        std::shared_ptr<sim::System> system;
    };
    void Build(sim::Entity model, const Robot &robot);
    void Load(sim::Entity model, const Robot &robot);
    void Update();
    void RemoveWhatWasRequested();
    void Attach();
    void MoveJoints();
    void FillSenses();
    bool HangsOn(sim::Entity link, sim::Entity top) const;

    double time{0};
    std::vector<Running> running;
    std::map<sim::Entity, sim::Entity> above;    // links, by the joint they hang on
    std::map<sim::Entity, sim::Entity> attached; // by the entity of the fixed joint: its child
    std::map<sim::Entity, double> positions;
    std::map<sim::Entity, double> forces; // of links
    std::vector<sim::Entity> joints;
};

// ---- topics

void clear_topics();
// A message of a type such as "gz.msgs.Double".
void send_number(const std::string &topic, const std::string &type, double value);
void send_request(const std::string &topic, const std::string &text); // from any thread
std::vector<std::string> heard_on(const std::string &topic);          // all messages there were
std::string last_on(const std::string &topic);                        // "" if there was none
int publishers_of(const std::string &topic);                          // that there are now
std::string console(); // all errors and notes that there were

sdf::ElementPtr element_of(const std::string &xml);
