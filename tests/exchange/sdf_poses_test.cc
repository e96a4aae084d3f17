// SPDX-License-Identifier: Apache-2.0
// Where links stand and joints turn in SDF that we read, told by Gazebo's own reader: texts of our
// own, and many made at random of all that poses may be relative to.

#include "tests/exchange/read_type.h"

#undef fail // a macro of Check; C++ has a function of this name

#include <cmath>
#include <iostream>
#include <map>
#include <random>
#include <sdf/sdf.hh>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using ignition::math::Pose3d;
using ignition::math::Vector3d;

using Files = std::map<std::string, std::string>; // by name; "m.sdf" includes the others

// ---- what Gazebo reads

struct Axis {
    Vector3d origin, direction; // in the model at the top
    bool is_second;
};

struct Model {
    std::map<std::string, Pose3d> links;
    std::map<std::string, std::vector<Axis>> joints;
};

std::string joined(const std::string &scope, const std::string &name) {
    return scope.empty() ? name : scope + "_" + name;
}

void gather(const sdf::Model &model, const Pose3d &at, const std::string &scope, Model &all) {
    for (uint64_t i = 0; i < model.LinkCount(); i++) {
        Pose3d pose;
        const sdf::Link *link = model.LinkByIndex(i);
        ck_assert(link->SemanticPose().Resolve(pose, "__model__").empty());
        all.links[joined(scope, link->Name())] = at * pose;
    }
    for (uint64_t i = 0; i < model.JointCount(); i++) {
        const sdf::Joint *joint = model.JointByIndex(i);
        Pose3d pose;
        ck_assert(joint->SemanticPose().Resolve(pose, "__model__").empty());
        for (unsigned k = 0; k < 2 && joint->Axis(k) != nullptr; k++) {
            Vector3d xyz;
            ck_assert(joint->Axis(k)->ResolveXyz(xyz, "__model__").empty());
            all.joints[joined(scope, joint->Name())].push_back(
                {(at * pose).Pos(), at.Rot() * xyz, k == 1});
        }
    }
    for (uint64_t i = 0; i < model.ModelCount(); i++) {
        Pose3d pose;
        const sdf::Model *inner = model.ModelByIndex(i);
        ck_assert(inner->SemanticPose().Resolve(pose, "__model__").empty());
        gather(*inner, at * pose, joined(scope, inner->Name()), all);
    }
}

std::string shown(const Files &files) {
    std::string text;
    for (const auto &file : files) {
        text += "---- " + file.first + "\n" + file.second + "\n";
    }
    return text.substr(0, 3000); // more is too much for Check
}

// Included files are on the disk, because it reads them from there.
Model read_theirs(const Files &files) {
    char folder[] = "/tmp/somite-sdf-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    const std::string root_path = std::string(folder) + "/";
    for (const auto &file : files) {
        FILE *out = std::fopen((root_path + file.first).c_str(), "w");
        ck_assert_ptr_nonnull(out);
        std::fputs(file.second.c_str(), out);
        std::fclose(out);
    }
    sdf::ParserConfig config;
    const auto find = [&](const std::string &uri) { return root_path + uri; };
    config.SetFindCallback(find);
    sdf::setFindCallback(find); // for files that included ones include
    std::ostringstream printed;
    std::streambuf *before = std::cerr.rdbuf(printed.rdbuf());
    sdf::Root root;
    const sdf::Errors errors = root.LoadSdfString(files.at("m.sdf"), config);
    std::cerr.rdbuf(before);
    for (const auto &file : files) {
        unlink((root_path + file.first).c_str());
    }
    rmdir(folder);
    ck_assert_msg(errors.empty(), "%s\n%s", errors.empty() ? "" : errors[0].Message().c_str(),
                  shown(files).c_str());
    ck_assert_ptr_nonnull(root.Model());
    Model all;
    gather(*root.Model(), Pose3d::Zero, "", all);
    return all;
}

// ---- what we read

SomTestRead read_ours(const Files &files) {
    std::vector<SomStr> paths = {som_str("m.sdf")}, texts = {som_str(files.at("m.sdf").c_str())};
    for (const auto &file : files) {
        if (file.first != "m.sdf") {
            paths.push_back(som_str(file.first.c_str()));
            texts.push_back(som_str(file.second.c_str()));
        }
    }
    SomTestRead r = som_test_read_texts(paths.data(), texts.data(), int(paths.size()), nullptr);
    if (r.type == nullptr) {
        SomText words{};
        som_diagnostics_print(r.diags, 0, &words);
        ck_abort_msg("%s\n%s", words.data, shown(files).c_str());
    }
    return r;
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

// The axis is the same line, and turns the same way.
double difference(const Axis &axis, const SomModuleJoint &joint) {
    const auto &m = joint.frame.rotation.m;
    const Vector3d z(m[0][2], m[1][2], m[2][2]);
    const Vector3d apart =
        Vector3d(joint.frame.position.x, joint.frame.position.y, joint.frame.position.z) -
        axis.origin;
    return (z - axis.direction).Length() + apart.Cross(z).Length();
}

int find_joint(const SomModuleType *type, const std::string &name) {
    for (int i = 0; i < type->joint_count; i++) {
        if (name == std::string(type->joints[i].name.data, type->joints[i].name.length)) {
            return i;
        }
    }
    return -1;
}

// It prints models that are merged and reads that again, which leaves six digits of their numbers.
double tolerance(const Files &files) {
    bool is_merged = false;
    for (const auto &file : files) {
        is_merged = is_merged || file.second.find("merge=") != std::string::npos;
    }
    return is_merged ? 1e-4 : 1e-9;
}

// Returns how many poses and axes were compared.
int check(const Files &files) {
    const double near = tolerance(files);
    const Model theirs = read_theirs(files);
    SomTestRead r = read_ours(files);
    int count = 0;
    for (const auto &link : theirs.links) {
        const int at = som_module_type_find_link(r.type, som_str(link.first.c_str()));
        ck_assert_msg(at >= 0, "no link %s\n%s", link.first.c_str(), shown(files).c_str());
        const double off = difference(link.second, r.type->links[at].frame);
        ck_assert_msg(off <= near, "%s is %g off\n%s", link.first.c_str(), off,
                      shown(files).c_str());
        count++;
    }
    for (const auto &joint : theirs.joints) {
        for (std::size_t i = 0; i < joint.second.size(); i++) {
            const bool is_last = i + 1 == joint.second.size();
            const std::string name = is_last ? joint.first : joint.first + "_axis_1";
            const int at = find_joint(r.type, name);
            ck_assert_msg(at >= 0, "no joint %s\n%s", name.c_str(), shown(files).c_str());
            const double off = difference(joint.second[i], r.type->joints[at]);
            ck_assert_msg(off <= near, "%s is %g off\n%s", name.c_str(), off, shown(files).c_str());
            count++;
        }
    }
    som_test_free_read(&r);
    return count;
}

// ---- texts of our own

std::string model(const std::string &version, const std::string &inside,
                  const std::string &attributes = "") {
    return "<sdf version='" + version + "'><model name='m'" + attributes + ">" + inside +
           "</model></sdf>";
}

std::string link(const std::string &name, const std::string &pose = "") {
    return "<link name='" + name + "'>" + pose + "<inertial><mass>1</mass></inertial></link>";
}

std::string joint(const std::string &name, const std::string &parent, const std::string &child,
                  const std::string &rest, const std::string &type = "revolute") {
    return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" +
           child + "</child>" + rest + "</joint>";
}

START_TEST(handmade_models_stand_as_gazebo_has_them) {
    const std::string z = "<axis><xyz>0 0 1</xyz></axis>";
    const std::string leaning = "<pose>1 2 3 0.4 0.5 0.6</pose>";
    const std::string a = link("a", "<pose>0.1 0.2 0.3 0.7 -0.8 0.9</pose>");
    // the frame of the axis, by version
    for (const char *version : {"1.4", "1.5", "1.6", "1.7", "1.8", "1.9"}) {
        check({{"m.sdf",
                model(version, a + link("b", leaning) +
                                   joint("j", "a", "b", "<pose>0 1 0 0.3 0 0</pose>" + z))}});
    }
    for (const char *version : {"1.5", "1.6"}) {
        const std::string axis =
            "<axis><xyz>0 0.6 0.8</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>";
        check({{"m.sdf", model(version, a + link("b", leaning) + joint("j", "a", "b", axis))}});
    }
    check({{"m.sdf", model("1.9", a + link("b", leaning) +
                                      joint("j", "a", "b",
                                            "<axis><xyz expressed_in='a'>1 2 3</xyz></axis>"
                                            "<axis2><xyz expressed_in='__model__'>0 1 1</xyz>"
                                            "</axis2>",
                                            "universal"))}});
    // chains, through joints, frames and a nested model
    check({{"m.sdf",
            model("1.9", a + link("b", "<pose relative_to='f'>0 0 1 0 0.5 0</pose>") +
                             link("c", "<pose relative_to='n::j'>0 1 0 0.7 0 0</pose>") +
                             "<frame name='f' attached_to='n::p'><pose>1 0 0 0 0 1</pose></frame>"
                             "<model name='n' placement_frame='p'><pose relative_to='a'>1 0 0 0 "
                             "0.2 0</pose>" +
                             link("o", leaning) + link("p", "<pose relative_to='j'/>") +
                             joint("j", "o", "p", "<pose relative_to='o'>1 0 0 0 0 2</pose>" + z) +
                             "</model>" + joint("k", "f", "b", z) + joint("l", "a", "n::o", z) +
                             joint("i", "n::p", "c", z))}});
    // included, and merged
    const std::string hand =
        model("1.9",
              link("o", leaning) + link("p", "<pose>0 0 1 0 1 0</pose>") + joint("j", "o", "p", z));
    for (const char *merge : {"", " merge='true'"}) {
        const std::string child = *merge != 0 ? "p" : "h::p";
        check({{"hand.sdf", hand},
               {"m.sdf", model("1.9", a + "<include" + merge +
                                          "><uri>hand.sdf</uri><name>h</name>"
                                          "<placement_frame>p</placement_frame><pose "
                                          "relative_to='a'>0 2 0 0 0 0.5</pose></include>" +
                                          joint("k", "a", child, z))}});
    }
}
END_TEST

// ---- texts at random

class Maker {
  public:
    Maker(unsigned seed, int minor) : random(seed), minor(minor) {
    }

    Files make() {
        const std::string text = whole(scope(0));
        files["m.sdf"] = text;
        return files;
    }

  private:
    struct Scope {
        std::string text;
        std::vector<std::string> frames; // that poses may be relative to
        std::vector<std::string> links;
    };

    std::mt19937 random;
    int minor;
    int names = 0;
    Files files;

    bool chance(double p) {
        return random() / 4294967296.0 < p;
    }
    double number() {
        return int(random() % 2001) / 1000.0 - 1;
    }
    const std::string &one_of(const std::vector<std::string> &all) {
        return all[random() % all.size()];
    }
    std::string new_name(const char *kind) {
        return kind + std::to_string(names++);
    }
    std::string numbers(int count) {
        std::string text;
        for (int i = 0; i < count; i++) {
            text += (i > 0 ? " " : "") + std::to_string(number());
        }
        return text;
    }
    std::string whole(const Scope &in) {
        return model("1." + std::to_string(minor), in.text);
    }

    // An attribute that names a frame which is there already, so that there are no circles.
    std::string refer(const char *attribute, const Scope &in, double often) {
        if (minor < 7 || in.frames.empty() || !chance(often)) {
            return "";
        }
        const std::string name = chance(0.1) ? "__model__" : one_of(in.frames);
        return std::string(" ") + attribute + "='" + name + "'";
    }
    std::string pose(const Scope &in) {
        const std::string to = refer("relative_to", in, 0.6);
        if (minor >= 9 && chance(0.2)) {
            return "<pose degrees='true'" + to + ">" + numbers(6) + "</pose>";
        }
        if (minor >= 9 && chance(0.2)) {
            return "<pose rotation_format='quat_xyzw'" + to + ">" + numbers(3) +
                   " 0.48 -0.36 0.64 0.48</pose>";
        }
        return chance(0.2) ? "" : "<pose" + to + ">" + numbers(6) + "</pose>";
    }
    std::string axis(const Scope &in, const char *element) {
        const std::string own =
            std::string("<xyz") + refer("expressed_in", in, 0.5) + ">" + numbers(2) + " 1</xyz>";
        const bool is_of_model = (minor == 5 || minor == 6) && chance(0.5);
        return std::string("<") + element + ">" + own +
               (is_of_model ? "<use_parent_model_frame>true</use_parent_model_frame>" : "") + "</" +
               element + ">";
    }

    void add_joint(Scope &in, const std::string &parent, const std::string &child) {
        static const char *const types[] = {"revolute", "prismatic", "fixed", "universal"};
        const std::string type = types[random() % 4], name = new_name("j");
        std::string rest = pose(in);
        rest += type != "fixed" ? axis(in, "axis") : "";
        rest += type == "universal" ? axis(in, "axis2") : "";
        in.text += joint(name, parent, child, rest, type);
        in.frames.push_back(name);
    }
    void add_link(Scope &in) {
        const std::string name = new_name("l");
        in.text += link(name, pose(in));
        if (!in.links.empty()) {
            add_joint(in, one_of(in.links), name);
        }
        in.links.push_back(name);
        in.frames.push_back(name);
    }
    void add_frame(Scope &in) {
        const std::string name = new_name("f");
        in.text += "<frame name='" + name + "'" + refer("attached_to", in, 0.7) + ">" + pose(in) +
                   "</frame>";
        in.frames.push_back(name);
    }

    // By itself, included or merged; one of its links is joined to one that was there.
    void add_model(Scope &in, int depth) {
        const std::string name = new_name("n");
        const int kind = int(random() % (minor >= 9 ? 3 : 2));
        Scope inner = scope(depth + 1);
        const std::string placement = chance(0.5) ? one_of(inner.frames) : "";
        if (kind == 0) {
            const std::string attribute =
                minor >= 8 && !placement.empty() ? " placement_frame='" + placement + "'" : "";
            in.text +=
                "<model name='" + name + "'" + attribute + ">" + pose(in) + inner.text + "</model>";
        } else {
            std::string at = pose(in);
            at = at.empty() ? "<pose>0 0 0 0 0 0</pose>" : at;
            files[name + ".sdf"] = whole(inner);
            in.text += std::string("<include") + (kind == 2 ? " merge='true'" : "") + "><uri>" +
                       name + ".sdf</uri><name>" + name + "</name>" + at +
                       (minor >= 8 && !placement.empty()
                            ? "<placement_frame>" + placement + "</placement_frame>"
                            : "") +
                       "</include>";
        }
        const std::string before = kind == 2 ? "" : name + "::";
        add_joint(in, one_of(in.links), before + one_of(inner.links));
        for (const auto &frame : inner.frames) {
            in.frames.push_back(before + frame);
        }
        for (const auto &each : inner.links) {
            in.links.push_back(before + each);
        }
        if (kind != 2) {
            in.frames.push_back(name);
        }
    }

    Scope scope(int depth) {
        Scope in;
        const int count = 2 + int(random() % 5);
        add_link(in);
        for (int i = 0; i < count; i++) {
            if (minor >= 8 && depth < 2 && chance(depth == 0 ? 0.4 : 0.2)) {
                add_model(in, depth);
            } else if (minor >= 7 && chance(0.3)) {
                add_frame(in);
            } else {
                add_link(in);
            }
        }
        return in;
    }
};

START_TEST(random_models_stand_as_gazebo_has_them) {
    int compared = 0;
    const int count = som_test_count(25, 400);
    for (int minor = 4; minor <= 9; minor++) {
        for (int i = 0; i < count; i++) {
            compared += check(Maker(unsigned(1000 * minor + i), minor).make());
        }
    }
    ck_assert_int_gt(compared, 20 * count);
}
END_TEST

} // namespace

SOM_SUITE("exchange/sdf_poses", handmade_models_stand_as_gazebo_has_them,
          random_models_stand_as_gazebo_has_them)
