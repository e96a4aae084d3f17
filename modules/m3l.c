// SPDX-License-Identifier: Apache-2.0

#include "modules/m3l.h"

#include "base/codes/modules_codes.h"
#include "base/number.h"
#include "modules/m3l_reader_internal.h"

#include <math.h>

// A definition at the top with the members that follow it.
typedef struct Group {
    SomNode definition;
    int first_member;
    int member_count;
} Group;

typedef struct File {
    SomM3lReader r;
    SOM_ARRAY(Group) modules;
    SOM_ARRAY(Group) connections;
    SOM_ARRAY(Group) robots;
    SOM_ARRAY(SomNode) members;
} File;

static bool is_keyword(const File *file, SomNode definition, const char *word) {
    return som_str_equal(som_m3l_keyword(&file->r, definition), som_str(word));
}

// Definitions by kind. Members go to the module above them.
static void sort_definitions(File *file) {
    SomM3lReader *r = &file->r;
    bool in_module = false;
    bool was_reported = false;
    SomNode node = som_syntax_find_child(r->tree, SOM_ROOT, SOM_M3L_DEFINITION);
    for (; node != 0; node = som_syntax_find_next(r->tree, node, SOM_M3L_DEFINITION)) {
        Group group = {node, file->members.count, 0};
        if (is_keyword(file, node, "module")) {
            som_array_push(&file->modules, group);
            in_module = true;
        } else if (is_keyword(file, node, "connection")) {
            som_array_push(&file->connections, group);
            in_module = false;
        } else if (is_keyword(file, node, "robot")) {
            som_array_push(&file->robots, group);
            in_module = false;
        } else if (in_module) {
            som_array_push(&file->members, node);
            file->modules.data[file->modules.count - 1].member_count++;
            continue;
        } else if (!was_reported) {
            SomStr keyword = som_m3l_keyword(r, node);
            som_report(r->diags, SOM_M3L_OUTSIDE_MODULE, som_m3l_span(r, node),
                       "this %.*s belongs to no module", SOM_STR_ARG(keyword));
            was_reported = true; // those behind it stand as wrong
            continue;
        } else {
            continue;
        }
        was_reported = false;
    }
}

// The name of a definition at the top. False after a report.
static bool claim_name(File *file, SomNameTable *table, SomNode definition, int index, SomStr *name,
                       SomSpan *span) {
    SomM3lReader *r = &file->r;
    SomNode node = som_m3l_require_name(r, definition, name);
    if (node == 0) {
        return false;
    }
    *span = som_m3l_span(r, node);
    if (som_name_table_add(table, *name, index) >= 0) {
        SomStr keyword = som_m3l_keyword(r, definition);
        som_report(r->diags, SOM_M3L_DEFINED_TWICE, *span,
                   "two definitions of a %.*s are called '%.*s'", SOM_STR_ARG(keyword),
                   SOM_STR_ARG(*name));
        return false;
    }
    return true;
}

static int limit(File *file, const Group *groups, int count, int max) {
    if (count > max) {
        SomStr keyword = som_m3l_keyword(&file->r, groups[max].definition);
        som_report(file->r.diags, SOM_M3L_TOO_MUCH, som_m3l_span(&file->r, groups[max].definition),
                   "a file has at most %d definitions of a %.*s", max, SOM_STR_ARG(keyword));
        return max;
    }
    return count;
}

static void read_modules(File *file) {
    SomM3lReader *r = &file->r;
    int count = limit(file, file->modules.data, file->modules.count, SOM_M3L_MAX_TYPES);
    SomModuleType *types = som_arena_new(r->arena, SomModuleType, count);
    r->m3l->types = types;
    for (int i = 0; i < count; i++) {
        const Group *group = &file->modules.data[i];
        int errors = som_diagnostics_error_count(r->diags);
        SomModuleType *type = &types[r->m3l->type_count];
        *type = (SomModuleType){0};
        if (!claim_name(file, &r->type_names, group->definition, r->m3l->type_count, &type->name,
                        &type->span)) {
            continue;
        }
        const SomNode *members =
            group->member_count > 0 ? &file->members.data[group->first_member] : NULL;
        som_m3l_read_module(r, group->definition, members, group->member_count, type);
        // whatever was reported, all links must hang together
        type->has_errors = som_diagnostics_error_count(r->diags) > errors ||
                           som_syntax_has_error(r->tree, group->definition) ||
                           type->tree_joint_count != type->link_count - 1;
        for (int k = 0; k < group->member_count && !type->has_errors; k++) {
            type->has_errors =
                som_syntax_has_error(r->tree, file->members.data[group->first_member + k]);
        }
        r->m3l->type_count++;
    }
}

// For several modules at once, those that mate with some are enough.
static void check_matings(SomM3lReader *r, const SomConnectionRule *rules, int count) {
    int total = 0, left_out = 0;
    double miss = (double)INFINITY;
    for (int i = 0; i < count; i++) {
        total += rules[i].mating_count;
        left_out += rules[i].left_out;
        miss = fmin(miss, rules[i].miss);
    }
    if (total > 0 || count == 0 || r->has_bad_rule) {
        return;
    }
    som_report(r->diags, SOM_M3L_NO_MATING, rules[0].span,
               "'%.*s' has no way to mate '%.*s' and '%.*s'", SOM_STR_ARG(rules[0].name),
               SOM_STR_ARG(rules[0].a->name), SOM_STR_ARG(rules[0].b->name));
    if (left_out > 0) {
        som_note(r->diags, (SomSpan){0}, "all of them would put one link into the other");
    } else if (isfinite(miss)) {
        SomText text = {0};
        som_text_number(&text, round(miss * 1e10) / 1e10);
        som_note(r->diags, (SomSpan){0}, "the nearest marks miss each other by %.*s m",
                 SOM_STR_ARG(som_text_str(&text)));
        som_text_free(&text);
    }
}

static void infer_rule(SomM3lReader *r, SomConnectionRule *rule) {
    bool is_bad = // what follows from it would only confuse, or nothing can follow any more
        rule->a->has_errors || rule->b->has_errors || (r->has_bad_rule && r->steps_left == 0);
    if (!is_bad) {
        int errors = som_diagnostics_error_count(r->diags);
        som_connection_rule_infer(rule, &r->steps_left, r->arena, r->diags);
        r->has_bad_rule |= som_diagnostics_error_count(r->diags) > errors;
    } else {
        r->has_bad_rule = true;
        if (r->no_matings == NULL) { // one for all rules that have none
            r->no_matings =
                som_arena_new(r->arena, int, SOM_MAX_MODULE_CONNECTORS *SOM_MAX_MODULE_CONNECTORS);
        }
        rule->first = rule->count = r->no_matings;
    }
}

// Is every mating of the rule, seen from the other side, one of `other`, whose modules are the same
// the other way round?
static bool is_mirrored(const SomConnectionRule *rule, const SomConnectionRule *other) {
    for (int i = 0; i < rule->mating_count; i++) {
        const SomMating *mating = &rule->matings[i];
        int pair = mating->b * other->b->connector_count + mating->a;
        SomPose back = som_pose_invert(mating->transform);
        int k = 0;
        while (k < other->count[pair] &&
               som_pose_distance(other->matings[other->first[pair] + k].transform, back) > 1e-9) {
            k++;
        }
        if (k == other->count[pair]) {
            return false;
        }
    }
    return true;
}

// Rules that stand for several pairs of modules come in both orders; the second order is kept only
// where it says something new. Returns how many are left.
static int drop_mirrored(SomConnectionRule *rules, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool is_new = true;
        for (int k = 0; k < kept && is_new; k++) {
            is_new = rules[k].a != rules[i].b || rules[k].b != rules[i].a ||
                     !is_mirrored(&rules[i], &rules[k]);
        }
        if (is_new) {
            rules[kept++] = rules[i];
        }
    }
    return kept;
}

static void read_rules(File *file) {
    SomM3lReader *r = &file->r;
    int given = file->connections.count;
    SomConnectionRule *rules = som_arena_new(r->arena, SomConnectionRule, SOM_M3L_MAX_RULES);
    r->m3l->rules = rules;
    for (int i = 0; i < given; i++) {
        SomNode definition = file->connections.data[i].definition;
        int first = r->m3l->rule_count;
        if (first == SOM_M3L_MAX_RULES) {
            som_report(r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(r, definition),
                       "a file connects at most %d pairs of modules", SOM_M3L_MAX_RULES);
            r->has_bad_rule = true;
            break;
        }
        rules[first] = (SomConnectionRule){0};
        int made = 0;
        if (claim_name(file, &r->rule_names, definition, first, &rules[first].name,
                       &rules[first].span)) {
            made = som_m3l_read_rules(r, definition, &rules[first], SOM_M3L_MAX_RULES - first);
        }
        r->has_bad_rule |= made == 0;
        for (int k = first; k < first + made; k++) {
            infer_rule(r, &rules[k]);
        }
        made = drop_mirrored(&rules[first], made);
        r->m3l->rule_count += made;
        check_matings(r, &rules[first], made);
    }
}

static void read_robots(File *file) {
    SomM3lReader *r = &file->r;
    SomRobot *robots = som_arena_new(r->arena, SomRobot, file->robots.count);
    r->m3l->robots = robots;
    for (int i = 0; i < file->robots.count; i++) {
        SomRobot *robot = &robots[r->m3l->robot_count];
        *robot = (SomRobot){0};
        if (claim_name(file, &r->robot_names, file->robots.data[i].definition, r->m3l->robot_count,
                       &robot->name, &robot->span)) {
            r->m3l->robot_count++;
            som_m3l_read_robot(r, file->robots.data[i].definition, robot);
        }
    }
}

SomM3l *som_m3l_read(SomStr text, uint32_t source1, SomDiagnostics *diags) {
    SomM3l *m3l = som_alloc(sizeof *m3l);
    SomSyntax *tree = som_m3l_parse(text, &som_dialect_m3l, source1, diags);
    File file = {.r = {.tree = tree,
                       .diags = diags,
                       .arena = &m3l->arena,
                       .m3l = m3l,
                       .unit = 1,
                       .steps_left = SOM_M3L_MAX_STEPS,
                       .hull_points_left = SOM_M3L_MAX_HULL_POINTS}};
    sort_definitions(&file);
    read_modules(&file);
    read_rules(&file);
    som_m3l_report_suspects(&file.r);
    read_robots(&file);
    som_name_table_free(&file.r.type_names);
    som_name_table_free(&file.r.rule_names);
    som_name_table_free(&file.r.robot_names);
    som_name_table_free(&file.r.property_names);
    som_array_free(&file.r.suspects);
    som_array_free(&file.modules);
    som_array_free(&file.connections);
    som_array_free(&file.robots);
    som_array_free(&file.members);
    som_syntax_destroy(tree);
    return m3l;
}

// Hulls live on the heap. Nobody else writes to what is otherwise constant.
static void free_shapes(const SomModuleType *type) {
    for (int i = 0; i < type->link_count; i++) {
        SomShapePart *parts = (SomShapePart *)type->links[i].parts;
        for (int k = 0; k < type->links[i].part_count; k++) {
            som_shape_free(&parts[k].shape);
        }
    }
}

void som_m3l_destroy(SomM3l *m3l) {
    if (m3l != NULL) {
        for (int i = 0; i < m3l->type_count; i++) {
            free_shapes(&m3l->types[i]);
        }
        som_arena_free(&m3l->arena);
        som_free(m3l);
    }
}

const SomModuleType *som_m3l_find_type(const SomM3l *m3l, SomStr name) {
    for (int i = 0; i < m3l->type_count; i++) {
        if (som_str_equal(m3l->types[i].name, name)) {
            return &m3l->types[i];
        }
    }
    return NULL;
}

const SomConnectionRule *som_m3l_find_rule(const SomM3l *m3l, SomStr name) {
    for (int i = 0; i < m3l->rule_count; i++) {
        if (som_str_equal(m3l->rules[i].name, name)) {
            return &m3l->rules[i];
        }
    }
    return NULL;
}

const SomRobot *som_m3l_find_robot(const SomM3l *m3l, SomStr name) {
    for (int i = 0; i < m3l->robot_count; i++) {
        if (som_str_equal(m3l->robots[i].name, name)) {
            return &m3l->robots[i];
        }
    }
    return NULL;
}

// Mating i of a rule's block for connectors (a, b), seen from the asking side.
static SomMatingChoice choice_of(const SomConnectionRule *rule, int mating, bool is_reversed) {
    SomMatingChoice choice = {.rule = rule,
                              .index = mating + 1,
                              .is_reversed = is_reversed,
                              .transform = rule->matings[mating].transform,
                              .roll = rule->matings[mating].roll};
    if (is_reversed) {
        choice.transform = som_pose_invert(choice.transform);
    }
    return choice;
}

// The mating with this number, or 0 for the first one, if the rule has it for connectors (a, b).
static int find_in_block(const SomConnectionRule *rule, int a, int b, int index) {
    int pair = a * rule->b->connector_count + b;
    int mating = index > 0 ? index - 1 : rule->first[pair];
    bool is_there = mating >= rule->first[pair] && mating < rule->first[pair] + rule->count[pair];
    return is_there ? mating : -1;
}

bool som_m3l_find_mating(const SomM3l *m3l, const SomModuleType *a, int ca, const SomModuleType *b,
                         int cb, int index, SomMatingChoice *choice) {
    for (int i = 0; i < m3l->rule_count; i++) {
        const SomConnectionRule *rule = &m3l->rules[i];
        bool is_straight = rule->a == a && rule->b == b;
        bool is_reversed = rule->a == b && rule->b == a;
        int straight = is_straight ? find_in_block(rule, ca, cb, index) : -1;
        int reversed = is_reversed ? find_in_block(rule, cb, ca, index) : -1;
        if (straight >= 0 || reversed >= 0) {
            bool takes_straight = reversed < 0 || (straight >= 0 && straight <= reversed);
            *choice = choice_of(rule, takes_straight ? straight : reversed, !takes_straight);
            return true;
        }
    }
    return false;
}

int som_m3l_find_matings(const SomM3l *m3l, const SomModuleType *a, int ca, const SomModuleType *b,
                         int cb, SomMatingChoice *choices, int max) {
    int total = 0;
    for (int i = 0; i < m3l->rule_count; i++) {
        const SomConnectionRule *rule = &m3l->rules[i];
        bool is_straight = rule->a == a && rule->b == b;
        bool is_reversed = rule->a == b && rule->b == a;
        int straight = is_straight ? ca * b->connector_count + cb : 0;
        int reversed = is_reversed ? cb * a->connector_count + ca : 0;
        int straight_left = is_straight ? rule->count[straight] : 0;
        int reversed_left = is_reversed ? rule->count[reversed] : 0;
        int next_straight = is_straight ? rule->first[straight] : 0;
        int next_reversed = is_reversed ? rule->first[reversed] : 0;
        // both blocks are in rising order: merge them, of equal ones the straight one first
        while (straight_left > 0 || reversed_left > 0) {
            bool takes_straight =
                reversed_left == 0 || (straight_left > 0 && next_straight <= next_reversed);
            int mating = takes_straight ? next_straight++ : next_reversed++;
            takes_straight ? straight_left-- : reversed_left--;
            if (total < max) {
                choices[total] = choice_of(rule, mating, !takes_straight);
            }
            total++;
        }
    }
    return total;
}
