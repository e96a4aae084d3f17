// SPDX-License-Identifier: Apache-2.0
#include "tests/plugins/gazebo_world.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <set>

namespace components = sim::components;

// ---- texts

static std::ostringstream &log() {
    static std::ostringstream text;
    return text;
}

std::ostream &gazebo::somite_console(bool is_error) {
    return log() << (is_error ? "[Err] " : "[Msg] ");
}

std::string console() {
    return log().str();
}

// Elements, attributes in double quotes, text: what tests write.
static sdf::ElementPtr read_element(const std::string &xml, std::size_t &at) {
    const auto skip = [&] { at = std::min(xml.find_first_not_of(" \n", at), xml.size()); };
    const auto element = std::make_shared<sdf::Element>();
    std::size_t end = xml.find_first_of(" />", ++at);
    element->name = xml.substr(at, end - at);
    for (at = end, skip(); xml[at] != '>' && xml[at] != '/'; skip()) {
        end = xml.find('=', at);
        const std::string key = xml.substr(at, end - at);
        at = end + 2;
        end = xml.find('"', at);
        element->attributes.push_back(std::make_shared<sdf::Param>(key, xml.substr(at, end - at)));
        at = end + 1;
    }
    if (xml[at] == '/') {
        at += 2;
        return element;
    }
    sdf::ElementPtr *last = &element->first;
    for (at++; xml.compare(at, 2, "</") != 0;) {
        if (xml[at] == '<') {
            *last = read_element(xml, at);
            last = &(*last)->next;
        } else {
            element->text += xml[at++];
        }
    }
    at = xml.find('>', at) + 1;
    return element;
}

sdf::ElementPtr element_of(const std::string &xml) {
    std::size_t at = 0;
    const std::string whole = "<plugin>" + xml + "</plugin>";
    return read_element(whole, at);
}

sdf::ParamPtr sdf::Element::GetAttribute(const std::string &key) const {
    for (const ParamPtr &one : this->attributes) {
        if (one->GetKey() == key) {
            return one;
        }
    }
    return nullptr;
}

// ---- topics

using Callback = std::function<void(const gazebo::msgs::StringMsg &)>;

static std::mutex topics_mutex;
static std::map<std::string, std::vector<std::string>> messages;
static std::map<std::pair<const void *, std::string>, Callback> callbacks; // by node and topic
static std::map<std::pair<const void *, std::string>, gazebo::transport::RawCallback> raw_callbacks;
static std::map<std::pair<const void *, std::string>, int> advertised;

gazebo::transport::Node::Node() = default;

gazebo::transport::Node::~Node() {
    const std::lock_guard<std::mutex> lock(topics_mutex);
    const auto erase = [&](auto &all) {
        for (auto one = all.begin(); one != all.end();) {
            one = one->first.first == this ? all.erase(one) : std::next(one);
        }
    };
    erase(callbacks);
    erase(raw_callbacks);
    erase(advertised);
}

static bool is_topic(const std::string &topic) {
    return topic.find_first_of(" @~") == std::string::npos && topic.find("//") == std::string::npos;
}

gazebo::transport::Node::Publisher
gazebo::transport::Node::AdvertiseText(const std::string &topic) {
    const std::lock_guard<std::mutex> lock(topics_mutex);
    Publisher publisher;
    publisher.topic = topic;
    publisher.is_valid = is_topic(topic);
    if (publisher.is_valid) {
        advertised[{this, topic}] = 1;
    }
    return publisher;
}

bool gazebo::transport::Node::SubscribeText(const std::string &topic, Callback callback) {
    const std::lock_guard<std::mutex> lock(topics_mutex);
    if (is_topic(topic)) {
        callbacks[{this, topic}] = std::move(callback);
    }
    return is_topic(topic);
}

bool gazebo::transport::Node::SubscribeRaw(const std::string &topic, const RawCallback &callback) {
    const std::lock_guard<std::mutex> lock(topics_mutex);
    if (is_topic(topic)) {
        raw_callbacks[{this, topic}] = callback;
    }
    return is_topic(topic);
}

bool gazebo::transport::Node::Publisher::HasConnections() const {
    return true;
}

bool gazebo::transport::Node::Publisher::Publish(const msgs::StringMsg &message) {
    const std::lock_guard<std::mutex> lock(topics_mutex);
    messages[this->topic].push_back(message.data());
    return true;
}

void clear_topics() {
    const std::lock_guard<std::mutex> lock(topics_mutex);
    messages.clear();
    log().str("");
}

// Without the lock while they run, as it is in the real one: a node may go away meanwhile.
void send_request(const std::string &topic, const std::string &text) {
    std::vector<Callback> all;
    {
        const std::lock_guard<std::mutex> lock(topics_mutex);
        for (const auto &[key, callback] : callbacks) {
            if (key.second == topic) {
                all.push_back(callback);
            }
        }
    }
    gazebo::msgs::StringMsg message;
    message.set_data(text);
    for (const Callback &callback : all) {
        callback(message);
    }
}

void send_number(const std::string &topic, const std::string &type, double value) {
    std::vector<gazebo::transport::RawCallback> all;
    {
        const std::lock_guard<std::mutex> lock(topics_mutex);
        for (const auto &[key, callback] : raw_callbacks) {
            if (key.second == topic) {
                all.push_back(callback);
            }
        }
    }
    const std::string text = std::to_string(value);
    const gazebo::transport::MessageInfo info{type};
    for (const auto &callback : all) {
        callback(text.data(), text.size(), info);
    }
}

std::vector<std::string> heard_on(const std::string &topic) {
    const std::lock_guard<std::mutex> lock(topics_mutex);
    return messages[topic];
}

std::string last_on(const std::string &topic) {
    const std::vector<std::string> all = heard_on(topic);
    return all.empty() ? "" : all.back();
}

int publishers_of(const std::string &topic) {
    const std::lock_guard<std::mutex> lock(topics_mutex);
    return static_cast<int>(
        std::count_if(advertised.begin(), advertised.end(),
                      [&](const auto &one) { return one.first.second == topic; }));
}

// ---- entities

sim::Entity sim::EntityComponentManager::CreateEntity() {
    this->parents[++this->last] = kNullEntity;
    return this->last;
}

bool sim::EntityComponentManager::HasEntity(const Entity entity) const {
    return this->parents.count(entity) > 0;
}

void sim::EntityComponentManager::RequestRemoveEntity(const Entity entity, bool recursive) {
    this->requested[entity] = recursive;
}

bool sim::EntityComponentManager::SetParentEntity(const Entity child, const Entity parent) {
    if (!this->HasEntity(child)) {
        return false;
    }
    this->parents[child] = parent;
    return true;
}

std::vector<sim::Entity> sim::EntityComponentManager::Children(Entity parent) const {
    std::vector<Entity> children;
    for (const auto &[child, its] : this->parents) {
        if (its == parent) {
            children.push_back(child);
        }
    }
    return children;
}

std::vector<sim::Entity> sim::EntityComponentManager::Removals() const {
    std::vector<Entity> all;
    for (const auto &[entity, is_recursive] : this->requested) {
        if (this->HasEntity(entity)) {
            all.push_back(entity);
        }
        for (std::size_t i = all.size() - 1; is_recursive && i < all.size(); i++) {
            for (const Entity child : this->Children(all[i])) {
                all.push_back(child);
            }
        }
    }
    return all;
}

void sim::EntityComponentManager::Remove(Entity entity) {
    this->parents.erase(entity);
    this->requested.erase(entity);
    this->all.erase(this->all.lower_bound({entity, 0}), this->all.lower_bound({entity + 1, 0}));
}

template <typename C>
static std::vector<sim::Entity> children_with(const sim::EntityComponentManager &ecm,
                                              sim::Entity parent, const std::string &name = "") {
    std::vector<sim::Entity> found;
    for (const sim::Entity child : ecm.Children(parent)) {
        const auto *named = ecm.Component<components::Name>(child);
        if (ecm.Component<C>(child) != nullptr &&
            (name.empty() || (named != nullptr && named->Data() == name))) {
            found.push_back(child);
        }
    }
    return found;
}

static sim::Entity first_of(const std::vector<sim::Entity> &all) {
    return all.empty() ? sim::kNullEntity : all.front();
}

bool sim::Model::Valid(const EntityComponentManager &ecm) const {
    return ecm.Component<components::Model>(this->entity) != nullptr;
}

std::string sim::Model::Name(const EntityComponentManager &ecm) const {
    const auto *name = ecm.Component<components::Name>(this->entity);
    return name != nullptr ? name->Data() : "";
}

sim::Entity sim::Model::JointByName(const EntityComponentManager &ecm,
                                    const std::string &name) const {
    return first_of(children_with<components::Joint>(ecm, this->entity, name));
}

sim::Entity sim::Model::LinkByName(const EntityComponentManager &ecm,
                                   const std::string &name) const {
    return first_of(children_with<components::Link>(ecm, this->entity, name));
}

std::vector<sim::Entity> sim::Model::Joints(const EntityComponentManager &ecm) const {
    return children_with<components::Joint>(ecm, this->entity);
}

std::vector<sim::Entity> sim::Model::Links(const EntityComponentManager &ecm) const {
    return children_with<components::Link>(ecm, this->entity);
}

std::vector<sim::Entity> sim::Link::Collisions(const EntityComponentManager &ecm) const {
    return children_with<components::Collision>(ecm, this->entity);
}

static void add(gazebo::msgs::Vector3d &sum, const gazebo::math::Vector3d &more) {
    sum.values[0] += more.X();
    sum.values[1] += more.Y();
    sum.values[2] += more.Z();
}

void sim::Link::AddWorldWrench(EntityComponentManager &ecm, const math::Vector3d &force,
                               const math::Vector3d &torque) const {
    auto *wrench = ecm.Component<components::ExternalWorldWrenchCmd>(this->entity);
    if (wrench == nullptr) {
        wrench = ecm.CreateComponent(this->entity, components::ExternalWorldWrenchCmd());
    }
    add(wrench->Data().forces, force);
    add(wrench->Data().torques, torque);
}

// ---- poses

gazebo::math::Pose3d gazebo::math::Pose3d::operator*(const Pose3d &other) const {
    const Quaterniond &a = this->rotation, &b = other.rotation;
    const double x = other.position.X(), y = other.position.Y(), z = other.position.Z();
    const double cx = a.Y() * z - a.Z() * y + a.W() * x, cy = a.Z() * x - a.X() * z + a.W() * y,
                 cz = a.X() * y - a.Y() * x + a.W() * z;
    return {Vector3d(this->position.X() + x + 2 * (a.Y() * cz - a.Z() * cy),
                     this->position.Y() + y + 2 * (a.Z() * cx - a.X() * cz),
                     this->position.Z() + z + 2 * (a.X() * cy - a.Y() * cx)),
            Quaterniond(a.W() * b.W() - a.X() * b.X() - a.Y() * b.Y() - a.Z() * b.Z(),
                        a.W() * b.X() + a.X() * b.W() + a.Y() * b.Z() - a.Z() * b.Y(),
                        a.W() * b.Y() - a.X() * b.Z() + a.Y() * b.W() + a.Z() * b.X(),
                        a.W() * b.Z() + a.X() * b.Y() - a.Y() * b.X() + a.Z() * b.W())};
}

gazebo::math::Pose3d sim::worldPose(const Entity &entity, const EntityComponentManager &ecm) {
    const auto *pose = ecm.Component<components::Pose>(entity);
    return pose != nullptr ? pose->Data() : math::Pose3d();
}

// ---- the world

constexpr double link_mass = 0.2; // kg

void World::Build(sim::Entity model, const Robot &robot) {
    this->ecm.CreateComponent(model, components::Model());
    this->ecm.CreateComponent(model, components::Name(robot.name));
    this->ecm.CreateComponent(model, components::Pose());
    for (const RobotLink &one : robot.links) {
        const sim::Entity link = this->ecm.CreateEntity(), shape = this->ecm.CreateEntity();
        this->ecm.SetParentEntity(link, model);
        this->ecm.CreateComponent(link, components::Link());
        this->ecm.CreateComponent(link, components::Name(one.name));
        this->ecm.CreateComponent(link, components::Pose(one.pose));
        this->ecm.CreateComponent(link,
                                  components::Inertial(gazebo::math::Inertiald(
                                      {link_mass, gazebo::math::Vector3d(1e-3, 2e-3, 2e-3)})));
        this->ecm.SetParentEntity(shape, link);
        this->ecm.CreateComponent(shape, components::Collision());
        this->ecm.CreateComponent(shape, components::Name(one.name + "_shape"));
    }
    for (const RobotJoint &one : robot.joints) {
        const sim::Entity joint = this->ecm.CreateEntity();
        this->ecm.SetParentEntity(joint, model);
        this->ecm.CreateComponent(joint, components::Joint());
        this->ecm.CreateComponent(joint, components::Name(one.name));
        this->ecm.CreateComponent(joint, components::ParentLinkName(one.parent));
        this->ecm.CreateComponent(joint, components::ChildLinkName(one.child));
        this->ecm.CreateComponent(
            joint,
            components::JointType(one.is_fixed ? sdf::JointType::FIXED : sdf::JointType::REVOLUTE));
        this->above[this->Find(model, one.child)] = this->Find(model, one.parent);
        this->positions[joint] = 0;
    }
}

void World::Load(sim::Entity model, const Robot &robot) {
    sim::EventManager events;
    Running one{model, robot, gazebo::somite_make_plugin()};
    auto *configure = dynamic_cast<sim::ISystemConfigure *>(one.system.get());
    this->running.push_back(one);
    configure->Configure(model, element_of(robot.element), this->ecm, events);
}

sim::Entity World::Spawn(const Robot &robot) {
    const sim::Entity model = this->ecm.CreateEntity();
    this->Build(model, robot);
    this->Load(model, robot);
    return model;
}

void World::Remove(sim::Entity model) {
    this->ecm.RequestRemoveEntity(model);
}

void World::Reset() {
    std::vector<Running> before;
    before.swap(this->running);
    for (Running &one : before) {
        one.system.reset();
        for (const sim::Entity child : this->ecm.Children(one.model)) {
            for (const sim::Entity below : this->ecm.Children(child)) {
                this->ecm.Remove(below);
            }
            this->ecm.Remove(child);
        }
    }
    for (const auto &[hold, child] : std::map<sim::Entity, sim::Entity>(this->attached)) {
        this->ecm.Remove(hold);
    }
    this->attached.clear();
    this->above.clear();
    this->positions.clear();
    this->time = 0;
    for (const Running &one : before) {
        this->Build(one.model, one.robot);
        this->Load(one.model, one.robot);
    }
}

void World::Rewind() {
    const double back = -this->time;
    this->time = 0;
    for (Running &one : this->running) {
        sim::UpdateInfo info;
        info.dt = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            std::chrono::duration<double>(back));
        info.paused = false;
        dynamic_cast<sim::ISystemPreUpdate *>(one.system.get())->PreUpdate(info, this->ecm);
    }
}

sim::Entity World::Find(sim::Entity model, const std::string &name) const {
    for (const sim::Entity child : this->ecm.Children(model)) {
        const auto *named = this->ecm.Component<components::Name>(child);
        if (named != nullptr && named->Data() == name) {
            return child;
        }
    }
    return sim::kNullEntity;
}

double World::Position(sim::Entity model, const std::string &joint) const {
    return this->positions.at(this->Find(model, joint));
}

int World::Holds() const {
    return static_cast<int>(this->attached.size());
}

double World::Force(sim::Entity model, const std::string &link) const {
    const auto found = this->forces.find(this->Find(model, link));
    return found != this->forces.end() ? found->second : 0;
}

void World::Step(int count) {
    for (int i = 0; i < count && this->crash.empty(); i++) {
        this->Update();
    }
}

void World::Update() {
    sim::UpdateInfo info;
    this->time += this->is_paused ? 0 : 1e-3;
    info.dt = std::chrono::milliseconds(this->is_paused ? 0 : 1);
    info.simTime = std::chrono::milliseconds(std::lround(this->time * 1e3));
    info.paused = this->is_paused;
    for (std::size_t i = 0; i < this->running.size(); i++) {
        auto *system = dynamic_cast<sim::ISystemPreUpdate *>(this->running[i].system.get());
        system->PreUpdate(info, this->ecm);
    }
    if (this->has_physics && !this->is_paused) {
        this->Attach();
        this->MoveJoints();
        this->FillSenses();
    }
    this->RemoveWhatWasRequested();
}

bool World::HangsOn(sim::Entity link, sim::Entity top) const {
    std::size_t steps = 0;
    for (auto at = this->above.find(link); link != top; at = this->above.find(link)) {
        if (at == this->above.end() || ++steps > this->above.size()) {
            return false;
        }
        link = at->second;
    }
    return true;
}

// What DART does: a link that floats is moved to where it is held, with all that hangs on it.
void World::Attach() {
    for (sim::Entity hold = 1; hold <= this->ecm.Last(); hold++) {
        const auto *joint = this->ecm.Component<components::DetachableJoint>(hold);
        if (joint == nullptr || this->attached.count(hold) > 0) {
            continue;
        }
        const sim::Entity parent = joint->Data().parentLink, child = joint->Data().childLink;
        if (this->HangsOn(parent, child)) {
            this->crash = "a link was attached to one that hangs on it";
        } else if (this->above.count(child) > 0) {
            this->crash = "a link that hangs on another one was attached";
        }
        this->above[child] = parent;
        this->attached[hold] = child;
    }
}

void World::MoveJoints() {
    for (auto &[joint, position] : this->positions) {
        auto *command = this->ecm.Component<components::JointVelocityCmd>(joint);
        auto *force = this->ecm.Component<components::JointForceCmd>(joint);
        double speed = command != nullptr && !command->Data().empty() ? command->Data()[0] : 0;
        speed *= this->stiffness;
        position += speed * 1e-3;
        if (command != nullptr) {
            command->Data().clear();
        }
        if (force != nullptr) {
            force->Data().clear();
        }
        if (auto *data = this->ecm.Component<components::JointPosition>(joint)) {
            data->Data() = {position};
        }
        if (auto *data = this->ecm.Component<components::JointVelocity>(joint)) {
            data->Data() = {speed};
        }
    }
}

void World::FillSenses() {
    this->forces.clear();
    for (sim::Entity entity = 1; entity <= this->ecm.Last(); entity++) {
        if (auto *wrench = this->ecm.Component<components::ExternalWorldWrenchCmd>(entity)) {
            const double *f = wrench->Data().forces.values;
            this->forces[entity] = std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
            wrench->Data() = gazebo::msgs::Wrench();
        }
        auto *carried = this->ecm.Component<components::JointTransmittedWrench>(entity);
        if (carried != nullptr && this->attached.count(entity) > 0) {
            std::copy(this->load, this->load + 3, carried->Data().forces.values);
        }
        auto *sensor = this->ecm.Component<components::ContactSensorData>(entity);
        const auto *name = this->ecm.Component<components::Name>(entity);
        if (sensor == nullptr || name == nullptr) {
            continue;
        }
        sensor->Data().all.clear();
        for (const auto &[a, b] : this->touching) {
            if (a != name->Data() && b != name->Data()) {
                continue;
            }
            const std::string &other = a == name->Data() ? b : a;
            gazebo::msgs::Contact contact;
            contact.first.number = entity;
            for (sim::Entity k = 1; k <= this->ecm.Last(); k++) {
                const auto *its = this->ecm.Component<components::Name>(k);
                if (its != nullptr && its->Data() == other) {
                    contact.second.number = k;
                }
            }
            sensor->Data().all.push_back(contact);
        }
    }
}

// Models first, as early versions do: a fixed joint that outlives its links is detached from what
// is no more.
void World::RemoveWhatWasRequested() {
    const std::vector<sim::Entity> all = this->ecm.Removals();
    const std::set<sim::Entity> gone(all.begin(), all.end());
    for (const sim::Entity entity : all) {
        if (!this->keeps_systems) {
            for (std::size_t i = 0; i < this->running.size();) {
                i = this->running[i].model == entity
                        ? (this->running.erase(this->running.begin() + static_cast<long>(i)), i)
                        : i + 1;
            }
        }
        const auto hold = this->attached.find(entity);
        if (hold != this->attached.end()) {
            this->above.erase(hold->second);
            this->attached.erase(hold);
        }
        this->positions.erase(entity);
        this->ecm.Remove(entity);
    }
    for (const auto &[hold, child] : this->attached) {
        if (!this->ecm.HasEntity(child)) {
            this->crash = "a fixed joint is left of a model that was removed";
        }
    }
    for (const sim::Entity entity : all) {
        this->above.erase(entity);
    }
}
