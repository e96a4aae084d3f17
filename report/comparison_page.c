// SPDX-License-Identifier: Apache-2.0
#include "report/comparison_page.h"

#include "behaviors/action_text.h"
#include "report/moment.h"
#include "report/page.h"
#include "report/plot.h"

#include <math.h>

// Partings that are shown at once; the others open with a click.
#define PARTINGS_AT_ONCE 8

static void print_time(SomText *out, double time) {
    if (isfinite(time)) {
        som_text_value(out, time, SOM_DIMENSION_TIME);
    } else {
        som_text_add(out, SOM_STR("&ndash;"));
    }
}

// ---- the head

static void print_head(const SomComparisonPage *page, SomText *out) {
    const SomSimulationResult *r = page->comparison->def.simulated;
    som_text_add(out, SOM_STR("<section id=\"run\">\n<header class=\"title\"><h1>"));
    som_page_text(out, page->design);
    if (page->behavior.length > 0) {
        som_text_add(out, SOM_STR(": "));
        som_page_text(out, page->behavior);
    }
    bool is_forced = page->run != NULL && page->run->ignored_errors > 0;
    som_text_printf(out, "</h1><span class=\"badge %s\">%s%s</span></header>\n",
                    r->outcome != SOM_OUTCOME_COMPLETED ? "error"
                    : is_forced                         ? "warning"
                                                        : "good",
                    som_outcome_word(r->outcome), is_forced ? ", forced" : "");
    if (is_forced) {
        som_text_add(out, SOM_STR("<p>"));
        som_physics_run_print_ignored(page->run, out);
        som_text_add(out, SOM_STR(".</p>\n"));
    }
    som_text_printf(out, "<p class=\"soft\">Prediction against physics, in %s.</p>\n",
                    som_engine_title(page->comparison->def.engine));
}

static void print_tiles(const SomComparison *c, SomText *out) {
    const SomSimulationResult *r = c->def.simulated;
    som_text_add(out, SOM_STR("<dl class=\"tiles\">\n<div><dt>lasted</dt><dd>"));
    print_time(out, r->time);
    som_text_add(out, SOM_STR("<small>predicted "));
    print_time(out, c->def.prediction->duration);
    som_text_printf(out,
                    "</small></dd></div>\n<div><dt>actions as predicted</dt><dd>%d of %d</dd>"
                    "</div>\n<div><dt>moved</dt><dd>",
                    c->as_predicted, c->actions.count);
    som_text_value(out, hypot(r->displacement.x, r->displacement.y), SOM_DIMENSION_LENGTH);
    som_text_add(out, SOM_STR("<small>over the ground</small></dd></div>\n"));
    if (c->worst_dof >= 0) {
        som_text_add(out, SOM_STR("<div><dt>joints follow to</dt><dd>"));
        som_text_value(out, fabs(c->dofs[c->worst_dof].worst),
                       som_comparison_dimension(c, c->worst_dof));
        som_text_add(out, SOM_STR("<small>"));
        som_page_text(out, c->def.mechanism->configuration->dofs[c->worst_dof].path);
        som_text_add(out, SOM_STR(" at "));
        print_time(out, c->dofs[c->worst_dof].worst_time);
        som_text_add(out, SOM_STR("</small></dd></div>\n"));
    }
    som_text_add(out, SOM_STR("</dl>\n"));
}

// What becomes of the run, not only of a joint.
static bool is_grave(SomPartingKind kind) {
    return kind != SOM_PARTING_TRACKING && kind != SOM_PARTING_DURATION;
}

static void print_parting(const SomParting *parting, SomText *out) {
    som_text_printf(out, "<li class=\"%s\"><p><b>", is_grave(parting->kind) ? "error" : "warning");
    print_time(out, parting->time);
    som_text_printf(out, "</b><br><span class=\"soft\">%s</span></p><div><p>",
                    som_parting_word(parting->kind));
    som_page_text(out, parting->message);
    som_text_add(out, SOM_STR("</p></div></li>\n"));
}

static void print_partings(const SomComparison *c, SomText *out) {
    som_text_add(out, SOM_STR("<h3>Where they part, and why</h3>\n"));
    if (c->partings.count == 0) {
        som_text_add(out, SOM_STR("<p>They do not.</p>\n"));
        return;
    }
    int shown = 0, hidden = c->partings.count - PARTINGS_AT_ONCE;
    som_text_add(out, SOM_STR("<ol class=\"findings\">\n"));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < c->partings.count; i++) {
            if (is_grave(c->partings.data[i].kind) != (round == 0)) {
                continue;
            }
            if (shown++ == PARTINGS_AT_ONCE) {
                som_text_printf(out,
                                "</ol>\n<details><summary>%d more</summary>\n"
                                "<ol class=\"findings\">\n",
                                hidden);
            }
            print_parting(&c->partings.data[i], out);
        }
    }
    som_text_add(out, hidden > 0 ? SOM_STR("</ol></details>\n") : SOM_STR("</ol>\n"));
    if (c->unkept > 0) {
        som_text_printf(out, "<p>And %d more that were not kept.</p>\n", c->unkept);
    }
}

// ---- pictures along the run

static int sample_at(const SomSimulationResult *r, double time) {
    int at = 0;
    while (at + 1 < r->times.count && r->times.data[at + 1] <= time) {
        at++;
    }
    return at;
}

// In equal steps from the start to the end, and where it fell or touched first.
static int choose_times(const SomComparison *c, double *times) {
    const SomSimulationResult *r = c->def.simulated;
    int even = SOM_COMPARISON_PICTURES - isfinite(c->fall) - isfinite(c->contact), count = 0;
    for (int i = 0; i < even; i++) {
        times[count++] = r->time * i / (even - 1);
    }
    double events[] = {c->fall, c->contact};
    for (int k = 0; k < 2; k++) {
        if (isfinite(events[k])) {
            int at = count++;
            for (; at > 0 && times[at - 1] > events[k]; at--) {
                times[at] = times[at - 1];
            }
            times[at] = events[k];
        }
    }
    return count;
}

static SomStr caption_of(const SomComparison *c, double time) {
    return time == c->fall                  ? SOM_STR("it fell")
           : time == c->contact             ? SOM_STR("parts touch")
           : time == 0                      ? SOM_STR("the start")
           : time >= c->def.simulated->time ? SOM_STR("the end")
                                            : SOM_STR("on the way");
}

static void print_pictures(const SomComparisonPage *page, SomText *out) {
    const SomComparison *c = page->comparison;
    const SomSimulationResult *r = c->def.simulated;
    if (r->times.count == 0) {
        return;
    }
    size_t links = (size_t)c->def.mechanism->link_count + 1;
    SomPose *poses = som_alloc(links * SOM_COMPARISON_PICTURES * sizeof *poses);
    SomMoment moments[SOM_COMPARISON_PICTURES];
    double times[SOM_COMPARISON_PICTURES + 2];
    int count = choose_times(c, times);
    for (int i = 0; i < count; i++) {
        SomPose *placed = poses + links * (size_t)i;
        som_simulation_place_sample(page->simulation, sample_at(r, times[i] + 1e-9), placed);
        moments[i] =
            (SomMoment){.time = times[i], .caption = caption_of(c, times[i]), .links = placed};
    }
    SomArtist *artist = som_artist_create(SOM_COMPARISON_PICTURES);
    som_text_add(out, SOM_STR("<h3>The run</h3>\n"));
    som_moments_print(
        artist,
        &(SomMomentDef){.mechanism = c->def.mechanism, .meshes = page->meshes, .stays = true},
        moments, count, out);
    som_artist_destroy(artist);
    som_free(poses);
}

// ---- plots

// The joint that is the farthest from its prediction after so many others; -1: none moves.
static int next_dof(const SomComparison *c, const bool *is_shown) {
    int best = -1;
    for (int i = 0; i < c->def.simulated->dof_count; i++) {
        const SomComparedDof *dof = &c->dofs[i];
        bool moves = dof->way > 0 || fabs(dof->worst) > SOM_COMPARED_ANGLE;
        if (moves && !is_shown[i] && (best < 0 || dof->mean > c->dofs[best].mean)) {
            best = i;
        }
    }
    return best;
}

static void print_dof(const SomComparison *c, int dof, SomText *out) {
    const SomSimulationResult *r = c->def.simulated;
    const SomPrediction *p = c->def.prediction;
    bool is_length = som_comparison_dimension(c, dof) == SOM_DIMENSION_LENGTH;
    SomStr unit = is_length ? SOM_STR("mm") : SOM_STR("deg");
    SomPlot plot = {.title = c->def.mechanism->configuration->dofs[dof].path,
                    .unit = unit,
                    .scale = som_unit_from_si(som_unit_find(unit), 1),
                    .curves = {{SOM_STR("simulated"), r->times.data, r->positions.data + dof,
                                r->dof_count, r->times.count},
                               {SOM_STR("predicted"), p->times.data, p->positions.data + dof,
                                p->dof_count, p->times.count}},
                    .limit = (double)NAN};
    som_plot_print(&plot, out);
}

static void print_dofs(const SomComparison *c, SomText *out) {
    bool *is_shown = som_alloc((size_t)c->def.simulated->dof_count + 1);
    int count = 0, left = 0;
    som_text_add(out, SOM_STR("<h3>Joints, as predicted and as simulated</h3>\n"
                              "<div class=\"plots\">\n"));
    for (int dof = next_dof(c, is_shown); dof >= 0; dof = next_dof(c, is_shown)) {
        is_shown[dof] = true;
        if (count < SOM_COMPARISON_PLOTS) {
            print_dof(c, dof, out);
            count++;
        } else {
            left++;
        }
    }
    som_text_add(out, SOM_STR("</div>\n"));
    if (count == 0) {
        som_text_add(out, SOM_STR("<p>None moves.</p>\n"));
    }
    if (left > 0) {
        som_text_printf(out,
                        "<p class=\"soft\">The %d that are farthest from their prediction; %d "
                        "more move.</p>\n",
                        count, left);
    }
    som_free(is_shown);
}

// Efforts of the joint whose actuator has the most to do, and the height of the centre of mass.
static void print_others(const SomComparison *c, SomText *out) {
    const SomSimulationResult *r = c->def.simulated;
    int busiest = -1;
    for (int i = 0; i < r->dof_count; i++) {
        double use = c->dofs[i].limit > 0 ? c->dofs[i].most_effort / c->dofs[i].limit : 0;
        if (use > 0 &&
            (busiest < 0 || use > c->dofs[busiest].most_effort / c->dofs[busiest].limit)) {
            busiest = i;
        }
    }
    som_text_add(out, SOM_STR("<h3>What only physics knows</h3>\n<div class=\"plots\">\n"));
    SomPlot height = {.title = SOM_STR("height of the centre of mass"),
                      .unit = SOM_STR("mm"),
                      .scale = 1000,
                      .curves = {{.times = r->times.data,
                                  .values = r->com.count > 0 ? &r->com.data[0].z : NULL,
                                  .stride = sizeof(SomVec3) / sizeof(double),
                                  .count = r->com.count}},
                      .limit = (double)NAN};
    som_plot_print(&height, out);
    if (busiest >= 0) {
        SomText title = {0};
        som_text_printf(&title, "effort of %.*s",
                        SOM_STR_ARG(c->def.mechanism->configuration->dofs[busiest].path));
        bool is_force = som_comparison_dimension(c, busiest) == SOM_DIMENSION_LENGTH;
        SomPlot effort = {.title = som_text_str(&title),
                          .unit = is_force ? SOM_STR("N") : SOM_STR("Nm"),
                          .curves = {{.times = r->times.data,
                                      .values = r->efforts.data + busiest,
                                      .stride = r->dof_count,
                                      .count = r->times.count}},
                          .limit = c->dofs[busiest].limit};
        som_plot_print(&effort, out);
        som_text_free(&title);
    }
    som_text_add(out, SOM_STR("</div>\n"));
}

// ---- actions

static void print_row(const SomComparison *c, const SomComparedAction *action, SomText *out) {
    SomText words = {0};
    som_action_print(c->def.mechanism->configuration, c->def.graph, action->node, &words);
    som_text_add(out, SOM_STR("<tr><td><code>"));
    som_page_text(out, som_text_str(&words));
    som_text_add(out, SOM_STR("</code></td><td class=\"number\">"));
    print_time(out, action->predicted.end);
    som_text_add(out, SOM_STR("</td><td class=\"number\">"));
    print_time(out, action->simulated.end);
    som_text_add(out, SOM_STR("</td><td class=\"number\">"));
    print_time(out, action->simulated.end - action->predicted.end);
    som_text_add(out, SOM_STR("</td><td>"));
    bool is_same = action->predicted.reason == action->simulated.reason;
    som_text_printf(out, "%s", som_end_reason_word(action->simulated.reason));
    if (!is_same) {
        som_text_printf(out, " <span class=\"badge warning\">instead of %s</span>",
                        som_end_reason_word(action->predicted.reason));
    }
    som_text_add(out, SOM_STR("</td></tr>\n"));
    som_text_free(&words);
}

static void print_actions(const SomComparison *c, SomText *out) {
    int most = c->actions.count < SOM_COMPARISON_ROWS ? c->actions.count : SOM_COMPARISON_ROWS;
    som_text_printf(out, "<details%s><summary>When each action ended (%d)</summary>\n",
                    c->actions.count <= 40 ? " open" : "", c->actions.count);
    som_text_add(out, SOM_STR("<div class=\"scroll\"><table>\n<tr><th>action</th>"
                              "<th class=\"number\">predicted</th><th class=\"number\">simulated"
                              "</th><th class=\"number\">later by</th><th>how</th></tr>\n"));
    for (int i = 0; i < most; i++) {
        print_row(c, &c->actions.data[i], out);
    }
    som_text_add(out, SOM_STR("</table></div>\n"));
    if (most < c->actions.count) {
        som_text_printf(out, "<p class=\"soft\">The first %d of %d; --json has all.</p>\n", most,
                        c->actions.count);
    }
    som_text_add(out, SOM_STR("</details>\n"));
}

void som_comparison_page_print(const SomComparisonPage *page, SomText *out) {
    const SomComparison *c = page->comparison;
    SomText title = {0};
    som_text_printf(&title, "%.*s %.*s under physics", SOM_STR_ARG(page->design),
                    SOM_STR_ARG(page->behavior));
    som_page_open(out, som_text_str(&title));
    print_head(page, out);
    print_tiles(c, out);
    print_pictures(page, out);
    print_partings(c, out);
    print_dofs(c, out);
    print_others(c, out);
    print_actions(c, out);
    som_text_add(out, SOM_STR("</section>\n<footer><p>Made by <code>somite simulate --html</code>. "
                              "The page needs no other file and no network.</p></footer>\n"));
    som_page_close(out);
    som_text_free(&title);
}
