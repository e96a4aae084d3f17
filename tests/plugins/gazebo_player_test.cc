// SPDX-License-Identifier: Apache-2.0
// The plugin for Gazebo in a world of our own: what it does when models come and go, rings close,
// docks break, time is set back, and others talk to it.

#include "tests/plugins/gazebo_world.hh"
#include "tests/suite.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>
#include <unistd.h>

// ---- robots

static const char arm_graph[] = R"(<graph name="wave">somite-graph 1
dof "a.bend"
dof "b.bend"
series
 position 0 0.5 timeout 3
 position 1 -0.25 timeout 3
end
</graph>)";

static std::string dof(const std::string &name, const std::string &more = "") {
    return "<dof name=\"" + name + ".bend\" joint=\"" + name +
           "\" kind=\"revolute\" axis=\"0 0 1\" start=\"0\" low=\"-2\" high=\"2\" speed=\"3\"" +
           more + "/>";
}

static std::string body(const std::string &link, const std::string &more = "") {
    return "<body link=\"" + link +
           "\" mass=\"0.2\" center=\"0 0 0.05\" up=\"0 0 1\" upright=\"0.2\"" + more + "/>";
}

static gazebo::math::Pose3d at(double x, double y, double z) {
    return {gazebo::math::Vector3d(x, y, z), gazebo::math::Quaterniond()};
}

static Robot arm(const std::string &more = "", const std::string &graph = arm_graph) {
    return {"Arm",
            {{"base", at(0, 0, 0.1)}, {"middle", at(0.1, 0, 0.1)}, {"tip", at(0.2, 0, 0.1)}},
            {{"a", "base", "middle", false}, {"b", "middle", "tip", false}},
            dof("a") + dof("b") + body("base", " base=\"0 0 0 0 0 0 1\"") + body("middle") +
                body("tip") + more + graph};
}

static const char ring_dock[] =
    "<weld name=\"d\" dock=\"d\" state=\"open\" reach=\"0.005\" mass=\"0.1\" inertia=\"1e-4\""
    " parent=\"tip\" child=\"base\" position=\"-0.2 0 0\" quaternion_xyzw=\"0 0 0 1\"/>";

static const char dock_graph[] = R"(<graph name="close">somite-graph 1
dof "a.bend"
dof "b.bend"
dock "d"
series
 connect 0 timeout 1
 wait during 0.5
 disconnect 0 timeout 1
 wait during 0.2
end
</graph>)";

static const char effort_graph[] = R"(<graph name="push">somite-graph 1
dof "a.bend"
dof "b.bend"
velocity 0 0.1 until ( effort 0 number 5 > ) timeout 9
</graph>)";

// Of this process: the test may run twice at a time.
static std::string file_of(const std::string &stem, const std::string &end = "") {
    return stem + std::to_string(getpid()) + end + ".csv";
}

static std::string state_of(const std::string &name) {
    return last_on("/model/" + name + "/somite/state");
}

static void check_has(const std::string &text, const std::string &part) {
    ck_assert_msg(text.find(part) != std::string::npos, "'%s' is not in:\n%s", part.c_str(),
                  text.c_str());
}

static void check_no_crash(const World &world) {
    ck_assert_msg(world.crash.empty(), "%s", world.crash.c_str());
}

// ---- loading and running

START_TEST(a_behavior_is_played_to_its_end) {
    World world;
    const sim::Entity model = world.Spawn(arm());
    world.Step(2000);
    check_no_crash(world);
    check_has(state_of("Arm"), "outcome completed");
    ck_assert_double_lt(std::abs(world.Position(model, "a") - 0.5), 0.03);
    ck_assert_double_lt(std::abs(world.Position(model, "b") + 0.25), 0.03);
}
END_TEST

// ---- inputs

static const char input_graph[] = R"(<graph name="look">somite-graph 1
dof "a.bend"
dof "b.bend"
input "light" topic "/light"
input "ready" steps ( 0 0 0.5 1 )
series
 wait until ( input 1 )
 wait until ( input 0 number 0.5 > ) timeout 2
 position 0 0.5 timeout 3
end
</graph>)";

START_TEST(inputs_come_from_tables_and_topics) {
    World world;
    const sim::Entity model = world.Spawn(arm("", input_graph));
    world.Step(400);
    send_number("/light", "gz.msgs.Color", 1); // no number
    send_number("/light", "gz.msgs.Double", 0.25);
    world.Step(400);
    check_no_crash(world);
    ck_assert_double_lt(std::abs(world.Position(model, "a")), 0.01);
    send_number("/light", "ignition.msgs.Float", 0.75);
    world.Step(1000);
    check_no_crash(world);
    ck_assert_double_lt(std::abs(world.Position(model, "a") - 0.5), 0.03);
    check_has(state_of("Arm"), "outcome completed");
}
END_TEST

START_TEST(an_input_that_nobody_sends_is_false) {
    World world;
    const sim::Entity model = world.Spawn(arm("", input_graph));
    world.Step(4000);
    check_no_crash(world);
    check_has(state_of("Arm"), "outcome timeout");
    ck_assert_double_lt(std::abs(world.Position(model, "a") - 0.5), 0.03);
}
END_TEST

// ---- models that come and go

static void remove_and_respawn(bool keeps_systems, const std::string &more, const char *graph) {
    World world;
    world.keeps_systems = keeps_systems;
    const sim::Entity model = world.Spawn(arm(more, graph));
    world.Step(20);
    world.Remove(model);
    world.Step(20);
    check_no_crash(world);
    ck_assert_int_eq(publishers_of("/model/Arm/somite/state"), 0); // no ghost
    const sim::Entity again = world.Spawn(arm(more, graph));
    world.Step(20);
    check_no_crash(world);
    ck_assert_int_eq(publishers_of("/model/Arm/somite/state"), 1);
    ck_assert_uint_ne(model, again);
}

START_TEST(a_model_can_be_removed_and_spawned_again) {
    remove_and_respawn(false, "", arm_graph);
    remove_and_respawn(true, "", arm_graph);
}
END_TEST

START_TEST(a_model_with_a_trace_can_be_removed) {
    remove_and_respawn(false, "<trace file=\"" + file_of("removed") + "\"/>", arm_graph);
    remove_and_respawn(true, "<trace file=\"" + file_of("removed") + "\"/>", arm_graph);
    for (const char *end : {"", "-2", "-3", "-4"}) {
        std::remove(file_of("removed", end).c_str());
    }
}
END_TEST

START_TEST(a_model_that_senses_efforts_can_be_removed) {
    remove_and_respawn(true, "", effort_graph);
}
END_TEST

// ---- rings and docks

START_TEST(closing_a_ring_does_not_attach_a_link_to_its_own_descendant) {
    World world;
    const sim::Entity model = world.Spawn(arm(ring_dock, dock_graph));
    world.ecm.CreateComponent(world.Find(model, "tip"), sim::components::Pose(at(0.201, 0, 0.1)));
    world.Step(300);
    check_no_crash(world);
    ck_assert_int_eq(world.Holds(), 0); // a spring holds it
    ck_assert_double_gt(world.Force(model, "tip"), 1);
    ck_assert_double_eq_tol(world.Force(model, "base"), world.Force(model, "tip"), 1e-9);
    world.Step(1000); // it has opened again
    ck_assert_double_eq(world.Force(model, "tip"), 0);
    check_has(state_of("Arm"), "outcome completed");
}
END_TEST

START_TEST(a_ring_that_is_closed_from_the_start_is_no_crash) {
    World world;
    world.Spawn(arm("<weld name=\"k\" mass=\"0.1\" inertia=\"1e-4\" parent=\"tip\" child=\"base\""
                    " position=\"-0.2 0 0\" quaternion_xyzw=\"0 0 0 1\"/>"));
    world.Step(300);
    check_no_crash(world);
}
END_TEST

// The state "open" of a dock is passed to graphs by who plays; here it closes and holds.
static const char hold_graph[] = R"(<graph name="hold">somite-graph 1
dof "a.bend"
dock "d"
series
 connect 0 timeout 1
 wait during 3
end
</graph>)";

// Two pieces, 3 mm from where the dock would hold them.
static Robot two_pieces(const std::string &more) {
    return {"Pair",
            {{"base", at(0, 0, 0.1)}, {"middle", at(0.1, 0, 0.1)}, {"other", at(0.203, 0, 0.1)}},
            {{"a", "base", "middle", false}},
            dof("a") + body("base", " base=\"0 0 0 0 0 0 1\"") + body("middle") + body("other") +
                "<weld name=\"d\" dock=\"d\" state=\"open\" reach=\"0.005\" mass=\"0.1\" "
                "inertia=\"1e-4\" parent=\"middle\" child=\"other\" position=\"0.1 0 0\" "
                "quaternion_xyzw=\"0 0 0 1\"" +
                more + "/>" + hold_graph};
}

START_TEST(a_dock_that_closes_is_pulled_into_its_mated_pose_and_then_fixed) {
    World world;
    const sim::Entity model = world.Spawn(two_pieces(""));
    world.Step(100);
    ck_assert_int_eq(world.Holds(), 0);
    ck_assert_double_eq_tol(world.Force(model, "other"), 4 * 0.05 * 0.1 * 1e6 * 3e-3, 1);
    ck_assert_double_eq_tol(world.Force(model, "middle"), world.Force(model, "other"), 1e-9);
    world.ecm.CreateComponent(world.Find(model, "other"), sim::components::Pose(at(0.2, 0, 0.1)));
    world.Step(2);
    ck_assert_int_eq(world.Holds(), 1);
    ck_assert_double_eq(world.Force(model, "other"), 0);
    world.Remove(model);
    world.Step(2);
    check_no_crash(world);
}
END_TEST

START_TEST(a_dock_that_cannot_align_is_fixed_after_a_while) {
    World world;
    world.Spawn(two_pieces(""));
    world.Step(1000);
    ck_assert_int_eq(world.Holds(), 1);
    check_no_crash(world);
}
END_TEST

START_TEST(a_dock_tears_off_as_in_the_embedded_run) {
    const std::string limits = " tension=\"10\" face=\"0 0 0\" outward=\"-1 0 0\"";
    for (const double pull : {9.0, 11.0}) {
        clear_topics();
        World world;
        const sim::Entity model = world.Spawn(two_pieces(limits));
        world.ecm.CreateComponent(world.Find(model, "other"),
                                  sim::components::Pose(at(0.2, 0, 0.1)));
        world.load[0] = -pull; // on the child, to its parent: it is pulled away with as much
        world.Step(4000);
        check_no_crash(world);
        ck_assert_int_eq(world.Holds(), pull > 10 ? 0 : 1);
        check_has(state_of("Pair"), pull > 10 ? "outcome dock broke" : "outcome completed");
        if (pull > 10) {
            check_has(console(), "dock 'd' broke after 0.");
        }
    }
}
END_TEST

START_TEST(a_loop_that_nothing_holds_is_reported) {
    const std::string loop = "<weld name=\"k\" parent=\"tip\" child=\"base\" position=\"-0.2 0 0\" "
                             "quaternion_xyzw=\"0 0 0 1\"/>";
    clear_topics();
    World world;
    world.Spawn(arm(loop)); // as earlier versions export it
    world.Step(2000);
    check_no_crash(world);
    check_has(state_of("Arm"), "outcome loop open");
    check_has(console(), "'k' closes a loop and cannot be held");
}
END_TEST

START_TEST(a_loop_that_opens_is_reported) {
    clear_topics();
    World world;
    world.Spawn(arm("<weld name=\"k\" mass=\"0.1\" inertia=\"1e-4\" parent=\"tip\" child=\"base\""
                    " position=\"-0.18 0 0\" quaternion_xyzw=\"0 0 0 1\"/>"));
    world.Step(2000);
    check_has(state_of("Arm"), "outcome loop open");
    check_has(console(), "'k' is open");
}
END_TEST

START_TEST(what_is_far_away_is_not_pulled) {
    clear_topics();
    World world;
    const sim::Entity model = world.Spawn(
        arm("<weld name=\"k\" mass=\"0.1\" inertia=\"1e-4\" parent=\"tip\" child=\"base\""
            " position=\"1e6 0 0\" quaternion_xyzw=\"0 0 0 1\"/>"));
    world.Step(1);
    ck_assert_double_eq(world.Force(model, "tip"), 0);
    world.Step(2000);
    check_has(state_of("Arm"), "outcome loop open");
    check_has(console(), "'k' cannot be held: its two links are too far from each other");
}
END_TEST

START_TEST(a_dock_that_is_far_away_is_not_fixed) {
    World world;
    Robot robot = two_pieces("");
    robot.links[2].pose = at(5, 0, 0.1);
    robot.element.replace(robot.element.find("state=\"open\""), 12, "state=\"closed\"");
    world.Spawn(robot);
    world.Step(1000);
    ck_assert_int_eq(world.Holds(), 0);
}
END_TEST

// ---- outcomes

START_TEST(a_robot_that_explodes_is_let_go) {
    clear_topics();
    World world;
    const sim::Entity model = world.Spawn(
        arm("<weld name=\"k\" mass=\"0.1\" inertia=\"1e-4\" parent=\"tip\" child=\"base\""
            " position=\"-0.21 0 0\" quaternion_xyzw=\"0 0 0 1\"/>"));
    world.Step(10);
    ck_assert_double_gt(world.Force(model, "tip"), 1);
    world.stiffness = 1e6;
    world.Step(10);
    check_has(state_of("Arm"), "outcome diverged");
    check_has(console(), "the physics has left all bounds");
    ck_assert_double_eq(world.Force(model, "tip"), 0);
}
END_TEST

START_TEST(links_that_touch_on_the_way_have_collided) {
    clear_topics();
    World world;
    world.touching = {{"base_shape", "middle_shape"}}; // from the start: made to
    world.Spawn(arm());
    world.Step(100);
    world.touching.emplace_back("tip_shape", "ground_shape");
    world.Step(100);
    check_has(state_of("Arm"), "outcome running");
    world.touching.emplace_back("tip_shape", "base_shape");
    world.Step(2000);
    check_has(state_of("Arm"), "outcome collided");
    check_has(console(), "'tip_shape' collided with 'base_shape'");
    clear_topics();
    World later;
    later.Spawn(arm());
    later.Step(2000);
    later.touching.emplace_back("tip_shape", "base_shape");
    later.Step(1000);
    check_has(state_of("Arm"), "outcome completed"); // that was after the end
}
END_TEST

START_TEST(links_that_are_fixed_or_docked_to_each_other_may_touch) {
    World world;
    Robot robot = arm(std::string(ring_dock).insert(6, "child_links=\"base middle\" "));
    robot.links.push_back({"cover", at(0.1, 0, 0.1)});
    robot.joints.push_back({"f", "middle", "cover", true});
    robot.element.replace(robot.element.find("dof \"b.bend\"\n"), 13,
                          "dof \"b.bend\"\ndock \"d\"\n");
    world.Spawn(robot);
    world.Step(100);
    world.touching = {{"cover_shape", "middle_shape"},
                      {"tip_shape", "base_shape"},
                      {"middle_shape", "tip_shape"}};
    world.Step(2000);
    check_has(state_of("Arm"), "outcome completed");
}
END_TEST

START_TEST(a_robot_that_does_not_come_on_is_stuck) {
    clear_topics();
    World world;
    world.stiffness = 0;
    world.Spawn(arm());
    world.Step(1500);
    check_has(state_of("Arm"), "outcome stuck");
    check_has(console(), "'wave' stuck");
    world.stiffness = 1;
    world.Step(500);
    check_has(state_of("Arm"), "outcome completed");
}
END_TEST

START_TEST(a_world_without_physics_moves_nothing) {
    clear_topics();
    World world;
    world.has_physics = false;
    world.Spawn(arm());
    world.Step(100);
    check_has(state_of("Arm"), "outcome nothing moves");
    check_has(console(), "no physics");
}
END_TEST

// ---- topics

START_TEST(names_with_blanks_keep_their_topics) {
    clear_topics();
    World world;
    Robot robot = arm();
    robot.name = "My arm 2";
    world.Spawn(robot);
    world.Step(10);
    check_has(state_of("My_arm_2"), "status running");
    send_request("/model/My_arm_2/somite/request", "pause");
    world.Step(1);
    check_has(state_of("My_arm_2"), "status paused");
}
END_TEST

START_TEST(every_request_gets_an_answer) {
    const std::string asked = "/model/Arm/somite/request", answered = "/model/Arm/somite/answer";
    clear_topics();
    World world;
    world.Spawn(arm());
    world.Step(5);
    const auto answer = [&](const std::string &text) {
        send_request(asked, text);
        world.Step(1);
        return last_on(answered);
    };
    check_has(answer("pause"), "accepted \"pause\"");
    check_has(answer("pause"), "refused \"pause\": already paused");
    check_has(answer("resume"), "accepted \"resume\"");
    check_has(answer("resume"), "refused \"resume\": not paused");
    check_has(answer("jump\n\"up\""), "refused \"jump??up?\": unknown request; use pause, resume");
    check_has(answer("start swim"), "behavior not found");
    check_has(answer("cancel"), "accepted");
    check_has(answer("cancel"), "refused \"cancel\": the behavior has ended");
    check_has(answer("start wave"), "accepted \"start wave\"");
    check_has(state_of("Arm"), "status running");
    world.is_paused = true;
    for (int i = 0; i < 70; i++) {
        send_request(asked, "pause");
    }
    send_request(asked, std::string(5000, 'x'));
    world.Step(1);
    check_has(last_on(answered), "dropped 7 requests: at most 64 wait");
    check_has(answer(std::string(300, 'y')), "dropped 1 request: at most");
    world.is_paused = false;
    world.Step(1);
    ck_assert_uint_ge(heard_on(answered).size(), 64 + 11);
}
END_TEST

static std::string many_welds() {
    std::string all;
    for (int i = 0; i < 20; i++) {
        all += "<weld name=\"w" + std::to_string(i) +
               "\" parent=\"tip\" child=\"base\" mass=\"0.1\" inertia=\"1e-4\"/>";
    }
    return all;
}

START_TEST(what_does_not_fit_stands_still_and_says_why) {
    const std::string body_of_arm = body("base"), good = dof("a") + dof("b");
    const std::string bad[][2] = {
        {good + "<graph name=\"g\">somite-graph 7</graph>", "<graph> 'g', line 1"},
        {dof("a") + dof("c") + arm_graph, "no joint 'c'"},
        {dof("a") + arm_graph, "another number of DoF"},
        {good, "the plugin has no <graph>"},
        {good + "<weld name=\"w\" parent=\"x\" child=\"y\"/>" + arm_graph, "no link 'x'"},
        {"<dof name=\"a.bend\" joint=\"a\" kind=\"screw\" axis=\"0 0 1\"/>" + dof("b") + arm_graph,
         "revolute or prismatic: 'kind'"},
        {"<dof name=\"a.bend\" joint=\"a\" kind=\"prismatic\" axis=\"0 0 1\"/>" + dof("b") +
             arm_graph,
         "joint 'a' of the model is of another kind"},
        {good + "<weld name=\"w\" parent=\"tip\" child=\"base\" mass=\"1\" inertia=\"1e-4\"/>" +
             arm_graph,
         "<weld> 'w': the links have less mass"},
        {good + many_welds() + arm_graph, "too many springs at one link"},
        {"<dof name=\"a.bend\" joint=\"a\" axis=\"0 0 0\"/>" + dof("b") + arm_graph,
         "a direction of length 1 was expected: 'axis'"},
        {good + "<contact name=\"f\"><shape link=\"base\"/></contact>" + arm_graph, "needs a link"},
    };
    for (const auto &[element, why] : bad) {
        clear_topics();
        World world;
        Robot robot = arm();
        robot.element = element;
        const sim::Entity model = world.Spawn(robot);
        world.Step(3);
        check_has(console(), why);
        send_request("/model/Arm/somite/request", "start");
        world.Step(3);
        check_has(last_on("/model/Arm/somite/answer"), "the robot stands still: ");
        ck_assert_double_eq(world.Position(model, "a"), 0);
        world.Remove(model);
        world.Step(2);
        check_no_crash(world);
    }
    clear_topics();
    World world;
    world.Spawn(arm("<propeller/>"));
    world.Step(2000);
    check_has(console(), "unknown element <propeller> is ignored");
    check_has(state_of("Arm"), "outcome completed");
}
END_TEST

START_TEST(requests_may_come_while_models_come_and_go) {
    std::atomic<bool> is_over{false};
    std::thread sender([&] {
        for (int i = 0; !is_over; i++) {
            send_request("/model/Arm/somite/request", i % 3 == 0   ? "pause"
                                                      : i % 3 == 1 ? "resume"
                                                                   : "start");
        }
    });
    for (int i = 0; i < 40; i++) {
        World world;
        world.keeps_systems = i % 2 == 0;
        const sim::Entity model = world.Spawn(arm());
        world.Step(10);
        if (i % 4 < 2) {
            world.Remove(model);
            world.Step(5);
        }
        check_no_crash(world);
    }
    is_over = true;
    sender.join();
}
END_TEST

// ---- traces

static std::string content_of(const std::string &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

static long lines_of(const std::string &path) {
    const std::string text = content_of(path);
    return std::count(text.begin(), text.end(), '\n');
}

START_TEST(two_robots_do_not_share_a_trace) {
    World world;
    const std::string file = file_of("shared"), other = file_of("shared", "-2");
    Robot first = arm("<trace file=\"" + file + "\"/>"), second = first;
    second.name = "Second";
    world.Spawn(first);
    world.Spawn(second);
    world.Step(101);
    ck_assert_int_eq(lines_of(file), 1 + 11);
    ck_assert_int_eq(lines_of(other), 1 + 11);
    check_has(console(), "model 'Second' writes '" + other + "'");
    std::remove(file.c_str());
    std::remove(other.c_str());
}
END_TEST

static void set_back(bool is_rewind, const char *stem) {
    const std::string name = file_of(stem), second = file_of(stem, "-2");
    clear_topics();
    World world;
    const sim::Entity model = world.Spawn(arm("<trace file=\"" + name + "\"/>"));
    world.Step(1001);
    is_rewind ? world.Rewind() : world.Reset();
    world.Step(301);
    check_no_crash(world);
    ck_assert_int_eq(lines_of(name), 1 + 101);
    ck_assert_int_eq(lines_of(second), 1 + 31);
    check_has(content_of(second), "t,x,y,z");
    check_has(content_of(second), "\n0,");
    world.Step(2000);
    check_has(state_of("Arm"), "outcome completed");
    ck_assert_double_lt(std::abs(world.Position(model, "a") - 0.5), 0.03);
    std::remove(name.c_str());
    std::remove(second.c_str());
}

START_TEST(a_reset_of_the_world_keeps_the_trace_and_begins_another) {
    set_back(false, "reset");
}
END_TEST

START_TEST(time_that_goes_back_begins_the_behavior_again) {
    set_back(true, "rewound");
}
END_TEST

START_TEST(a_trace_that_cannot_be_written_is_an_error) {
    for (const std::string file : {"/dev/full", "no/such/folder/trace.csv"}) {
        clear_topics();
        World world;
        world.Spawn(arm("<trace file=\"" + file + "\"/>"));
        world.Step(2000);
        check_has(console(), "cannot write '" + file + "': ");
        check_has(state_of("Arm"), "outcome completed");
    }
}
END_TEST

SOM_SUITE("plugins/gazebo_player", a_behavior_is_played_to_its_end,
          inputs_come_from_tables_and_topics, an_input_that_nobody_sends_is_false,
          a_model_can_be_removed_and_spawned_again, a_model_with_a_trace_can_be_removed,
          a_model_that_senses_efforts_can_be_removed,
          closing_a_ring_does_not_attach_a_link_to_its_own_descendant,
          a_ring_that_is_closed_from_the_start_is_no_crash,
          a_dock_that_closes_is_pulled_into_its_mated_pose_and_then_fixed,
          a_dock_that_cannot_align_is_fixed_after_a_while, a_dock_tears_off_as_in_the_embedded_run,
          a_loop_that_nothing_holds_is_reported, a_loop_that_opens_is_reported,
          what_is_far_away_is_not_pulled, a_dock_that_is_far_away_is_not_fixed,
          a_robot_that_explodes_is_let_go, links_that_touch_on_the_way_have_collided,
          links_that_are_fixed_or_docked_to_each_other_may_touch,
          a_robot_that_does_not_come_on_is_stuck, a_world_without_physics_moves_nothing,
          names_with_blanks_keep_their_topics, every_request_gets_an_answer,
          what_does_not_fit_stands_still_and_says_why, requests_may_come_while_models_come_and_go,
          two_robots_do_not_share_a_trace, a_reset_of_the_world_keeps_the_trace_and_begins_another,
          time_that_goes_back_begins_the_behavior_again, a_trace_that_cannot_be_written_is_an_error)
