// SPDX-License-Identifier: Apache-2.0
// How the work of each primitive of linkage/linkage.h grows with the linkage: elementary steps, as
// the linkage counts them, on a chain, a star and a random tree of up to 100,000 links. The unit
// names the published growth: n links, h of them on the way from a link to the top, d joints at the
// link, k links in the sub-linkage (at most 16 here). In a chain h is half of n, in a star 1, in a
// random tree it grows like log n; edits follow one another, and those that cut leave shorter ways
// to the next. Times are beside it for information: the pieces are short, and memory is slower
// where there is more of it.

#include "base/memory.h"
#include "benchmarks/bench.h"
#include "linkage/linkage.h"

#include <assert.h>
#include <stdio.h>

#define ROUNDS 16
#define PIECE 16
#define SIZES 3

static const int sizes[SIZES] = {1000, 10000, 100000};

typedef enum Shape { CHAIN, STAR, RANDOM_TREE, SHAPES } Shape;

typedef struct Edits {
    SomLinkage *linkage; // a copy for each primitive
    SomDiagnostics *diags;
    SomLinkId *links;   // [0] is the ground
    SomJointId *joints; // [i] is the parent joint of links[i]
    int count;
    uint64_t random;
    int number; // makes new names
    // what is counted so far, and when the present piece began
    double steps, seconds;
    uint64_t begin_steps;
    double begin_seconds;
} Edits;

// From low to before high.
static int draw(Edits *e, int low, int high) {
    e->random = e->random * 6364136223846793005u + 1442695040888963407u;
    return low + (int)((e->random >> 33) % (uint64_t)(high - low));
}

static SomStr new_name(Edits *e, char text[32]) {
    snprintf(text, 32, "x%d", e->number++);
    return som_str(text);
}

static SomLinkId any_link(Edits *e) {
    return e->links[draw(e, 1, e->count)];
}

static SomJointId any_joint(Edits *e) {
    return e->joints[draw(e, 1, e->count)];
}

static void begin(Edits *e) {
    e->begin_steps = som_linkage_work(e->linkage);
    e->begin_seconds = som_bench_now();
}

static void end(Edits *e, bool is_done) {
    e->seconds += som_bench_now() - e->begin_seconds;
    e->steps += (double)(som_linkage_work(e->linkage) - e->begin_steps);
    assert(is_done);
    (void)is_done;
}

// ---- building

static int parent_of(Edits *e, Shape shape, int link) {
    switch (shape) {
    case CHAIN:
        return link - 1;
    case STAR:
        return 0;
    case RANDOM_TREE:
        return draw(e, 0, link);
    case SHAPES:
        break;
    }
    return 0;
}

static SomJointId add_hinge(Edits *e, SomLinkId parent, SomLinkId child) {
    char text[32];
    SomJointDef def = {.name = new_name(e, text),
                       .type = SOM_JOINT_REVOLUTE,
                       .parent = parent,
                       .child = child,
                       .parent_frame = {som_mat3_identity(), {0.1, 0, 0}}};
    return som_linkage_add_joint(e->linkage, &def, e->diags);
}

// The last link is hung up first, so that no way to the top is long while this is built.
static Edits build(Shape shape, int count) {
    Edits e = {.linkage = som_linkage_create(), .count = count, .random = 1};
    e.diags = som_diagnostics_create();
    e.links = som_alloc((size_t)count * sizeof *e.links);
    e.joints = som_alloc((size_t)count * sizeof *e.joints);
    e.links[0] = som_linkage_top_ground(e.linkage);
    char text[32];
    for (int i = 1; i < count; i++) {
        SomLinkDef def = {.name = new_name(&e, text)};
        e.links[i] = som_linkage_add_link(e.linkage, &def, e.diags);
    }
    for (int i = count - 1; i > 0; i--) {
        e.joints[i] = add_hinge(&e, e.links[parent_of(&e, shape, i)], e.links[i]);
        som_linkage_make_tree(e.linkage, e.joints[i], e.diags);
    }
    assert(som_diagnostics_error_count(e.diags) == 0);
    return e;
}

static void unbuild(Edits *e) {
    som_linkage_destroy(e->linkage);
    som_diagnostics_destroy(e->diags);
    som_free(e->links);
    som_free(e->joints);
}

static double mean_height(Edits *e) {
    double sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        SomLinkId link = any_link(e);
        while (link.index1 != e->links[0].index1) {
            link = som_linkage_get_joint(e->linkage,
                                         som_linkage_get_link(e->linkage, link).parent_joint)
                       .parent;
            sum++;
        }
    }
    return sum / ROUNDS;
}

// ---- the primitives, once each; what is not between begin and end prepares

static void do_add_link(Edits *e) {
    char text[32];
    SomLinkDef def = {.name = new_name(e, text)};
    begin(e);
    end(e, som_linkage_add_link(e->linkage, &def, e->diags).index1 != 0);
}

static void do_set_link_name(Edits *e) {
    char text[32];
    SomLinkId link = any_link(e);
    SomStr name = new_name(e, text);
    begin(e);
    end(e, som_linkage_set_link_name(e->linkage, link, name, e->diags));
}

static void do_add_joint(Edits *e) {
    int link = draw(e, 2, e->count);
    begin(e);
    end(e, add_hinge(e, e->links[link - 1], e->links[link]).index1 != 0);
}

static void do_set_joint_name(Edits *e) {
    char text[32];
    SomJointId joint = any_joint(e);
    SomStr name = new_name(e, text);
    begin(e);
    end(e, som_linkage_set_joint_name(e->linkage, joint, name, e->diags));
}

static void do_make_tree(Edits *e) {
    SomJointId joint = any_joint(e);
    som_linkage_make_closure(e->linkage, joint, e->diags);
    begin(e);
    end(e, som_linkage_make_tree(e->linkage, joint, e->diags));
}

static void do_make_closure(Edits *e) {
    SomJointId joint = any_joint(e);
    begin(e);
    end(e, som_linkage_make_closure(e->linkage, joint, e->diags));
}

static void do_set_parent(Edits *e) {
    SomJointId joint = any_joint(e); // its new parent: the one above the present one, or the ground
    SomLinkId parent = som_linkage_get_joint(e->linkage, joint).parent;
    SomJointId above = som_linkage_get_link(e->linkage, parent).parent_joint;
    SomLinkId new_parent =
        above.index1 == 0 ? e->links[0] : som_linkage_get_joint(e->linkage, above).parent;
    begin(e);
    end(e, som_linkage_set_parent(e->linkage, joint, new_parent, false, e->diags));
}

static void do_set_child(Edits *e) {
    SomJointId joint = any_joint(e);
    SomLinkId parent = som_linkage_get_joint(e->linkage, joint).parent, child = any_link(e);
    while (child.index1 == parent.index1) {
        child = any_link(e);
    }
    begin(e);
    end(e, som_linkage_set_child(e->linkage, joint, child, false, e->diags));
}

static void do_remove_joint(Edits *e) {
    SomJointId joint = any_joint(e);
    while (!som_linkage_has_joint(e->linkage, joint)) {
        joint = any_joint(e);
    }
    begin(e);
    end(e, som_linkage_remove_joint(e->linkage, joint, e->diags));
}

static void do_remove_link(Edits *e) {
    SomLinkId link = any_link(e);
    while (!som_linkage_has_link(e->linkage, link)) {
        link = any_link(e);
    }
    begin(e);
    end(e, som_linkage_remove_link(e->linkage, link, e->diags));
}

static void do_set_type(Edits *e) {
    SomJointId joint = any_joint(e);
    begin(e);
    end(e, som_linkage_set_type(e->linkage, joint, SOM_JOINT_CYLINDRICAL, e->diags));
}

static void do_set_limits(Edits *e) {
    SomJointId joint = any_joint(e);
    SomLimits limits = {.limited = 1u << SOM_DOF_RZ};
    limits.low[SOM_DOF_RZ] = -1;
    limits.high[SOM_DOF_RZ] = 1;
    begin(e);
    end(e, som_linkage_set_limits(e->linkage, joint, &limits, e->diags));
}

static void do_invert_closure(Edits *e) {
    SomJointId joint = any_joint(e);
    som_linkage_make_closure(e->linkage, joint, e->diags);
    begin(e);
    end(e, som_linkage_invert(e->linkage, joint, e->diags));
}

static void do_invert_tree(Edits *e) {
    SomJointId joint = any_joint(e);
    begin(e);
    end(e, som_linkage_invert(e->linkage, joint, e->diags));
}

static void do_make_ground(Edits *e) {
    SomLinkId link = any_link(e);
    begin(e);
    end(e, som_linkage_make_ground(e->linkage, link, e->diags));
}

static const SomPose change = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0.01}};

static void do_reposition_link(Edits *e) {
    SomLinkId link = any_link(e);
    begin(e);
    end(e, som_linkage_reposition_link(e->linkage, link, change, e->diags));
}

static void do_reposition_joint(Edits *e) {
    SomJointId joint = any_joint(e);
    begin(e);
    end(e, som_linkage_reposition_joint(e->linkage, joint, change, e->diags));
}

// Between a joint and its parent.
static void do_split(Edits *e) {
    char text[32];
    SomJointId joint = any_joint(e);
    SomLinkId parent = som_linkage_get_joint(e->linkage, joint).parent;
    SomStr name = new_name(e, text);
    begin(e);
    end(e, som_linkage_split(e->linkage, parent, name, change, SOM_JOINT_FIXED, &joint, 1, e->diags)
                   .index1 != 0);
}

static void do_merge(Edits *e) {
    SomJointId joint = any_joint(e);
    while (!som_linkage_has_joint(e->linkage, joint)) {
        joint = any_joint(e);
    }
    begin(e);
    end(e, som_linkage_merge(e->linkage, joint, e->diags));
}

// Links of the top, up from a random one.
static int take_piece(Edits *e, SomLinkId piece[PIECE]) {
    SomLinkId link = any_link(e);
    SomSublinkageId top = som_linkage_top(e->linkage);
    int count = 0;
    while (count < PIECE && link.index1 != e->links[0].index1) {
        SomLinkInfo info = som_linkage_get_link(e->linkage, link);
        if (info.sublinkage.index1 != top.index1) {
            break;
        }
        piece[count++] = link;
        link = som_linkage_get_joint(e->linkage, info.parent_joint).parent;
    }
    return count;
}

static SomSublinkageId encapsulate(Edits *e, bool is_counted) {
    char text[32];
    SomLinkId piece[PIECE];
    int count = 0;
    while (count == 0) {
        count = take_piece(e, piece);
    }
    SomStr name = new_name(e, text);
    if (is_counted) {
        begin(e);
    }
    SomSublinkageId part =
        som_linkage_encapsulate(e->linkage, piece, count, name, SOM_DRIVEN, e->diags);
    if (is_counted) {
        end(e, part.index1 != 0);
    }
    return part;
}

static void do_encapsulate(Edits *e) {
    encapsulate(e, true);
}

static void do_dissolve(Edits *e) {
    SomSublinkageId part = encapsulate(e, false);
    begin(e);
    end(e, som_linkage_dissolve(e->linkage, part, e->diags));
}

typedef enum Growth { CONSTANT, HEIGHT, LINKS } Growth;

typedef struct Primitive {
    const char *name;
    const char *unit;
    Growth growth; // with the linkage; joints at the link and links in a part do not grow with it
    void (*perform)(Edits *e);
} Primitive;

static const Primitive primitives[] = {
    {"add link", "steps of O(1)", CONSTANT, do_add_link},
    {"set link name", "steps of O(1)", CONSTANT, do_set_link_name},
    {"add joint", "steps of O(1)", CONSTANT, do_add_joint},
    {"set joint name", "steps of O(1)", CONSTANT, do_set_joint_name},
    {"make tree", "steps of O(h)", HEIGHT, do_make_tree},
    {"make closure", "steps of O(h)", HEIGHT, do_make_closure},
    {"set parent", "steps of O(h)", HEIGHT, do_set_parent},
    {"set child", "steps of O(h)", HEIGHT, do_set_child},
    {"remove joint", "steps of O(h)", HEIGHT, do_remove_joint},
    {"remove link", "steps of O(d h)", HEIGHT, do_remove_link},
    {"set type", "steps of O(1)", CONSTANT, do_set_type},
    {"set limits", "steps of O(1)", CONSTANT, do_set_limits},
    {"invert closure", "steps of O(1)", CONSTANT, do_invert_closure},
    {"invert tree joint", "steps of O(n)", LINKS, do_invert_tree},
    {"make ground", "steps of O(n)", LINKS, do_make_ground},
    {"reposition link", "steps of O(d)", CONSTANT, do_reposition_link},
    {"reposition joint", "steps of O(h)", HEIGHT, do_reposition_joint},
    {"split", "steps of O(h)", HEIGHT, do_split},
    {"merge", "steps of O(d h)", HEIGHT, do_merge},
    {"encapsulate", "steps of O(k h)", HEIGHT, do_encapsulate},
    {"dissolve", "steps of O(k h)", HEIGHT, do_dissolve},
};

// Some times on one copy, after an edit that makes the copy's own caches. Returns the steps of one.
static double count_primitive(SomBench *bench, const Edits *original, const Primitive *primitive,
                              const char *shape) {
    Edits e = *original;
    e.linkage = som_linkage_copy(original->linkage);
    e.diags = som_diagnostics_create();
    do_set_link_name(&e);
    e.steps = e.seconds = 0;
    for (int i = 0; i < ROUNDS; i++) {
        primitive->perform(&e);
    }
    char what[64];
    snprintf(what, sizeof what, "%s %s", shape, primitive->name);
    som_bench_value(bench, what, e.count, e.seconds / ROUNDS, e.steps / ROUNDS, primitive->unit);
    som_diagnostics_destroy(e.diags);
    som_linkage_destroy(e.linkage);
    return e.steps / ROUNDS;
}

// That the steps grow as published, as far as chance in what is drawn lets them.
static void judge(SomBench *bench, const Primitive *primitive, const char *shape,
                  const double steps[SIZES], const double heights[SIZES]) {
    double growth = primitive->growth == CONSTANT ? 1
                    : primitive->growth == HEIGHT ? heights[SIZES - 1] / heights[0]
                                                  : (double)sizes[SIZES - 1] / sizes[0];
    char what[64];
    snprintf(what, sizeof what, "%s %s", shape, primitive->name);
    double grown = steps[0] > 0 ? steps[SIZES - 1] / steps[0] : 1;
    som_bench_target(bench, what, sizes[SIZES - 1], grown, "times 1000 links", SOM_AT_MOST,
                     2 * growth);
}

void som_bench_edits(SomBench *bench) {
    static const char *const names[SHAPES] = {"chain", "star", "tree"};
    for (int shape = 0; shape < SHAPES; shape++) {
        Edits all[SIZES];
        double heights[SIZES], steps[SIZES];
        for (int i = 0; i < SIZES; i++) {
            char what[64];
            snprintf(what, sizeof what, "%s height", names[shape]);
            all[i] = build((Shape)shape, sizes[i]);
            heights[i] = mean_height(&all[i]);
            som_bench_value(bench, what, sizes[i], 0, heights[i], "links (h)");
        }
        for (size_t p = 0; p < sizeof primitives / sizeof *primitives; p++) {
            for (int i = 0; i < SIZES; i++) {
                steps[i] = count_primitive(bench, &all[i], &primitives[p], names[shape]);
            }
            judge(bench, &primitives[p], names[shape], steps, heights);
        }
        for (int i = 0; i < SIZES; i++) {
            unbuild(&all[i]);
        }
    }
}
