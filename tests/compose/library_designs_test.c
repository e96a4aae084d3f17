// SPDX-License-Identifier: Apache-2.0
// Every design of the library, whatever is in it: geometry, loops, identity, solving.

#include "base/file.h"
#include "base/memory.h"
#include "compose/identity.h"
#include "compose/lower.h"
#include "compose/mechanism.h"
#include "compose/solve.h"
#include "tests/compose/designs.h"
#include "tests/compose/texts.h"

#include <math.h>

typedef struct Library {
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SOM_ARRAY(SomConfiguration *) designs;
} Library;

static bool needs_arguments(const SomConfigInfo *config) {
    for (int i = 0; i < config->param_count; i++) {
        if (config->params[i].otherwise == 0) {
            return true;
        }
    }
    return false;
}

static Library open_library(void) {
    Library library = {.diags = som_diagnostics_create()};
    library.workspace = som_workspace_create(som_str(test_library), library.diags);
    SomArena arena = {0};
    const SomStr *names;
    int count = som_file_list(test_library_configs, SOM_STR(".som"), &arena, &names, library.diags);
    ck_assert_int_gt(count, 10);
    for (int i = 0; i < count; i++) {
        SomStr stem = som_str_slice(names[i], 0, names[i].length - 4);
        int file = som_workspace_open(library.workspace, stem);
        ck_assert_int_ge(file, 0);
        const SomDesignFile *f = som_workspace_file(library.workspace, file);
        for (int k = 0; k < f->config_count; k++) {
            if (!needs_arguments(&f->configs[k])) {
                SomConfiguration *c = som_configuration_compose(library.workspace, file,
                                                                f->configs[k].name, library.diags);
                ck_assert_msg(c != NULL, "%.*s", SOM_STR_ARG(f->configs[k].name));
                som_array_push(&library.designs, c);
            }
        }
    }
    som_arena_free(&arena);
    return library;
}

static void close_library(Library *library) {
    for (int i = 0; i < library->designs.count; i++) {
        som_configuration_destroy(library->designs.data[i]);
    }
    som_array_free(&library->designs);
    som_workspace_destroy(library->workspace);
    som_diagnostics_destroy(library->diags);
}

// The largest difference between the mechanism's poses and the linkage's.
static double compare_lowered(const SomConfiguration *c, const SomPosture *posture,
                              SomDiagnostics *diags) {
    SomMechanism *m = som_mechanism_create(c);
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    som_mechanism_place(m, posture, links);
    SomLowering map = {0};
    SomLinkage *linkage = som_lower(c, posture, &map, diags);
    ck_assert_ptr_nonnull(linkage);
    double worst = 0;
    for (int i = 0; i < m->link_count; i++) {
        worst = fmax(worst, test_distance(som_linkage_pose(linkage, map.links[i]), links[i]));
    }
    som_linkage_destroy(linkage);
    som_lowering_free(&map);
    som_free(links);
    som_mechanism_destroy(m);
    return worst;
}

START_TEST(linkages_have_the_poses_of_mechanisms) {
    Library library = open_library();
    SomTestRandom random = {21};
    double worst = 0;
    for (int i = 0; i < library.designs.count; i++) {
        const SomConfiguration *c = library.designs.data[i];
        SomPosture start = som_posture_start(c), posture = test_random_posture(&random, c);
        worst = fmax(worst, compare_lowered(c, &start, library.diags));
        worst = fmax(worst, compare_lowered(c, &posture, library.diags));
        som_posture_free(&start);
        som_posture_free(&posture);
    }
    ck_assert_double_le(worst, 1e-12);
    close_library(&library);
}
END_TEST

START_TEST(loops_close_and_what_stands_on_the_ground_touches_it) {
    Library library = open_library();
    int closures = 0;
    for (int i = 0; i < library.designs.count; i++) {
        const SomConfiguration *c = library.designs.data[i];
        SomMechanism *m = som_mechanism_create(c);
        SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
        SomPosture posture = som_posture_start(c);
        som_mechanism_place(m, &posture, links);
        for (int k = 0; k < m->closure_count; k++) {
            SomGap gap = som_mechanism_gap(m, links, k);
            ck_assert_msg(gap.metres <= 1e-9 && gap.radians <= 1e-9, "%.*s is open",
                          SOM_STR_ARG(c->name));
        }
        closures += m->closure_count;
        if (c->base.is_on_ground) {
            double low = som_mechanism_bounds(m, links).low.z;
            ck_assert_msg(fabs(low) <= 1e-9, "%.*s is off the ground", SOM_STR_ARG(c->name));
        }
        ck_assert_double_eq_tol(m->mass, c->metrics.mass, 1e-9 * (1 + m->mass));
        som_posture_free(&posture);
        som_free(links);
        som_mechanism_destroy(m);
    }
    ck_assert_int_ge(closures, 3);
    close_library(&library);
}
END_TEST

START_TEST(hashes_agree_with_matching) {
    Library library = open_library();
    for (int i = 0; i < library.designs.count; i++) {
        for (int k = 0; k < library.designs.count; k++) {
            const SomConfiguration *a = library.designs.data[i], *b = library.designs.data[k];
            bool is_same = som_configuration_same_structure(a, b);
            ck_assert(i != k || is_same);
            ck_assert_int_eq(is_same, som_configuration_hash(a) == som_configuration_hash(b));
        }
    }
    close_library(&library);
}
END_TEST

// Without wishes nothing moves; with a small one all loops stay closed.
START_TEST(designs_can_be_moved) {
    Library library = open_library();
    for (int i = 0; i < library.designs.count; i++) {
        const SomConfiguration *c = library.designs.data[i];
        SomSolveResult result = {0};
        ck_assert(som_solve(c, &(SomSolveDef){.most_steps = 20}, &result, library.diags));
        double moved = 0;
        for (int d = 0; d < c->dof_count; d++) {
            moved = fmax(moved, fabs(result.posture.values[d] - c->start[d]));
        }
        ck_assert_double_le(moved, 1e-9);
        ck_assert(result.is_closed);
        if (c->dof_count > 0) {
            const SomModuleJoint *joint = som_configuration_joint(c, 0);
            double step = c->start[0] + 0.01 < joint->high ? 0.01 : -0.01;
            SomWishValue value = {.time = (double)NAN, .values = {c->start[0] + step}};
            SomWish wish = {.level = SOM_LEVEL_TARGET, .values = &value, .value_count = 1};
            ck_assert(som_solve(c, &(SomSolveDef){.wishes = &wish, .wish_count = 1}, &result,
                                library.diags));
            ck_assert_msg(result.is_closed, "%.*s came apart", SOM_STR_ARG(c->name));
        }
        som_solve_result_free(&result);
    }
    close_library(&library);
}
END_TEST

SOM_SUITE("compose/library_designs", linkages_have_the_poses_of_mechanisms,
          loops_close_and_what_stands_on_the_ground_touches_it, hashes_agree_with_matching,
          designs_can_be_moved)
