// SPDX-License-Identifier: Apache-2.0
// The plugin somite::Player of a model: plays the action graph in its element in Gazebo. Glue: what
// is read, played, driven and told is in player/; here are only Gazebo's own calls. One source for
// Fortress (ign-gazebo6, with SOMITE_FORTRESS) and for gz-sim 8 and later. docs/gazebo.md tells how
// to build and run it.

#include "player/element.h"
#include "player/graph_text.h"
#include "player/request.h"
#include "player/state_text.h"
#include "player/trace_text.h"

#include <chrono>
#include <cmath>
#include <deque>
#include <exception>
#include <fstream>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#ifdef SOMITE_FORTRESS
#include <ignition/common/Console.hh>
#include <ignition/gazebo/Link.hh>
#include <ignition/gazebo/Model.hh>
#include <ignition/gazebo/System.hh>
#include <ignition/gazebo/Util.hh>
#include <ignition/gazebo/components/ContactSensorData.hh>
#include <ignition/gazebo/components/DetachableJoint.hh>
#include <ignition/gazebo/components/JointForceCmd.hh>
#include <ignition/gazebo/components/JointPosition.hh>
#include <ignition/gazebo/components/JointTransmittedWrench.hh>
#include <ignition/gazebo/components/JointVelocity.hh>
#include <ignition/gazebo/components/JointVelocityCmd.hh>
#include <ignition/gazebo/components/Name.hh>
#include <ignition/gazebo/components/Pose.hh>
#include <ignition/msgs/stringmsg.pb.h>
#include <ignition/plugin/Register.hh>
#include <ignition/transport/Node.hh>
namespace sim = ignition::gazebo;
namespace math = ignition::math;
namespace msgs = ignition::msgs;
namespace transport = ignition::transport;
#define SOMITE_ERROR ignerr
#define SOMITE_NOTE ignmsg
#define SOMITE_ADD_PLUGIN IGNITION_ADD_PLUGIN
#define SOMITE_ADD_PLUGIN_ALIAS IGNITION_ADD_PLUGIN_ALIAS
#else
#include <gz/common/Console.hh>
#include <gz/msgs/stringmsg.pb.h>
#include <gz/plugin/Register.hh>
#include <gz/sim/Link.hh>
#include <gz/sim/Model.hh>
#include <gz/sim/System.hh>
#include <gz/sim/Util.hh>
#include <gz/sim/components/ContactSensorData.hh>
#include <gz/sim/components/DetachableJoint.hh>
#include <gz/sim/components/JointForceCmd.hh>
#include <gz/sim/components/JointPosition.hh>
#include <gz/sim/components/JointTransmittedWrench.hh>
#include <gz/sim/components/JointVelocity.hh>
#include <gz/sim/components/JointVelocityCmd.hh>
#include <gz/sim/components/Name.hh>
#include <gz/sim/components/Pose.hh>
#include <gz/transport/Node.hh>
namespace sim = gz::sim;
namespace math = gz::math;
namespace msgs = gz::msgs;
namespace transport = gz::transport;
#define SOMITE_ERROR gzerr
#define SOMITE_NOTE gzmsg
#define SOMITE_ADD_PLUGIN GZ_ADD_PLUGIN
#define SOMITE_ADD_PLUGIN_ALIAS GZ_ADD_PLUGIN_ALIAS
#endif

namespace somite {

namespace components = sim::components;

constexpr std::size_t most_requests = 64;      // that wait for a step
constexpr std::size_t most_request = 4096;     // bytes of one
constexpr std::size_t most_memory = 1UL << 30; // bytes of a graph, or of its player
constexpr double body_every = 0.01;            // seconds, if no condition asks where the body is
constexpr double state_every = 0.5;            // seconds, even if nothing happens

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

class Player : public sim::System, public sim::ISystemConfigure, public sim::ISystemPreUpdate {
  public:
    void Configure(const sim::Entity &entity, const std::shared_ptr<const sdf::Element> &element,
                   sim::EntityComponentManager &ecm, sim::EventManager &) override;
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
    bool BindContacts(sim::EntityComponentManager &ecm);
    bool Start(Behavior &behavior);
    void Listen();
    void Hear(const msgs::StringMsg &heard);
    // a step
    void Sense(sim::EntityComponentManager &ecm, double time);
    void SenseJoints(sim::EntityComponentManager &ecm);
    void SenseBody(const sim::EntityComponentManager &ecm);
    bool Obey();
    void Obey(const std::string &text);
    void Command(sim::EntityComponentManager &ecm);
    void StandStill(sim::EntityComponentManager &ecm);
    void Hold(sim::EntityComponentManager &ecm, std::size_t weld, bool is_held);
    void Tell(double time);
    void Record(double time);
    bool Fail(const std::string &why);

    sim::Model model{sim::kNullEntity};
    std::string name;
    bool is_sound{false}; // else all joints that were found stand still
    std::list<std::string> texts;
    std::vector<SomRobotDof> dofs;
    std::vector<SomRobotWeld> welds;
    std::vector<SomRobotBody> bodies;
    std::vector<Contact> contacts;
    std::list<Behavior> behaviors;
    SomRobotTrace trace{nullptr, 0};
    std::ofstream trace_file;

    std::vector<sim::Entity> joints;                        // one a DoF; null: locked
    std::vector<sim::Entity> links;                         // one a body
    std::vector<std::pair<sim::Entity, sim::Entity>> sides; // one a weld
    std::vector<sim::Entity> holds;                         // one a weld; null: it is free

    Behavior *behavior{nullptr};
    std::vector<double> run_memory;
    SomRobotRun *run{nullptr};
    std::vector<std::int32_t> contact_of; // one a contact of the graph
    std::vector<double> positions, speeds, efforts, inputs, gaps;
    std::vector<std::uint8_t> touches;
    std::vector<SomBodyPlace> places;
    SomBodySenses body{}, body_at_start{};
    SomSenses senses{};
    bool has_started{false}, has_fallen{false};
    SomPlayerStatus last_status{SOM_PLAYER_READY};
    bool asks_efforts{false}, asks_body{false}; // each step
    double next_state{0}, next_row{0}, next_body{0};
    std::vector<char> line;

    transport::Node node;
    transport::Node::Publisher publisher;
    std::mutex mutex; // of the requests, which come from other threads
    std::deque<std::string> requests;
};

bool Player::Fail(const std::string &why) {
    SOMITE_ERROR << "somite: model '" << this->name << "': " << why << "; the robot stands still"
                 << std::endl;
    return false;
}

// ---- reading the element

// "<dof> 'leg.bend': a number was expected: start"
static std::string words_of(const char *element, const char *name, const SomElementFault &fault) {
    return std::string("<") + element + ">" +
           (name != nullptr ? " '" + std::string(name) + "'" : "") + ": " +
           (fault.words != nullptr ? fault.words : "it is refused") +
           (fault.attribute != nullptr ? ": '" + std::string(fault.attribute) + "'" : "");
}

bool Player::ReadContact(const sdf::Element &child, const Attributes &attributes) {
    Contact contact;
    const char *of = attributes.find("name");
    contact.name = of != nullptr ? of : "";
    for (auto shape = child.GetFirstElement(); shape; shape = shape->GetNextElement()) {
        const Attributes its(*shape, this->texts);
        const char *link = its.find("link"), *named = its.find("name");
        if (link == nullptr || named == nullptr) {
            return this->Fail("a <shape> of <contact> '" + contact.name +
                              "' needs a link and a name");
        }
        contact.shapes.emplace_back(link, named);
    }
    this->contacts.push_back(std::move(contact));
    return true;
}

bool Player::ReadGraph(const sdf::Element &child, const Attributes &attributes) {
    const char *of = attributes.find("name");
    const std::string text = child.Get<std::string>();
    Behavior read;
    read.name = of != nullptr ? of : "behavior";
    std::size_t needed = 0;
    SomGraphFault fault =
        som_graph_text_read(text.data(), text.size(), nullptr, 0, &read.graph, &needed);
    if (fault.kind == SOM_GRAPH_FAULT_MEMORY && needed <= most_memory) {
        read.memory.resize(needed / sizeof(double) + 1);
        fault = som_graph_text_read(text.data(), text.size(), read.memory.data(), needed,
                                    &read.graph, &needed);
    }
    if (fault.kind != SOM_GRAPH_FAULT_NONE) {
        return this->Fail("<graph> '" + read.name + "', line " + std::to_string(fault.line) + ": " +
                          som_graph_fault_words(fault.kind));
    }
    this->behaviors.push_back(std::move(read));
    return true;
}

template <typename T, typename R>
static bool read_into(R reader, const char *element, const Attributes &attributes,
                      std::vector<T> &all, std::string &why) {
    T read{};
    SomElementFault fault{};
    if (!reader(attributes.data(), attributes.count(), &read, &fault)) {
        why = words_of(element, attributes.find("name"), fault);
        return false;
    }
    all.push_back(read);
    return true;
}

bool Player::ReadChild(const sdf::Element &child) {
    const std::string kind = child.GetName();
    const Attributes attributes(child, this->texts);
    std::vector<SomRobotTrace> traces;
    std::string why;
    bool is_read = true;
    if (kind == "dof") {
        is_read = read_into(som_element_read_dof, "dof", attributes, this->dofs, why);
    } else if (kind == "weld") {
        is_read = read_into(som_element_read_weld, "weld", attributes, this->welds, why);
    } else if (kind == "body") {
        is_read = read_into(som_element_read_body, "body", attributes, this->bodies, why);
    } else if (kind == "trace") {
        is_read = read_into(som_element_read_trace, "trace", attributes, traces, why);
    } else if (kind == "contact") {
        return this->ReadContact(child, attributes);
    } else if (kind == "graph") {
        return this->ReadGraph(child, attributes);
    }
    if (!traces.empty()) {
        this->trace = traces[0];
    }
    return is_read || this->Fail(why);
}

bool Player::Read(const sdf::Element &element) {
    bool is_read = true; // all of it is read, for the sake of the joints that should stand still
    for (auto child = element.GetFirstElement(); child; child = child->GetNextElement()) {
        is_read = this->ReadChild(*child) && is_read;
    }
    return is_read && (!this->behaviors.empty() || this->Fail("the plugin has no <graph>"));
}

// ---- finding what it names

template <typename C> static void enable(sim::EntityComponentManager &ecm, sim::Entity entity) {
    if (ecm.Component<C>(entity) == nullptr) {
        ecm.CreateComponent(entity, C()); // the physics fills in what is there
    }
}

bool Player::BindJoints(sim::EntityComponentManager &ecm) {
    bool is_bound = true;
    for (const SomRobotDof &dof : this->dofs) {
        const sim::Entity joint =
            dof.joint != nullptr ? this->model.JointByName(ecm, dof.joint) : sim::kNullEntity;
        this->joints.push_back(joint);
        if (joint != sim::kNullEntity) {
            enable<components::JointPosition>(ecm, joint);
            enable<components::JointVelocity>(ecm, joint);
        } else if (dof.joint != nullptr) {
            is_bound = this->Fail("the model has no joint '" + std::string(dof.joint) +
                                  "' for the DoF '" + dof.name + "'");
        }
    }
    return is_bound;
}

bool Player::BindLinks(sim::EntityComponentManager &ecm) {
    bool is_bound = true;
    const auto find = [&](const char *link) {
        const sim::Entity found =
            link != nullptr ? this->model.LinkByName(ecm, link) : sim::kNullEntity;
        if (link != nullptr && found == sim::kNullEntity) {
            is_bound = this->Fail("the model has no link '" + std::string(link) + "'");
        }
        return found;
    };
    for (const SomRobotBody &one : this->bodies) {
        this->links.push_back(find(one.link));
    }
    for (const SomRobotWeld &weld : this->welds) {
        const sim::Entity parent = find(weld.parent), child = find(weld.child);
        this->sides.emplace_back(parent, child);
    }
    this->holds.resize(this->welds.size(), sim::kNullEntity);
    return is_bound;
}

bool Player::BindContacts(sim::EntityComponentManager &ecm) {
    for (Contact &contact : this->contacts) {
        for (const auto &[link, shape] : contact.shapes) {
            const sim::Entity found = this->model.LinkByName(ecm, link);
            if (found == sim::kNullEntity) {
                return this->Fail("the model has no link '" + link + "'");
            }
            for (const sim::Entity collision : sim::Link(found).Collisions(ecm)) {
                const auto *named = ecm.Component<components::Name>(collision);
                if (named != nullptr &&
                    som_element_is_piece(named->Data().c_str(), shape.c_str())) {
                    enable<components::ContactSensorData>(ecm, collision);
                    contact.collisions.push_back(collision);
                }
            }
        }
    }
    return true;
}

bool Player::Bind(sim::EntityComponentManager &ecm) {
    const bool has_joints = this->BindJoints(ecm), has_links = this->BindLinks(ecm);
    return has_joints && has_links && this->BindContacts(ecm);
}

// Plays a behavior from its beginning, with joints and docks as they are.
bool Player::Start(Behavior &next) {
    std::vector<const char *> names;
    for (const Contact &contact : this->contacts) {
        names.push_back(contact.name.c_str());
    }
    SomElement element{};
    SomElementFault fault{};
    element.graph = &next.graph;
    element.dofs = this->dofs.data();
    element.dof_count = static_cast<std::int32_t>(this->dofs.size());
    element.welds = this->welds.data();
    element.weld_count = static_cast<std::int32_t>(this->welds.size());
    element.contacts = names.data();
    element.contact_count = static_cast<std::int32_t>(names.size());
    std::vector<std::int32_t> found(
        static_cast<std::size_t>(next.graph.symbol_count[SOM_SYMBOL_CONTACT]));
    if (!som_element_bind(&element, found.data(), &fault)) {
        SOMITE_ERROR << "somite: model '" << this->name
                     << "': " << words_of("graph", next.name.c_str(), fault) << std::endl;
        return false;
    }
    for (std::size_t i = 0; this->run != nullptr && i < this->welds.size(); i++) {
        this->welds[i].state = som_robot_run_holds(this->run)[i] ? SOM_DOCK_CLOSED : SOM_DOCK_OPEN;
    }
    const SomRobotRunDef def{&next.graph, this->dofs.data(), this->welds.data(),
                             element.weld_count};
    const std::size_t size = som_robot_run_size(&def);
    if (size == 0 || size > most_memory) {
        SOMITE_ERROR << "somite: <graph> '" << next.name << "' is too large" << std::endl;
        return false;
    }
    this->run_memory.assign(size / sizeof(double) + 1, 0);
    this->run = som_robot_run_init(this->run_memory.data(), size, &def, nullptr);
    if (this->run == nullptr) {
        this->is_sound = false;
        return this->Fail("<graph> '" + next.name + "' is refused");
    }
    if (this->has_started) {
        som_robot_run_place(this->run, this->positions.data());
    }
    this->behavior = &next;
    this->contact_of = std::move(found);
    this->touches.assign(this->contact_of.size() + 1, 0);
    this->inputs.assign(static_cast<std::size_t>(next.graph.symbol_count[SOM_SYMBOL_INPUT]) + 1, 0);
    this->asks_efforts =
        this->trace.file != nullptr || som_graph_senses(&next.graph, SOM_INSTRUCTION_EFFORT);
    this->asks_body = this->trace.file != nullptr || next.graph.symbol_count[SOM_SYMBOL_DOCK] > 0 ||
                      som_graph_senses(&next.graph, SOM_INSTRUCTION_HEIGHT) ||
                      som_graph_senses(&next.graph, SOM_INSTRUCTION_TILT);
    this->has_fallen = false;
    this->last_status = SOM_PLAYER_READY;
    return true;
}

void Player::Hear(const msgs::StringMsg &heard) {
    const std::lock_guard<std::mutex> lock(this->mutex);
    if (this->requests.size() < most_requests && heard.data().size() <= most_request) {
        this->requests.push_back(heard.data());
    }
}

void Player::Listen() {
    const std::string topic = "/model/" + this->name + "/somite";
    this->publisher = this->node.Advertise<msgs::StringMsg>(topic + "/state");
    this->node.Subscribe(topic + "/request", &Player::Hear, this);
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
        if (!is_read || !is_bound) {
            return;
        }
        if (!this->Start(this->behaviors.front())) {
            this->Fail("its behavior does not fit it");
            return;
        }
        this->is_sound = true;
        this->Listen();
        if (this->trace.file != nullptr) {
            this->trace_file.open(this->trace.file);
            if (!this->trace_file) {
                SOMITE_ERROR << "somite: cannot write '" << this->trace.file << "'" << std::endl;
            }
        }
        SOMITE_NOTE << "somite: model '" << this->name << "' plays '" << this->behavior->name
                    << "'; state and requests at /model/" << this->name << "/somite" << std::endl;
    } catch (const std::exception &error) {
        this->is_sound = this->Fail(error.what());
    }
}

// ---- a step

static SomBodyPlace place_of(const math::Pose3d &pose) {
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
    for (std::size_t i = 0; i < this->dofs.size(); i++) {
        const SomRobotDof &dof = this->dofs[i];
        const sim::Entity joint = this->joints[i];
        const bool moves = joint != sim::kNullEntity;
        this->positions[i] =
            dof.start + (moves ? first_of<components::JointPosition>(ecm, joint, 0) : 0);
        this->speeds[i] = moves ? first_of<components::JointVelocity>(ecm, joint, 0) : 0;
        if (!moves || !this->asks_efforts) {
            continue;
        }
        enable<components::JointTransmittedWrench>(ecm, joint);
        const auto &load = ecm.Component<components::JointTransmittedWrench>(joint)->Data();
        const auto &f = load.force(), &t = load.torque();
        const double force[3] = {f.x(), f.y(), f.z()}, torque[3] = {t.x(), t.y(), t.z()};
        this->efforts[i] = som_robot_dof_effort(&dof, force, torque);
    }
}

void Player::SenseBody(const sim::EntityComponentManager &ecm) {
    const math::Pose3d whole = sim::worldPose(this->model.Entity(), ecm);
    const auto pose_of = [&](sim::Entity link) {
        const auto *pose = ecm.Component<components::Pose>(link);
        return place_of(pose != nullptr ? whole * pose->Data() : whole);
    };
    for (std::size_t i = 0; i < this->links.size(); i++) {
        this->places[i] = pose_of(this->links[i]);
    }
    this->body = som_body_senses(this->bodies.data(), this->places.data(),
                                 static_cast<std::int32_t>(this->bodies.size()));
    for (std::size_t i = 0; i < this->welds.size(); i++) {
        if (this->welds[i].parent != nullptr && this->welds[i].dock != nullptr) {
            const SomBodyPlace parent = pose_of(this->sides[i].first),
                               child = pose_of(this->sides[i].second);
            this->gaps[i] = som_weld_gap(&this->welds[i], &parent, &child);
        }
    }
}

void Player::Sense(sim::EntityComponentManager &ecm, double time) {
    this->SenseJoints(ecm);
    if (this->asks_body || !this->has_started || time >= this->next_body - 1e-9) {
        this->SenseBody(ecm);
        this->next_body = time + body_every;
    }
    for (std::size_t i = 0; i < this->contact_of.size(); i++) {
        this->touches[i] = 0;
        for (const sim::Entity collision :
             this->contacts[static_cast<std::size_t>(this->contact_of[i])].collisions) {
            const auto *data = ecm.Component<components::ContactSensorData>(collision);
            this->touches[i] |= data != nullptr && data->Data().contact_size() > 0;
        }
    }
    this->senses.positions = this->positions.data();
    this->senses.speeds = this->speeds.data();
    this->senses.efforts = this->efforts.data();
    this->senses.contacts = this->touches.data();
    this->senses.inputs = this->inputs.data();
    this->senses.height = this->body.base.position[2];
    this->senses.tilt = this->body.tilt;
}

void Player::Obey(const std::string &text) {
    SomRequest request{};
    if (!som_request_read(text.data(), text.size(), &request)) {
        SOMITE_ERROR << "somite: no request: '" << text
                     << "'; there are pause, resume, cancel, start and start NAME" << std::endl;
        return;
    }
    const std::string wanted(request.name, request.name_length);
    switch (request.kind) {
    case SOM_REQUEST_PAUSE:
        som_robot_run_pause(this->run, &this->senses);
        break;
    case SOM_REQUEST_RESUME:
        som_robot_run_resume(this->run);
        break;
    case SOM_REQUEST_CANCEL:
        som_robot_run_cancel(this->run, &this->senses);
        break;
    default:
        for (Behavior &one : this->behaviors) {
            if (wanted.empty() ? &one == this->behavior : one.name == wanted) {
                this->Start(one);
                return;
            }
        }
        SOMITE_ERROR << "somite: there is no behavior '" << wanted << "'" << std::endl;
    }
}

// Whether there were requests.
bool Player::Obey() {
    std::deque<std::string> heard;
    {
        const std::lock_guard<std::mutex> lock(this->mutex);
        heard.swap(this->requests);
    }
    for (const std::string &text : heard) {
        if (this->is_sound) { // else there is nothing left that could obey
            this->Obey(text);
        }
    }
    return !heard.empty();
}

// Fixed joints that come and go are entities of their own.
void Player::Hold(sim::EntityComponentManager &ecm, std::size_t weld, bool is_held) {
    const auto &[parent, child] = this->sides[weld];
    if (is_held == (this->holds[weld] != sim::kNullEntity) || parent == sim::kNullEntity ||
        parent == child) { // one link with itself: nothing to hold
        return;
    }
    if (is_held) {
        this->holds[weld] = ecm.CreateEntity();
        ecm.CreateComponent(this->holds[weld],
                            components::DetachableJoint({parent, child, "fixed"}));
    } else {
        ecm.RequestRemoveEntity(this->holds[weld]);
        this->holds[weld] = sim::kNullEntity;
    }
}

void Player::Command(sim::EntityComponentManager &ecm) {
    for (std::size_t i = 0; i < this->joints.size(); i++) {
        const double effort = som_robot_run_efforts(this->run)[i];
        if (this->joints[i] == sim::kNullEntity) {
            continue;
        }
        if (std::isfinite(effort)) {
            ecm.SetComponentData<components::JointForceCmd>(this->joints[i], {effort});
        } else {
            ecm.SetComponentData<components::JointVelocityCmd>(
                this->joints[i], {som_robot_run_speeds(this->run)[i]});
        }
    }
    for (std::size_t i = 0; i < this->welds.size(); i++) {
        this->Hold(ecm, i, som_robot_run_holds(this->run)[i] != 0);
    }
}

void Player::StandStill(sim::EntityComponentManager &ecm) {
    for (const sim::Entity joint : this->joints) {
        if (joint != sim::kNullEntity) {
            ecm.SetComponentData<components::JointVelocityCmd>(joint, {0.0});
        }
    }
}

// The state: when something starts or ends, and now and then.
void Player::Tell(double time) {
    std::int32_t changes = 0;
    const SomPlayer *player = som_robot_run_shown(this->run);
    const SomPlayerStatus status = som_player_status(player);
    som_player_events(player, &changes, nullptr);
    const bool is_over = status == SOM_PLAYER_COMPLETED || status == SOM_PLAYER_CANCELLED;
    const bool is_new = status != this->last_status || (changes > 0 && !is_over);
    if (!is_new && time < this->next_state) {
        return;
    }
    SomStateText state{this->run, this->behavior->name.c_str(),
                       is_over && this->has_fallen ? "fell" : nullptr};
    if (status != this->last_status && is_over) {
        SOMITE_NOTE << "somite: model '" << this->name << "': '" << this->behavior->name << "' "
                    << (state.outcome != nullptr ? state.outcome : som_robot_run_outcome(this->run))
                    << " after " << som_player_time(player) << " s" << std::endl;
    }
    this->last_status = status;
    this->next_state = time + state_every;
    if (this->publisher && this->publisher.HasConnections()) {
        this->line.resize(som_state_text_write(&state, nullptr, 0) + 1);
        som_state_text_write(&state, this->line.data(), this->line.size());
        msgs::StringMsg message;
        message.set_data(this->line.data());
        this->publisher.Publish(message);
    }
}

void Player::Record(double time) {
    if (!this->trace_file || time < this->next_row - 1e-9) {
        return;
    }
    std::int32_t touching = 0;
    for (const std::uint8_t touch : this->touches) {
        touching += touch;
    }
    const SomTraceRow row{time,
                          &this->body,
                          touching,
                          this->positions.data(),
                          this->efforts.data(),
                          static_cast<std::int32_t>(this->dofs.size())};
    const auto put = [&](bool is_header) {
        SomPlayerText text{nullptr, 0, 0};
        for (int pass = 0; pass < 2; pass++) {
            is_header ? som_trace_text_header(&this->behavior->graph, &text)
                      : som_trace_text_row(&row, &text);
            if (pass == 0) {
                this->line.resize(text.length + 1);
                text = {this->line.data(), this->line.size(), 0};
            }
        }
        som_player_text_end(&text);
        this->trace_file << this->line.data();
    };
    if (this->next_row <= 0) {
        put(true);
    }
    put(false);
    this->trace_file.flush();
    this->next_row = (std::floor(time / this->trace.every + 0.5) + 1) * this->trace.every;
}

void Player::PreUpdate(const sim::UpdateInfo &info, sim::EntityComponentManager &ecm) {
    const double dt = std::chrono::duration<double>(info.dt).count();
    if (info.paused || !(dt > 0)) {
        return;
    }
    if (!this->is_sound) {
        this->StandStill(ecm);
        return;
    }
    try {
        const double time = std::chrono::duration<double>(info.simTime).count() - dt; // it begins
        this->Sense(ecm, time);
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
        som_robot_run_play(this->run, &this->senses, dt);
        this->has_fallen =
            this->has_fallen ||
            som_body_has_fallen(&this->body, &this->body_at_start, SOM_BODY_MOST_LEAN);
        this->Tell(time);
        this->Record(time);
        som_robot_run_drive(this->run, &this->senses, this->gaps.data(), dt);
        this->Command(ecm);
    } catch (const std::exception &error) {
        this->is_sound = this->Fail(error.what());
    }
}

} // namespace somite

SOMITE_ADD_PLUGIN(somite::Player, sim::System, somite::Player::ISystemConfigure,
                  somite::Player::ISystemPreUpdate)
SOMITE_ADD_PLUGIN_ALIAS(somite::Player, "somite::Player")
