// SPDX-License-Identifier: Apache-2.0
// What was looked at and what was not, and what may be claimed then.

#include "verify/finding_internal.h"

#include <assert.h>

void som_verification_not_checked(SomVerification *out, SomCheck check, SomStr what, long count,
                                  long total, SomStr reason) {
    SomSkipped skipped = {check, true,  som_arena_copy(&out->arena, what),
                          count, total, som_arena_copy(&out->arena, reason)};
    som_array_push(&out->skipped, skipped);
    out->verdict = out->verdict == SOM_VERDICT_SAFE ? SOM_VERDICT_INCOMPLETE : out->verdict;
}

void som_verification_not_assessed(SomVerification *out, SomCheck check, SomStr what, long count,
                                   SomStr reason) {
    SomSkipped skipped = {check, false, som_arena_copy(&out->arena, what),
                          count, 0,     som_arena_copy(&out->arena, reason)};
    som_array_push(&out->skipped, skipped);
}

// What the checks of postures count.
static bool is_of_samples(const SomSkipped *skipped) {
    return skipped->is_unchecked && som_str_equal(skipped->what, SOM_STR("samples"));
}

void som_skipped_print(const SomSkipped *skipped, SomText *out) {
    som_text_printf(out, "%s not %s: ", som_check_info(skipped->check).title,
                    skipped->is_unchecked ? "checked" : "assessed");
    if (skipped->total > 0) {
        som_text_printf(out, "%ld of %ld ", skipped->count, skipped->total);
    } else if (skipped->count > 1) {
        som_text_printf(out, "%ld ", skipped->count);
    }
    bool is_one = skipped->total == 1 && som_str_equal(skipped->what, SOM_STR("samples"));
    som_text_add_shown(out, is_one ? SOM_STR("sample") : skipped->what);
    som_text_add(out, SOM_STR(" ("));
    som_text_add_shown(out, skipped->reason);
    som_text_add(out, SOM_STR(")"));
}

// ---- coverage and claims

void som_verification_cover(SomVerification *out, SomCheck check, long samples) {
    samples = out->is_void[check] ? 0 : samples;
    SomCoverage *coverage = &out->coverage[check];
    long left = 0;
    for (int i = 0; i < out->skipped.count; i++) {
        const SomSkipped *skipped = &out->skipped.data[i];
        left += is_of_samples(skipped) && skipped->check == check ? skipped->count : 0;
    }
    coverage->samples_total = samples;
    coverage->samples = left < samples ? samples - left : 0;
}

void som_verification_leave_out(SomVerification *out, SomCheck check, long left, long known,
                                long uncounted, SomStr reason) {
    SomCoverage *coverage = &out->coverage[check];
    long samples = coverage->samples + uncounted - (left - known);
    coverage->samples_total += uncounted;
    coverage->samples = samples > 0 ? samples : 0;
    som_verification_not_checked(out, check, SOM_STR("samples"), left, coverage->samples_total,
                                 reason);
}

// What is claimed of all joints is so only if the limits of all are known. Where no two links were
// tested, nothing is claimed of them. NULL: nothing.
static const char *words_of(const SomVerification *v, SomCheck check) {
    static const char *const loads[SOM_KNOWN_OF_ALL + 1][SOM_KNOWN_OF_ALL + 1] = {
        {NULL, "connectors of known strength hold", "connectors hold"},
        {"actuators of known strength hold", "actuators and connectors of known strength hold",
         "actuators of known strength hold, and so do connectors"},
        {"actuators hold", "actuators hold, and so do connectors of known strength", NULL}};
    bool is_all = v->actuators == SOM_KNOWN_OF_ALL && v->connectors == SOM_KNOWN_OF_ALL;
    if (check == SOM_CHECK_LOAD && !is_all) {
        return loads[v->actuators][v->connectors];
    }
    if (check == SOM_CHECK_SELF_COLLISION && v->coverage[check].pairs_total == 0) {
        return NULL;
    }
    bool is_of_some = check == SOM_CHECK_SPEED && v->speeds == SOM_KNOWN_OF_SOME;
    return is_of_some ? "no joint of known speed is too fast" : som_check_info(check).fine;
}

bool som_verification_claims(const SomVerification *verification, SomCheck check) {
    bool claims = !verification->is_void[check] && words_of(verification, check) != NULL;
    for (int i = 0; i < verification->findings.count; i++) {
        claims = claims && verification->findings.data[i].check != check;
    }
    for (int i = 0; i < verification->skipped.count; i++) {
        const SomSkipped *skipped = &verification->skipped.data[i];
        bool concerns = skipped->check == check || skipped->check == SOM_CHECK_MOTION;
        claims = claims && !(skipped->is_unchecked && concerns);
    }
    return claims;
}

void som_verification_print_claim(const SomVerification *verification, SomCheck check,
                                  SomText *out) {
    const char *words = words_of(verification, check);
    som_text_add(out, som_str(words != NULL ? words : ""));
    if (verification->except[check].length > 0) {
        som_text_add(out, SOM_STR(", "));
        som_text_add(out, verification->except[check]);
    }
}

// ---- parts of a motion

static void join_skipped(SomVerification *out, const SomSkipped *skipped) {
    for (int i = 0; i < out->skipped.count; i++) {
        SomSkipped *other = &out->skipped.data[i];
        if (other->check == skipped->check && other->is_unchecked == skipped->is_unchecked &&
            som_str_equal(other->what, skipped->what) &&
            som_str_equal(other->reason, skipped->reason)) {
            long more = other->count + skipped->count;
            long most = skipped->count > other->count ? skipped->count : other->count;
            other->count = is_of_samples(skipped) ? more : most;
            other->total = skipped->total > other->total ? skipped->total : other->total;
            return;
        }
    }
    som_array_push(&out->skipped, *skipped);
}

static void join_strength(SomVerification *out, const SomVerification *part) {
    bool is_first = out->is_void[SOM_CHECK_LOAD];
    if (!part->is_void[SOM_CHECK_LOAD]) {
        bool is_less = is_first || part->actuators < out->actuators;
        out->actuators = is_less ? part->actuators : out->actuators;
        is_less = is_first || part->connectors < out->connectors;
        out->connectors = is_less ? part->connectors : out->connectors;
    }
}

void som_verification_join_coverage(SomVerification *out, const SomVerification *part) {
    for (int i = 0; i < part->skipped.count; i++) {
        join_skipped(out, &part->skipped.data[i]);
    }
    join_strength(out, part);
    for (int i = 0; i < SOM_CHECKS; i++) {
        SomCoverage *all = &out->coverage[i];
        const SomCoverage *more = &part->coverage[i];
        long left = all->pairs_total - all->pairs, also = more->pairs_total - more->pairs;
        all->samples += more->samples;
        all->samples_total += more->samples_total;
        all->pairs_total =
            more->pairs_total > all->pairs_total ? more->pairs_total : all->pairs_total;
        all->pairs = all->pairs_total - (also > left ? also : left);
        out->is_void[i] = out->is_void[i] && part->is_void[i];
    }
}

void som_verification_finish_coverage(SomVerification *out) {
    for (int i = 0; i < SOM_CHECKS; i++) {
        const SomCoverage *c = &out->coverage[i];
        assert(0 <= c->samples && c->samples <= c->samples_total);
        assert(0 <= c->pairs && c->pairs <= c->pairs_total);
    }
    for (int i = 0; i < out->skipped.count; i++) {
        SomSkipped *skipped = &out->skipped.data[i];
        if (is_of_samples(skipped)) {
            skipped->total = out->coverage[skipped->check].samples_total;
        }
    }
}
