// SPDX-License-Identifier: Apache-2.0
// Reading the plugin's element, and finding in the model what it names.

#include "plugins/gazebo/somite_player.hh"

#include "player/graph_text.h"

#include <algorithm>
#include <sstream>

namespace somite {

// ---- reading the element

// "<dof> 'leg.bend': a number was expected: start"
std::string words_of(const char *element, const char *name, const SomElementFault &fault) {
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
    if (fault.kind == SOM_GRAPH_FAULT_MEMORY && needed <= max_memory) {
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
    } else if (kind == "physics") {
        SomElementFault fault{};
        is_read =
            som_element_read_physics(attributes.data(), attributes.count(), &this->fall, &fault);
        why = words_of("physics", nullptr, fault);
    } else if (kind == "contact") {
        return this->ReadContact(child, attributes);
    } else if (kind == "graph") {
        return this->ReadGraph(child, attributes);
    } else { // of a later version, perhaps
        SOMITE_ERROR << "somite: model '" << this->name << "': unknown element <" << kind
                     << "> is ignored" << std::endl;
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

// Beyond 6.6, the dampers of a link's springs (player/weld_spring.c) make it explode.
constexpr double max_share = 6;

// A command for another kind of joint would be an error of the physics in every step.
static bool is_of_kind(const sim::EntityComponentManager &ecm, sim::Entity joint,
                       const SomRobotDof &dof) {
    const auto *type = ecm.Component<components::JointType>(joint);
    return type == nullptr || (dof.is_prismatic ? type->Data() == sdf::JointType::PRISMATIC
                                                : type->Data() == sdf::JointType::REVOLUTE ||
                                                      type->Data() == sdf::JointType::CONTINUOUS);
}

bool Player::BindJoints(sim::EntityComponentManager &ecm) {
    bool is_bound = true;
    for (const SomRobotDof &dof : this->dofs) {
        const sim::Entity joint =
            dof.joint != nullptr ? this->model.JointByName(ecm, dof.joint) : sim::kNullEntity;
        this->joints.push_back(joint);
        if (joint != sim::kNullEntity) {
            if (!is_of_kind(ecm, joint, dof)) {
                is_bound = this->Fail("<dof> '" + std::string(dof.name) + "': the joint '" +
                                      dof.joint + "' of the model is of another kind");
            }
            enable<components::JointPosition>(ecm, joint);
            enable<components::JointVelocity>(ecm, joint);
        } else if (dof.joint != nullptr) {
            is_bound = this->Fail("the model has no joint '" + std::string(dof.joint) +
                                  "' for the DoF '" + dof.name + "'");
        }
    }
    return is_bound;
}

sim::Entity Player::FindLink(const sim::EntityComponentManager &ecm, const char *link,
                             bool &is_bound) {
    const sim::Entity found =
        link != nullptr ? this->model.LinkByName(ecm, link) : sim::kNullEntity;
    if (link != nullptr && found == sim::kNullEntity) {
        is_bound = this->Fail("the model has no link '" + std::string(link) + "'");
    }
    return found;
}

bool Player::BindLinks(sim::EntityComponentManager &ecm) {
    bool is_bound = true;
    for (const SomRobotBody &one : this->bodies) {
        this->links.push_back(this->FindLink(ecm, one.link, is_bound));
    }
    for (const SomRobotWeld &weld : this->welds) {
        const sim::Entity parent = this->FindLink(ecm, weld.parent, is_bound);
        this->sides.emplace_back(parent, this->FindLink(ecm, weld.child, is_bound));
    }
    this->holds.resize(this->welds.size());
    return is_bound;
}

// A spring that is too stiff for the links makes the physics explode, and with it the server; so do
// many springs of one link.
bool Player::BindSprings(const sim::EntityComponentManager &ecm) {
    std::map<sim::Entity, double> shares; // of a link's mass, or of its inertia, in springs
    for (std::size_t i = 0; i < this->welds.size(); i++) {
        const auto *parent = ecm.Component<components::Inertial>(this->sides[i].first);
        const auto *child = ecm.Component<components::Inertial>(this->sides[i].second);
        if (parent == nullptr || child == nullptr) {
            continue;
        }
        double masses[2], moments[2];
        int side = 0;
        for (const auto *one : {parent, child}) {
            const auto &matrix = one->Data().MassMatrix();
            const math::Vector3d its = matrix.PrincipalMoments();
            masses[side] = matrix.Mass();
            moments[side++] = std::max({its.X(), its.Y(), its.Z()});
        }
        if (!som_weld_spring_fits(&this->welds[i], masses, moments)) {
            return this->Fail("<weld> '" + std::string(this->welds[i].name) +
                              "': the links have less mass, or less inertia, in common");
        }
        const SomRobotWeld &weld = this->welds[i];
        for (side = 0; side < 2; side++) {
            double &share = shares[side == 0 ? this->sides[i].first : this->sides[i].second];
            share += std::max(weld.mass / masses[side], weld.inertia / moments[side]);
            if (share > max_share) {
                return this->Fail("<weld> '" + std::string(weld.name) +
                                  "': there are too many springs at one link");
            }
        }
    }
    return true;
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

// Which pieces of the design there are, and which the welds can join.
void Player::FindPieces() {
    const auto count = static_cast<std::int32_t>(this->bodies.size());
    this->pieces.assign(static_cast<std::size_t>(som_piece_count(this->bodies.data(), count)), {});
    this->piece_places.assign(this->pieces.size(), som_body_place_identity());
    this->weld_pieces.clear();
    for (const SomRobotWeld &weld : this->welds) {
        const auto piece_of = [&](const char *link) {
            const std::int32_t found =
                link != nullptr ? som_element_find_body(this->bodies.data(), count, link) : -1;
            return found >= 0 ? this->bodies[static_cast<std::size_t>(found)].piece : 0;
        };
        this->weld_pieces.push_back({piece_of(weld.parent), piece_of(weld.child)});
    }
}

// The link that each link is attached to, by joints of any type; the model, if it is the world.
void Player::BindTree(const sim::EntityComponentManager &ecm) {
    for (const sim::Entity joint : this->model.Joints(ecm)) {
        const auto *parent = ecm.Component<components::ParentLinkName>(joint);
        const auto *child = ecm.Component<components::ChildLinkName>(joint);
        if (parent != nullptr && child != nullptr) {
            const sim::Entity link = this->model.LinkByName(ecm, parent->Data());
            this->above[this->model.LinkByName(ecm, child->Data())] =
                link != sim::kNullEntity ? link : this->model.Entity();
        }
    }
}

// Contacts between links that are not fixed to each other are watched.
void Player::BindCollisions(sim::EntityComponentManager &ecm) {
    std::map<sim::Entity, int> group;
    const std::vector<sim::Entity> all = this->model.Links(ecm);
    for (const sim::Entity link : all) {
        group[link] = static_cast<int>(group.size());
    }
    const auto join = [&](int a, int b) {
        for (auto &one : group) {
            one.second = one.second == a ? b : one.second;
        }
    };
    for (const sim::Entity joint : this->model.Joints(ecm)) {
        const auto *type = ecm.Component<components::JointType>(joint);
        const auto *parent = ecm.Component<components::ParentLinkName>(joint);
        const auto *child = ecm.Component<components::ChildLinkName>(joint);
        if (type != nullptr && type->Data() == sdf::JointType::FIXED && parent != nullptr &&
            child != nullptr) {
            const auto a = group.find(this->model.LinkByName(ecm, parent->Data()));
            const auto b = group.find(this->model.LinkByName(ecm, child->Data()));
            if (a != group.end() && b != group.end()) {
                join(a->second, b->second);
            }
        }
    }
    const auto groups_of = [&](sim::Entity link, const char *names) {
        std::vector<sim::Entity> its{link};
        std::istringstream words(names != nullptr ? names : "");
        for (std::string word; words >> word;) {
            its.push_back(this->model.LinkByName(ecm, word));
        }
        std::set<int> groups;
        for (const sim::Entity one : its) {
            const auto found = group.find(one);
            if (found != group.end()) {
                groups.insert(found->second);
            }
        }
        return groups;
    };
    for (std::size_t i = 0; i < this->welds.size(); i++) { // they touch before they are held
        const SomRobotWeld &weld = this->welds[i];
        for (const int a : groups_of(this->sides[i].first, weld.parent_links)) {
            for (const int b : groups_of(this->sides[i].second, weld.child_links)) {
                this->may_touch.insert(std::minmax(a, b));
            }
        }
    }
    std::map<int, int> sizes;
    for (const sim::Entity link : all) {
        for (const sim::Entity collision : sim::Link(link).Collisions(ecm)) {
            this->group_of[collision] = group[link];
            sizes[group[link]]++;
        }
    }
    this->WatchCollisions(ecm, sizes);
}

// The physics tells a contact on both of its sides: it is enough to look at all groups but one.
void Player::WatchCollisions(sim::EntityComponentManager &ecm, const std::map<int, int> &sizes) {
    const auto largest =
        std::max_element(sizes.begin(), sizes.end(),
                         [](const auto &a, const auto &b) { return a.second < b.second; });
    for (const auto &[collision, group] : this->group_of) {
        if (group != largest->first) {
            enable<components::ContactSensorData>(ecm, collision);
            this->watched.emplace_back(collision, group);
        }
    }
}

bool Player::Bind(sim::EntityComponentManager &ecm) {
    const bool has_joints = this->BindJoints(ecm), has_links = this->BindLinks(ecm);
    this->BindTree(ecm);
    this->BindCollisions(ecm);
    return has_joints && has_links && this->BindSprings(ecm) && this->BindContacts(ecm);
}

} // namespace somite
