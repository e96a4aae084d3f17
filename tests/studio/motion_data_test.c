// Tests for studio/motion_data.c, studio/motion_tracks.c, studio/motion_blocks.c and
// studio/motion_words.c: what a timeline shows of a motion, and which blocks its rows are.

// SPDX-License-Identifier: Apache-2.0

#include "studio/motion_blocks.h"
#include "studio/motion_words.h"
#include "tests/compose/texts.h"

#include <math.h>

#define DESIGN                                                                                     \
    "use \"smores.m3l\"\n"                                                                         \
    "config Pair {\n"                                                                              \
    "    part a, b : Leg\n"                                                                        \
    "    connect a.B to b.T\n"                                                                     \
    "    behavior walk = series(\n"                                                                \
    "        a.lift,\n"                                                                            \
    "        parallel(for p in 1..2: if odd(p) then b.lift(20deg) else wait 1s),\n"                \
    "        any(b.bend to 90deg, wait 100ms),\n"                                                  \
    "        a.bend to 60deg timeout 50ms,\n"                                                      \
    "        repeat 2: series(own, wait 200ms))\n"                                                 \
    "    behavior own = b.bend to 0deg\n"                                                          \
    "    behavior clash = parallel(a.bend to 30deg, a.bend to -30deg)\n"                           \
    "    behavior goOn = repeat forever: b.pan by 0.777deg\n"                                      \
    "    verify { mostTime = 5s }\n"                                                               \
    "}\n"                                                                                          \
    "config Leg is SMORES {\n"                                                                     \
    "    behavior lift(to: angle = 10deg) = series(bend to to, wait 100ms)\n"                      \
    "}\n"

typedef struct Fixture {
    SomProject *project;
    SomDesk *desk;
    SomMotionRecord *record; // verified
    const SomTimelineModel *model;
} Fixture;

static Fixture begin(const char *behavior) {
    Fixture f = {.project = som_project_create(som_str(test_library))};
    som_project_begin(f.project, SOM_STR(""), SOM_STR(""), SOM_STR(DESIGN));
    f.desk = som_desk_create(f.project);
    som_desk_choose(f.desk, som_str(behavior));
    SomBehaviorTexts texts = {0};
    som_text_add(&texts.library, som_str(test_library));
    som_text_add(&texts.path, SOM_STR("Untitled.som"));
    som_text_add(&texts.text, SOM_STR(DESIGN));
    som_text_add(&texts.choice, SOM_STR("Pair"));
    som_text_add(&texts.behavior, som_str(behavior));
    SomMotionScene *scene = som_motion_scene_create(&texts, NULL);
    ck_assert_msg(scene->graph != NULL, "%s", som_text_str(&scene->words).data);
    f.record = som_motion_record_create(scene, som_motion_scene_verify(scene, NULL), 1);
    f.model = f.record->data->model;
    som_motion_scene_release(scene);
    return f;
}

static void end(Fixture *f) {
    som_motion_record_release(f->record);
    som_desk_destroy(f->desk);
    som_project_destroy(f->project);
}

// The nth row with this title.
static int find_row(const Fixture *f, const char *title, int nth) {
    for (int i = 0; i < f->model->data.row_count; i++) {
        if (som_str_equal(f->model->data.rows[i].title, som_str(title)) && nth-- == 0) {
            return i;
        }
    }
    ck_abort_msg("there is no row '%s'", title);
    return -1;
}

static const SomTimelineBar *bar_of(const Fixture *f, const char *title, int nth, int bar) {
    int row = find_row(f, title, nth);
    ck_assert_int_lt(f->model->row_begins[row] + bar, f->model->row_begins[row + 1]);
    return &f->model->data.bars[f->model->row_begins[row] + bar];
}

static int bars_of(const Fixture *f, int row) {
    return f->model->row_begins[row + 1] - f->model->row_begins[row];
}

START_TEST(rows_lie_in_each_other_as_actions_do) {
    Fixture f = begin("walk");
    static const struct {
        const char *title;
        int depth;
    } wanted[] = {{"walk · series", 0},
                  {"a.lift · series", 1},
                  {"bend to 10deg", 2},
                  {"wait", 2},
                  {"parallel", 1},
                  {"b.lift · series", 2},
                  {"bend to 20deg", 3},
                  {"wait", 3},
                  {"wait", 2},
                  {"any", 1},
                  {"b.bend to 90deg", 2},
                  {"wait", 2},
                  {"a.bend to 60deg", 1},
                  {"repeat 2", 1},
                  {"series", 2},
                  {"b.bend to 0deg", 3},
                  {"wait", 3}};
    int count = sizeof wanted / sizeof *wanted;
    for (int i = 0; i < count && i < f.model->data.row_count; i++) {
        SomStr title = f.model->data.rows[i].title;
        ck_assert_msg(som_str_equal(title, som_str(wanted[i].title)), "row %d is '%.*s'", i,
                      SOM_STR_ARG(title));
        ck_assert_int_eq(f.model->data.rows[i].depth, wanted[i].depth);
        ck_assert_int_eq(som_motion_data_row_of(f.record->data, f.record->scene->graph,
                                                f.record->data->nodes[i]),
                         i);
    }
    ck_assert_int_eq(f.model->data.row_count, count);
    end(&f);
}
END_TEST

START_TEST(bars_say_when_actions_ran_and_how_they_ended) {
    Fixture f = begin("walk");
    const SomTimelineBar *all = bar_of(&f, "walk · series", 0, 0);
    ck_assert_double_eq(all->t0, 0);
    ck_assert_double_eq(all->t1, f.record->scene->prediction.duration);
    ck_assert_int_eq(all->end, SOM_TIMELINE_PLANNED);
    ck_assert_int_eq(bar_of(&f, "b.bend to 90deg", 0, 0)->end, SOM_TIMELINE_CUT_OFF);
    ck_assert_int_eq(bar_of(&f, "wait", 3, 0)->end, SOM_TIMELINE_PLANNED);
    ck_assert_int_eq(bar_of(&f, "a.bend to 60deg", 0, 0)->end, SOM_TIMELINE_TIMED_OUT);
    int again = find_row(&f, "b.bend to 0deg", 0);
    ck_assert_int_eq(bars_of(&f, again), 2);     // each pass
    ck_assert_int_eq(bars_of(&f, again - 2), 1); // and one around both
    const SomTimelineBar *first = &f.model->data.bars[f.model->row_begins[again]];
    ck_assert_double_le(first[0].t1, first[1].t0);
    // what is inside lasts no longer than what is around it
    for (int i = 1; i < f.model->data.row_count; i++) {
        int above = i - 1;
        while (f.model->data.rows[above].depth >= f.model->data.rows[i].depth) {
            above--;
        }
        for (int k = f.model->row_begins[i]; k < f.model->row_begins[i + 1]; k++) {
            const SomTimelineBar *bar = &f.model->data.bars[k];
            int outer = som_timeline_model_bar_at(f.model, above, bar->t0, 0);
            ck_assert_int_ge(outer, 0);
            ck_assert_double_le(bar->t1, f.model->data.bars[outer].t1 + 1e-9);
        }
    }
    end(&f);
}
END_TEST

static int find_track(const Fixture *f, const char *title) {
    for (int i = 0; i < f->model->data.track_count; i++) {
        if (som_str_equal(f->model->data.tracks[i].title, som_str(title))) {
            return i;
        }
    }
    ck_abort_msg("there is no track '%s'", title);
    return -1;
}

START_TEST(tracks_are_of_the_body_the_joints_and_what_they_hold) {
    Fixture f = begin("walk");
    const SomTimelineTrack *tracks = f.model->data.tracks;
    const SomTimelineTrack *bend = &tracks[find_track(&f, "a.bend")];
    ck_assert_int_eq(bend->limit_count, 2);
    ck_assert(som_str_equal(bend->unit, SOM_STR("°")));
    ck_assert(bend->is_shown);
    double last = som_motion_record_duration(f.record);
    ck_assert_double_eq_tol(som_timeline_track_value(bend, 0, 0), 0, 1e-9);
    double values[16];
    ck_assert_int_le(f.record->scene->prediction.dof_count, 16);
    som_prediction_at(&f.record->scene->prediction, last / 2, values);
    int dof = som_configuration_find_dof(f.record->scene->composition->configuration,
                                         SOM_STR("a.bend"), NULL);
    ck_assert_double_eq_tol(som_timeline_track_value(bend, 0, last / 2),
                            values[dof] * 180 / 3.14159265358979, 1e-6);
    const SomTimelineTrack *still = &tracks[find_track(&f, "a.left")];
    ck_assert_int_eq(still->curves[0].count, 2); // it rests
    ck_assert(!still->is_shown);
    ck_assert_double_gt(
        som_timeline_track_value(&tracks[find_track(&f, "height of the centre of mass")], 0, 0.1),
        10);
    ck_assert(
        isfinite(som_timeline_track_value(&tracks[find_track(&f, "tilt of the body")], 0, 0.1)));
    ck_assert(tracks[find_track(&f, "stability margin")].is_shown);
    const SomTimelineTrack *torque = &tracks[find_track(&f, "torque of b.bend")];
    ck_assert(som_str_equal(torque->unit, SOM_STR("Nm")));
    ck_assert_int_eq(torque->limit_count, 2);
    bool is_known = false;
    for (int i = 0; i < torque->curves[0].count; i++) {
        is_known = is_known || isfinite(som_curve_value(&torque->curves[0], i));
    }
    ck_assert(is_known);
    end(&f);
}
END_TEST

static void check_block(const Fixture *f, const SomMotionBlocks *map, const char *title, int nth,
                        const char *path) {
    int block = som_blocks_find(som_desk_blocks(f->desk), SOM_STR("walk"), som_str(path));
    ck_assert_int_ge(block, 0);
    SomText is = {0};
    int row = find_row(f, title, nth);
    som_blocks_print(som_desk_blocks(f->desk), map->blocks[row], &is);
    ck_assert_msg(map->blocks[row] == block, "'%s' is of block '%s'", title, is.data);
    som_text_free(&is);
}

START_TEST(rows_are_of_the_blocks_that_run_them) {
    Fixture f = begin("walk");
    SomMotionBlocks map = som_motion_blocks_find(f.record, f.desk);
    ck_assert_int_eq(map.count, f.model->data.row_count);
    check_block(&f, &map, "walk · series", 0, "");
    check_block(&f, &map, "a.lift · series", 0, "0");
    check_block(&f, &map, "bend to 10deg", 0, "0"); // in a behavior of a part
    check_block(&f, &map, "parallel", 0, "1");
    check_block(&f, &map, "b.lift · series", 0, "1/0/0/0"); // unfolded
    check_block(&f, &map, "b.bend to 90deg", 0, "2/0");
    check_block(&f, &map, "a.bend to 60deg", 0, "3");
    check_block(&f, &map, "b.bend to 0deg", 0, "4/0/0"); // another behavior of its own
    int block = som_blocks_find(som_desk_blocks(f.desk), SOM_STR("walk"), SOM_STR("0"));
    ck_assert_int_eq(som_motion_blocks_row(&map, block), find_row(&f, "a.lift · series", 0));
    ck_assert_int_eq(som_motion_blocks_row(&map, -1), -1);
    som_motion_blocks_free(&map);
    end(&f);
}
END_TEST

START_TEST(findings_are_bands_with_places_in_the_text) {
    Fixture f = begin("clash");
    int band = -1;
    for (int i = 0; i < f.model->data.band_count; i++) {
        const SomFinding *finding = &f.record->found->findings.data[f.record->data->findings[i]];
        ck_assert(som_str_equal(f.model->data.bands[i].words, finding->message));
        ck_assert_double_eq(f.model->data.bands[i].t0, finding->t0);
        band = finding->check == SOM_CHECK_CONFLICT ? i : band;
    }
    ck_assert_int_ge(band, 0);
    SomSpan spans[2];
    const SomFinding *conflict = &f.record->found->findings.data[f.record->data->findings[band]];
    ck_assert_int_eq(som_motion_finding_spans(f.record, conflict, spans), 2);
    ck_assert_uint_ne(spans[0].begin, spans[1].begin);
    SomText words = {0};
    ck_assert_int_eq(som_motion_words(f.desk, f.record, &words), SOM_ERROR);
    ck_assert_msg(som_str_starts_with(som_text_str(&words), SOM_STR("1 error")), "%s", words.data);
    som_text_free(&words);
    end(&f);
}
END_TEST

START_TEST(an_incomplete_motion_is_not_called_safe) {
    Fixture f = begin("goOn");
    ck_assert_int_eq(f.record->found->verdict, SOM_VERDICT_INCOMPLETE);
    SomText words = {0};
    ck_assert_int_eq(som_motion_words(f.desk, f.record, &words), SOM_WARNING);
    ck_assert_ptr_null(strstr(words.data, "safe"));
    ck_assert_ptr_nonnull(strstr(words.data, "incomplete"));
    som_text_free(&words);
    end(&f);
}
END_TEST

SOM_SUITE("studio/motion_data", rows_lie_in_each_other_as_actions_do,
          bars_say_when_actions_ran_and_how_they_ended,
          tracks_are_of_the_body_the_joints_and_what_they_hold,
          rows_are_of_the_blocks_that_run_them, findings_are_bands_with_places_in_the_text,
          an_incomplete_motion_is_not_called_safe)
