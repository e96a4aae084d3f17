// plugins/gazebo/somite_player.hh - the plugin somite::Player of a model: plays the action graph in
// its element in Gazebo. Glue: what is read, played, driven, held and reported is in player/; here
// are only Gazebo's own calls. docs/gazebo.md tells how to build and run it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/gazebo/gazebo_api.hh"
#include "plugins/gazebo/trace_file.hh"

#include "player/dock_load.h"
#include "player/element.h"
#include "player/piece_watch.h"
#include "player/robot_watch.h"
#include "player/weld_spring.h"

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace somite {

constexpr std::size_t max_requests = 64;      // that wait for a step
constexpr std::size_t max_request = 4096;     // bytes of one
constexpr std::size_t max_memory = 1UL << 30; // bytes of a graph, or of its player

// An element's attributes, and the memory of their texts.
class Attributes {
  public:
    explicit Attributes(const sdf::Element &element, std::list<std::string> &texts) {
        for (unsigned i = 0; i < element.GetAttributeCount(); i++) {
            const auto attribute = element.GetAttribute(i);
            texts.push_back(attribute->GetKey());
            const char *name = texts.back().c_str();
            texts.push_back(attribute->GetAsString());
            this->all.push_back({name, texts.back().c_str()});
        }
    }
    const SomAttribute *data() const {
        return this->all.data();
    }
    std::int32_t count() const {
        return static_cast<std::int32_t>(this->all.size());
    }
    const char *find(const char *name) const {
        return som_element_attribute(this->data(), this->count(), name);
    }

  private:
    std::vector<SomAttribute> all;
};

// A graph of the element; the first is played at once.
struct Behavior {
    std::string name;
    std::vector<double> memory;
    SomActionGraph graph{};
};

// A contact that the graph may sense: any of these collisions touches something.
struct Contact {
    std::string name;
    std::vector<std::pair<std::string, std::string>> shapes; // link, shape
    std::vector<sim::Entity> collisions;
};

// How a weld is held: by a fixed joint where the physics can have one, else by a spring.
struct Hold {
    sim::Entity joint{sim::kNullEntity}; // fixed; an entity of its own
    bool is_swapped{false};              // the joint's child is the weld's parent
    bool is_spring{false};
    bool is_torn{false};
    bool is_reported{false}; // that it is open
    double since{0};         // it was last let go, seconds of the spring
    SomWeldSpring spring{};
    SomBodyLoad pull{}; // of the spring, in the last step
    SomDockLoad load{};
};

// Requests come in other threads, and may still come while the plugin goes away: what they touch is
// shared with them.
struct Mailbox {
    std::mutex mutex;
    std::deque<std::string> requests;
    std::size_t dropped{0};
};

// What was last received at topics of inputs, likewise.
struct Received {
    std::mutex mutex;
    std::map<std::string, double> values; // by topic
};

class Player : public sim::System, public sim::ISystemConfigure, public sim::ISystemPreUpdate {
  public:
    void Configure(const sim::Entity &entity, const std::shared_ptr<const sdf::Element> &element,
                   sim::EntityComponentManager &ecm, sim::EventManager &events) override;
    void PreUpdate(const sim::UpdateInfo &info, sim::EntityComponentManager &ecm) override;

  private:
    // reading the element
    bool Read(const sdf::Element &element);
    bool ReadChild(const sdf::Element &child);
    bool ReadContact(const sdf::Element &child, const Attributes &attributes);
    bool ReadGraph(const sdf::Element &child, const Attributes &attributes);
    // finding what it names
    bool Bind(sim::EntityComponentManager &ecm);
    bool BindJoints(sim::EntityComponentManager &ecm);
    bool BindLinks(sim::EntityComponentManager &ecm);
    bool BindSprings(const sim::EntityComponentManager &ecm);
    bool BindContacts(sim::EntityComponentManager &ecm);
    void FindPieces();
    void BindTree(const sim::EntityComponentManager &ecm);
    void BindCollisions(sim::EntityComponentManager &ecm);
    void WatchCollisions(sim::EntityComponentManager &ecm, const std::map<int, int> &sizes);
    sim::Entity FindLink(const sim::EntityComponentManager &ecm, const char *link, bool &is_bound);
    // playing
    std::string Start(Behavior &behavior); // why not; "": it plays
    void Step(double time, double dt, sim::EntityComponentManager &ecm);
    bool IsOver() const {
        return this->last_status == SOM_PLAYER_COMPLETED ||
               this->last_status == SOM_PLAYER_CANCELLED;
    }
    bool IsSane() const; // what was sensed
    bool Falls();
    void Watch(const sim::EntityComponentManager &ecm, double dt);
    void Rewind();
    void Leave(sim::EntityComponentManager &ecm);
    bool Fail(const std::string &why);
    // senses
    void Sense(sim::EntityComponentManager &ecm, double time);
    void SenseJoints(sim::EntityComponentManager &ecm);
    void SenseBody(const sim::EntityComponentManager &ecm);
    void SenseContacts(const sim::EntityComponentManager &ecm);
    void SenseInputs();
    void SenseCollisions(const sim::EntityComponentManager &ecm);
    SomBodyPlace PlaceOf(sim::Entity link, const sim::EntityComponentManager &ecm) const;
    // commands
    void Command(sim::EntityComponentManager &ecm, double dt);
    void StandStill(sim::EntityComponentManager &ecm);
    // welds
    void BreakDocks(const sim::EntityComponentManager &ecm, double dt);
    void HoldWelds(sim::EntityComponentManager &ecm, double dt);
    void HoldWeld(sim::EntityComponentManager &ecm, std::size_t weld, double dt);
    void Release(sim::EntityComponentManager &ecm, std::size_t weld);
    bool Fix(sim::EntityComponentManager &ecm, std::size_t weld);
    void Pull(sim::EntityComponentManager &ecm, std::size_t weld, double dt);
    void ReportOpen(std::size_t weld, const std::string &why);
    sim::Entity TopOf(sim::Entity link) const;
    // topics and the trace
    void Listen();
    void ListenToInputs();
    void Publish(transport::Node::Publisher &publisher, const std::string &text);
    void AnswerDropped();
    bool Obey(); // whether there were requests
    std::string Obey(const std::string &text);
    void Tell(double time);
    void OpenTrace();
    void Record(double time);

    sim::Model model{sim::kNullEntity};
    std::string name;
    bool is_sound{false}; // else all joints that were found stand still
    bool is_gone{false};  // the model was removed
    std::string trouble;  // why it is not sound
    std::list<std::string> texts;
    std::vector<SomRobotDof> dofs;
    std::vector<SomRobotWeld> welds;
    std::vector<SomRobotBody> bodies;
    std::vector<Contact> contacts;
    std::list<Behavior> behaviors;
    SomRobotTrace trace{nullptr, 0};
    TraceFile trace_file;

    std::vector<sim::Entity> joints;                        // one a DoF; null: locked
    std::vector<sim::Entity> links;                         // one a body
    std::vector<std::pair<sim::Entity, sim::Entity>> sides; // one a weld
    std::vector<Hold> holds;                                // one a weld
    std::map<sim::Entity, sim::Entity> above;               // of a link: the one it hangs on
    std::map<sim::Entity, int> group_of;                    // of a collision: links fixed together
    std::vector<std::pair<sim::Entity, int>> watched;  // of those, where contacts are looked at
    std::set<std::pair<int, int>> may_touch, touching; // groups

    Behavior *behavior{nullptr};
    std::vector<double> run_memory;
    SomRobotRun *run{nullptr};
    std::vector<std::int32_t> contact_of; // one a contact of the graph
    std::vector<double> positions, speeds, efforts, inputs, gaps;
    std::vector<std::uint8_t> touches;
    std::vector<SomBodyPlace> places;
    math::Pose3d model_pose;
    SomBodySenses body{}, body_at_start{};
    std::vector<SomPieceWatch> pieces;
    std::vector<SomBodyPlace> piece_places;
    std::vector<SomPiecePair> weld_pieces, held_pieces; // of each weld; those that hold now
    SomFallLimits fall{som_fall_limits()};              // unless the element has others
    SomSenses senses{};
    SomRobotWatch watch{};
    bool has_started{false}, is_sensed{false};
    int sensed_steps{0};
    bool asks_efforts{false}, asks_body{false}; // each step
    double last_time{0}, next_state{0}, next_row{0}, next_body{0};
    std::string last_outcome;
    SomPlayerStatus last_status{SOM_PLAYER_READY};
    std::vector<char> line;

    std::shared_ptr<Mailbox> mailbox{std::make_shared<Mailbox>()};
    std::shared_ptr<Received> received{std::make_shared<Received>()};
    transport::Node::Publisher publisher, answers;
    std::unique_ptr<transport::Node> node; // last: it goes before what it was made for
};

template <typename C> void enable(sim::EntityComponentManager &ecm, sim::Entity entity) {
    if (ecm.Component<C>(entity) == nullptr) {
        ecm.CreateComponent(entity, C()); // the physics fills in what is there
    }
}

// "<dof> 'leg.bend': a number was expected: start"
std::string words_of(const char *element, const char *name, const SomElementFault &fault);

} // namespace somite
