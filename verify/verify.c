// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.h"

#include "base/codes/verify_codes.h"
#include "behaviors/compile.h"
#include "verify/blame_internal.h"
#include "verify/branches_internal.h"
#include "verify/parts_internal.h"
#include "verify/repairs_internal.h"
#include "verify/standing_internal.h"

#include <math.h>

static double number_or(double value, double otherwise) {
    return isnan(value) ? otherwise : value;
}

// ---- the motion

void som_verify_report_end(double end, SomStr reason, SomVerification *out) {
    SomText what = {0};
    som_text_printf(&what, "what follows after %s",
                    som_verification_value(out, end, SOM_DIMENSION_TIME));
    som_verification_not_checked(out, SOM_CHECK_MOTION, som_text_str(&what), 1, 0, reason);
    som_text_free(&what);
}

// ---- values

static void check_numbers(const SomVerifyInput *input, SomVerification *out) {
    for (int dof = 0; dof < input->dof_count; dof++) {
        for (int i = 0; i < input->sample_count; i++) {
            if (isfinite(input->values[(size_t)i * (size_t)input->dof_count + (size_t)dof])) {
                continue;
            }
            double t = som_verify_time(input, i);
            int32_t action = som_verify_action_of(input, dof, number_or(t, 0));
            SomFinding finding = {.check = SOM_CHECK_MOTION,
                                  .code = SOM_JOINT_NO_NUMBER,
                                  .t0 = t,
                                  .t1 = t,
                                  .worst = t,
                                  .value = (double)NAN,
                                  .limit = (double)NAN,
                                  .span = som_verify_span(input, action, dof),
                                  .action = action};
            finding.who = som_verification_quote(out, input->design->dofs[dof].path);
            SomFinding *found =
                som_verification_add(out, &finding, "its value is not a finite number");
            som_finding_add_subject(out, found, input->design->dofs[dof].path);
            break;
        }
    }
}

void som_check_motion(const SomVerifyInput *input, SomVerification *out) {
    out->is_void[SOM_CHECK_MOTION] = input->graph == NULL;
    if (input->graph != NULL && input->prediction->is_cut) {
        som_verify_report_end(input->prediction->duration,
                              SOM_STR("the behavior has not ended by then"), out);
    }
    check_numbers(input, out);
}

// ---- all of it

typedef void (*Check)(const SomVerifyInput *input, SomVerification *out);

static const Check checks[SOM_CHECKS] = {
#define SOM_CHECK(name, function, word, title, fine) som_check_##function,
#include "verify/checks.inc"
#undef SOM_CHECK
};

static bool is_of_loads(int check) {
    return check == SOM_CHECK_LOAD || check == SOM_CHECK_SLIP;
}

// What stands is judged at ticks only.
static long count_samples(const SomVerifyInput *input, int check) {
    bool is_of_ticks = (SOM_CHECKS_OF_PIECES & SOM_CHECK_BIT(check)) != 0;
    return is_of_ticks ? som_verify_tick_count(input) : input->sample_count;
}

// What is fixed to the world neither falls nor slips.
static bool is_of_standing(int check) {
    return check == SOM_CHECK_STABILITY || check == SOM_CHECK_SLIP;
}

void som_verify_run_checks(const SomVerifyInput *input, uint32_t which, SomVerification *out) {
    for (int i = 0; i < SOM_CHECKS; i++) {
        if (input->mechanism->is_fixed && is_of_standing(i)) {
            out->is_void[i] = out->is_void[i] || (which & SOM_CHECK_BIT(i)) != 0;
            continue;
        }
        bool is_skipped = input->skips_loads && is_of_loads(i);
        bool is_wanted = (which & SOM_CHECK_BIT(i)) != 0 && !is_skipped;
        if (is_wanted && !som_stop_is_asked(input->stop)) {
            out->is_void[i] = false;
            checks[i](input, out);
            som_verification_cover(out, (SomCheck)i, count_samples(input, i));
        }
    }
}

// What has no place of its own is marked at the module of its first subject.
static void place(const SomConfiguration *design, SomFinding *finding) {
    SomStr path = finding->subject_count > 0 ? finding->subjects[0] : SOM_STR("");
    for (int i = 0; i < design->module_count && finding->span.source1 == 0; i++) {
        const SomModule *module = &design->modules[i];
        bool is_below = path.length > module->path.length && path.data[module->path.length] == '.';
        if (som_str_starts_with(path, module->path) &&
            (is_below || path.length == module->path.length || module->path.length == 0)) {
            finding->span = som_verify_module_span(design, i);
        }
    }
}

void som_verify_run(const SomVerifyInput *input, SomVerification *out) {
    double *times = som_arena_new(&out->arena, double, input->sample_count);
    memcpy(times, input->times, (size_t)input->sample_count * sizeof *times);
    out->times = times;
    out->sample_count = input->sample_count;
    if (input->keeps_stances) {
        out->unsteady = som_arena_new(&out->arena, double, input->sample_count);
    }
    if (input->wants_series || input->keeps_stances) {
        out->places = som_arena_new(&out->arena, SomPose, input->sample_count);
        for (int i = 0; i < input->sample_count; i++) {
            out->places[i] = som_pose_identity();
        }
    }
    if (input->wants_efforts) {
        int count = input->sample_count * input->dof_count;
        out->efforts = som_arena_new(&out->arena, double, count);
        for (int i = 0; i < count; i++) {
            out->efforts[i] = (double)NAN;
        }
    }
    out->dof_count = input->dof_count;
    out->second.is_wanted = input->wants_second_opinion;
    if (input->skips_loads) {
        long count = som_verify_tick_count(input);
        som_verification_leave_out(out, SOM_CHECK_LOAD, count, 0, count, SOM_STR("not requested"));
        out->is_void[SOM_CHECK_SLIP] = input->options.slope == 0;
        if (!out->is_void[SOM_CHECK_SLIP]) {
            som_verification_leave_out(out, SOM_CHECK_SLIP, count, 0, count,
                                       SOM_STR("not requested"));
        }
    }
    som_verify_run_checks(input, SOM_CHECKS_OF_COMMANDS, out);
    bool has_numbers = true;
    for (int i = 0; i < out->findings.count; i++) {
        has_numbers &= out->findings.data[i].code != SOM_JOINT_NO_NUMBER;
    }
    for (int i = 0; i < SOM_CHECKS && !has_numbers; i++) {
        if ((SOM_CHECKS_OF_COMMANDS & SOM_CHECK_BIT(i)) == 0) {
            long count = count_samples(input, i);
            som_verification_leave_out(out, (SomCheck)i, count, 0, count,
                                       SOM_STR("joint values are not finite numbers"));
        }
    }
    bool has_docks = input->prediction != NULL && input->prediction->docks.count > 0 &&
                     input->design->dock_count == input->graph->symbol_count[SOM_SYMBOL_DOCK];
    if (has_numbers && (has_docks || input->design->piece_count > 0)) {
        som_verify_run_parts(input, out);
    } else if (has_numbers) {
        som_verify_run_checks(input, ~SOM_CHECKS_OF_COMMANDS, out);
    }
    for (int i = 0; i < SOM_CHECKS; i++) {
        SomCoverage *coverage = &out->coverage[i];
        coverage->branches = coverage->branches_total = coverage->samples_total > 0;
    }
    for (int i = 0; i < out->findings.count; i++) {
        place(input->design, &out->findings.data[i]);
        som_verify_add_steps(input, &out->findings.data[i], out);
    }
    som_verification_finish(out);
}

static const SomNamedPose *start_pose(const SomVerifyDef *def) {
    const SomConfiguration *design = def->mechanism->configuration;
    bool is_own = def->pose == NULL && design->start_pose >= 0;
    return is_own ? &design->poses[design->start_pose] : def->pose;
}

SomVerification *som_verify(const SomVerifyDef *def) {
    static const double begin = 0;
    const SomConfiguration *design = def->mechanism->configuration;
    SomVerification *out = som_verification_create();
    SomServoModel *servos = som_compile_servos(design);
    SomVerifyInput input = {.design = design,
                            .mechanism = def->mechanism,
                            .pose = start_pose(def),
                            .options = som_verify_options_of(def),
                            .servos = servos,
                            .dof_count = def->mechanism->dof_count,
                            .sample_count = 1,
                            .times = &begin,
                            .values = def->start != NULL ? def->start : design->start,
                            .is_end = true,
                            .wants_series = def->wants_series,
                            .wants_efforts = def->wants_efforts,
                            .wants_second_opinion = def->wants_second_opinion,
                            .skips_loads = def->skips_loads,
                            .repairs = som_repairs_create(def),
                            .stop = def->stop};
    if (def->graph != NULL) {
        som_verify_run_branches(def, &input, out);
    } else {
        som_verify_run(&input, out);
    }
    som_repairs_destroy(input.repairs);
    som_free(servos);
    return out;
}
