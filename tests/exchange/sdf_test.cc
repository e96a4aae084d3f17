// SPDX-License-Identifier: Apache-2.0
// What we write, read by Gazebo's own reader of SDF.

#include "exchange/sdf.h"
#include "player/graph_text.h"
#include "tests/exchange/library_exports.h"

#undef fail // a macro of Check; C++ has a function of this name

#include <cmath>
#include <iostream>
#include <sdf/sdf.hh>
#include <sstream>
#include <string>
#include <vector>

namespace {

using ignition::math::Pose3d;
using ignition::math::Vector3d;

std::string words(SomStr text) {
    return std::string(text.data, text.length);
}

SomBodyModel *model_of(const TestExport *e, bool is_full) {
    SomBodyDef def{};
    def.mechanism = e->mechanism;
    def.graph = e->graph;
    def.is_full = is_full;
    def.contacts = SOM_BODY_CONTACTS_PARENT;
    return som_body_model_create(&def);
}

// Errors and warnings, and whatever the reader prints.
void load(const std::string &text, const TestExport *e, sdf::Root &root) {
    std::ostringstream printed;
    std::streambuf *before = std::cerr.rdbuf(printed.rdbuf());
    sdf::ParserConfig config;
    config.SetWarningsPolicy(sdf::EnforcementPolicy::ERR);
    config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::ERR);
    const sdf::Errors errors = root.LoadSdfString(text, config);
    std::cerr.rdbuf(before);
    ck_assert_msg(errors.empty(), "%s: %s", e->label,
                  errors.empty() ? "" : errors[0].Message().c_str());
    ck_assert_msg(printed.str().empty(), "%s: %s", e->label, printed.str().c_str());
}

double difference(const Pose3d &read, SomPose pose) {
    double worst =
        (read.Pos() - Vector3d(pose.position.x, pose.position.y, pose.position.z)).Length();
    const ignition::math::Matrix3d r(read.Rot());
    for (int i = 0; i < 9; i++) {
        worst = std::fmax(worst, std::fabs(r(std::size_t(i / 3), std::size_t(i % 3)) -
                                           pose.rotation.m[i / 3][i % 3]));
    }
    return worst;
}

// ---- links

void check_links(const TestExport *e, const SomBodyModel *model, const sdf::Model *read) {
    std::vector<SomPose> links(static_cast<std::size_t>(e->mechanism->link_count));
    SomPosture start = som_posture_start(e->design);
    som_mechanism_place(e->mechanism, &start, links.data());
    som_posture_free(&start);
    double worst = 0, mass = 0;
    ck_assert_uint_eq(read->LinkCount(), static_cast<unsigned>(model->body_count));
    for (int i = 0; i < model->body_count; i++) {
        const sdf::Link *link = read->LinkByName(words(model->bodies[i].name));
        ck_assert_msg(link != nullptr, "%s", model->bodies[i].name.data);
        Pose3d pose;
        ck_assert(link->SemanticPose().Resolve(pose, "__model__").empty());
        SomPose ours = links[static_cast<std::size_t>(model->bodies[i].link)];
        ours.position.z += model->lifts[0];
        worst = std::fmax(worst, difference(pose, ours));
        const auto &matter = link->Inertial().MassMatrix();
        ck_assert_msg(matter.IsValid(), "%s: %s", e->label, model->bodies[i].name.data);
        mass += matter.Mass();
    }
    ck_assert_msg(worst <= 1e-9, "%s: %g", e->label, worst);
    ck_assert_msg(std::fabs(mass - e->mechanism->mass) <= 1e-9 * e->mechanism->mass, "%s: %g",
                  e->label, mass);
}

// ---- joints

void check_limits(const TestExport *e, const SomBodyJoint *ours, const sdf::JointAxis *axis) {
    double low = std::isfinite(ours->low) ? ours->low - ours->start : -1e16;
    double high = std::isfinite(ours->high) ? ours->high - ours->start : 1e16;
    ck_assert_msg(axis->Lower() == low && axis->Upper() == high, "%s: limits", e->label);
    ck_assert_msg(!(ours->effort > 0) || axis->Effort() == ours->effort, "%s: effort", e->label);
    // with room where the player keeps them to it: see docs/export.md
    double room = e->graph != nullptr ? 2 : 1;
    ck_assert_msg(!(ours->speed > 0) || axis->MaxVelocity() == room * ours->speed, "%s: speed",
                  e->label);
    ck_assert_msg(axis->Damping() == ours->damping && axis->Friction() == ours->friction,
                  "%s: damping", e->label);
}

void check_joints(const TestExport *e, const SomBodyModel *model, const sdf::Model *read) {
    ck_assert_uint_eq(read->JointCount(), static_cast<unsigned>(model->joint_count));
    for (int i = 0; i < model->joint_count; i++) {
        const SomBodyJoint *ours = &model->joints[i];
        const sdf::Joint *joint = read->JointByName(words(ours->name));
        ck_assert_msg(joint != nullptr, "%s", ours->name.data);
        const std::string child = words(model->bodies[ours->child].name);
        ck_assert(joint->ChildLinkName() == child);
        ck_assert(joint->ParentLinkName() == words(model->bodies[ours->parent].name));
        if (ours->type == SOM_JOINT_FIXED) {
            ck_assert(joint->Type() == sdf::JointType::FIXED);
            continue;
        }
        Pose3d pose;
        Vector3d xyz;
        ck_assert(joint->SemanticPose().Resolve(pose, child).empty());
        ck_assert(joint->Axis(0)->ResolveXyz(xyz, child).empty());
        double off =
            (pose.Pos() - Vector3d(ours->position.x, ours->position.y, ours->position.z)).Length() +
            (xyz - Vector3d(ours->axis.x, ours->axis.y, ours->axis.z)).Length();
        ck_assert_msg(off <= 1e-9, "%s: %s: %g", e->label, ours->name.data, off);
        check_limits(e, ours, joint->Axis(0));
    }
}

// ---- the plugin

void check_plugin(const TestExport *e, const SomBodyModel *model, const sdf::Model *read) {
    const sdf::ElementPtr plugin = read->Element()->FindElement("plugin");
    ck_assert_msg((plugin != nullptr) == (e->graph != nullptr), "%s", e->label);
    if (plugin == nullptr) {
        return;
    }
    int dof = 0;
    for (auto at = plugin->FindElement("dof"); at != nullptr; at = at->GetNextElement("dof")) {
        ck_assert(at->Get<std::string>("name") == words(e->design->dofs[dof].path));
        int joint = model->joint_of[dof++];
        if (joint >= 0) {
            ck_assert(at->Get<std::string>("joint") == words(model->joints[joint].name));
            ck_assert(std::stod(at->Get<std::string>("start")) == model->joints[joint].start);
        } else {
            ck_assert(at->HasAttribute("locked"));
        }
    }
    ck_assert_int_eq(dof, e->design->dof_count);
    // the graph comes back, bit by bit
    const std::string text = plugin->FindElement("graph")->Get<std::string>();
    SomActionGraph graph;
    std::size_t needed = 0;
    som_graph_text_read(text.data(), text.size(), nullptr, 0, &graph, &needed);
    std::vector<double> memory(needed / sizeof(double) + 1);
    SomGraphFault fault =
        som_graph_text_read(text.data(), text.size(), memory.data(), needed, &graph, &needed);
    ck_assert_msg(fault.kind == SOM_GRAPH_FAULT_NONE, "%s: line %d: %s", e->label, fault.line,
                  som_graph_fault_words(fault.kind));
    std::string again(som_graph_text_write(&graph, nullptr, 0) + 1, ' ');
    std::string wanted(som_graph_text_write(e->graph, nullptr, 0) + 1, ' ');
    som_graph_text_write(&graph, &again[0], again.size());
    som_graph_text_write(e->graph, &wanted[0], wanted.size());
    ck_assert_msg(again == wanted, "%s: another graph", e->label);
}

// ---- all of it

struct Kind {
    bool is_full;
    int version;
};

void check(const TestExport *e, void *context) {
    const Kind *kind = static_cast<const Kind *>(context);
    bool is_model_of_all = kind->is_full || kind->version != 0;
    if (is_model_of_all && e->graph != nullptr && som_test_count(0, 1) == 0) {
        return; // a full model, or one of an older version, is the same with all behaviors
    }
    SomBodyModel *model = model_of(e, kind->is_full);
    SomText text{};
    SomSdfDef def{};
    def.model = model;
    def.graph = e->graph;
    def.version = kind->version;
    som_sdf_write_world(&def, &text);
    sdf::Root root;
    load(words(som_text_str(&text)), e, root);
    ck_assert_ptr_nonnull(root.WorldByIndex(0));
    const sdf::Model *read = root.WorldByIndex(0)->ModelByName(words(model->name));
    ck_assert_msg(read != nullptr && read->SelfCollide(), "%s", e->label);
    check_links(e, model, read);
    check_joints(e, model, read);
    check_plugin(e, model, read);
    const std::string first = words(som_text_str(&text));
    som_text_clear(&text);
    som_sdf_write_world(&def, &text);
    ck_assert(first == words(som_text_str(&text))); // the same bytes again
    som_text_free(&text);
    som_body_model_destroy(model);
}

START_TEST(gazebo_reads_every_design_without_a_warning) {
    Kind kind = {false, 0};
    ck_assert_int_gt(test_each_export(check, &kind), 30);
}
END_TEST

START_TEST(gazebo_reads_every_design_in_full) {
    Kind kind = {true, 0};
    test_each_export(check, &kind);
}
END_TEST

void check_model(const TestExport *e, void *context) {
    (void)context;
    SomBodyModel *model = model_of(e, false);
    SomArena arena{};
    SomSdfDef def{};
    def.model = model;
    const SomSdfFile *files;
    int count = som_sdf_export(&def, &arena, &files), meshes = 0;
    for (int i = 0; i < count; i++) {
        if (words(files[i].path) == "model.sdf") {
            sdf::Root root;
            load(words(files[i].content), e, root);
            ck_assert_msg(root.Model() != nullptr, "%s", e->label);
            check_links(e, model, root.Model());
        }
        meshes += words(files[i].path).rfind("meshes/", 0) == 0;
    }
    // every mesh that is named is beside the model
    const std::string text = words(files[1].content);
    for (std::size_t at = 0; (at = text.find("<uri>", at)) != std::string::npos; at++) {
        const std::string path = text.substr(at + 5, text.find("</uri>", at) - at - 5);
        bool is_there = false;
        for (int i = 0; i < count; i++) {
            is_there = is_there || words(files[i].path) == path;
        }
        ck_assert_msg(is_there, "%s: %s", e->label, path.c_str());
    }
    ck_assert_int_eq(meshes, 2);
    som_arena_free(&arena);
    som_body_model_destroy(model);
}

START_TEST(a_model_is_a_folder_with_all_that_it_names) {
    test_export("use \"mtran_quadruped.som\"\nconfig M {\n    part m : MTRANQuadruped\n}\n", "", "",
                check_model, nullptr);
}
END_TEST

START_TEST(older_versions_say_the_same) {
    for (int version = SOM_SDF_OLDEST; version < SOM_SDF_USUAL; version++) {
        Kind kind = {false, version};
        test_export("use \"walkbot.som\"\nconfig W {\n    part w : Walkbot\n}\n", "", "w.walk",
                    check, &kind);
        test_export("use \"triathlete_pair.som\"\nconfig T {\n    part t : TriATHLETEPair\n}\n", "",
                    "", check, &kind);
    }
}
END_TEST

START_TEST(names_may_be_anything) {
    Kind kind = {false, 0};
    test_export(test_hostile_design, "", "", check, &kind);
    test_export(test_hostile_design, "", "go", check, &kind);
}
END_TEST

} // namespace

SOM_SUITE("exchange/sdf", gazebo_reads_every_design_without_a_warning,
          gazebo_reads_every_design_in_full, a_model_is_a_folder_with_all_that_it_names,
          older_versions_say_the_same, names_may_be_anything)
