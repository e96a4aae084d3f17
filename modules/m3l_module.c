// SPDX-License-Identifier: Apache-2.0
// A module: its points, then its other members in the order of what they need, then the tree of its
// joints.

#include "base/codes/modules_codes.h"
#include "modules/m3l_module_internal.h"

#define MAX_MARKS 1024 // of one point or link

static bool is_keyword(ModuleReader *m, SomNode definition, const char *word) {
    return som_str_equal(som_m3l_keyword(m->r, definition), som_str(word));
}

bool som_m3l_claim_member(ModuleReader *m, SomNode definition, SomStr *name, SomSpan *span) {
    SomM3lReader *r = m->r;
    SomNode node = som_m3l_require_name(r, definition, name);
    if (node == 0) {
        return false;
    }
    *span = som_m3l_span(r, node);
    int before = som_name_table_add(&m->names, *name, m->name_spans.count);
    if (before >= 0) {
        som_report(r->diags, SOM_M3L_DEFINED_TWICE, *span,
                   "'%.*s' is defined twice in module '%.*s'", SOM_STR_ARG(*name),
                   SOM_STR_ARG(m->type->name));
        som_note(r->diags, m->name_spans.data[before], "it was defined here");
        return false;
    }
    som_array_push(&m->name_spans, *span);
    return true;
}

// ---- points

static bool read_coordinates(ModuleReader *m, SomNode definition, SomVec3 *position) {
    SomNode coords = som_m3l_value(m->r, definition, "coords", true);
    return som_m3l_read_vector(m->r, coords, SOM_DIMENSION_LENGTH, position);
}

static int count_nested(ModuleReader *m, SomNode definition) {
    int count = 0;
    SomNode node = som_syntax_find_child(m->r->tree, definition, SOM_M3L_NESTED);
    for (; node != 0; node = som_syntax_find_next(m->r->tree, node, SOM_M3L_NESTED)) {
        count++;
    }
    return count;
}

static bool is_new_mark(ModuleReader *m, const SomMark3 *marks, int count, SomNode node,
                        SomStr name) {
    for (int i = 0; i < count; i++) {
        if (som_str_equal(marks[i].name, name)) {
            som_report(m->r->diags, SOM_M3L_DEFINED_TWICE, som_m3l_span(m->r, node),
                       "point '%.*s' is defined twice here", SOM_STR_ARG(name));
            return false;
        }
    }
    return true;
}

// The points in parentheses of a point or link. Points in them in turn mean nothing more.
static void read_marks(ModuleReader *m, SomNode definition, PointOwner *owner) {
    SomM3lReader *r = m->r;
    int errors = som_diagnostics_error_count(r->diags);
    int given = count_nested(m, definition);
    if (given > MAX_MARKS) {
        som_report(r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(r, definition),
                   "a point or link has at most %d points", MAX_MARKS);
        given = MAX_MARKS;
    }
    SomMark3 *data = som_arena_new(r->arena, SomMark3, given);
    SomNode nested = som_syntax_find_child(r->tree, definition, SOM_M3L_NESTED);
    for (int i = 0; i < given; i++) {
        SomNode inner = som_syntax_find_child(r->tree, nested, SOM_M3L_DEFINITION);
        nested = som_syntax_find_next(r->tree, nested, SOM_M3L_NESTED);
        if (inner == 0) {
            continue; // a syntax error
        }
        SomNode name = som_m3l_name_node(r, inner);
        SomMark3 mark = {som_m3l_name(r, name), {0, 0, 0}};
        if (!is_keyword(m, inner, "point") || count_nested(m, inner) > 0) {
            som_report(r->diags, SOM_M3L_MISPLACED, som_m3l_span(r, inner),
                       "only points without further points can stand in parentheses here");
        } else if (mark.name.length == 0) {
            som_report(r->diags, SOM_M3L_NO_NAME, som_m3l_span(r, inner), "this point has no name");
        } else if (is_new_mark(m, data, owner->mark_count, name, mark.name) &&
                   read_coordinates(m, inner, &mark.position)) {
            data[owner->mark_count++] = mark;
        }
    }
    owner->marks = data;
    owner->is_bad =
        som_diagnostics_error_count(r->diags) > errors || som_syntax_has_error(r->tree, definition);
}

// The word alone, or with true or false.
static bool is_connector(ModuleReader *m, SomNode definition) {
    SomNode attribute = som_m3l_attribute(m->r, definition, "connector");
    SomNode value = attribute != 0 ? som_m3l_value_of(m->r, attribute) : 0;
    SomStr word = value != 0 ? som_syntax_text(m->r->tree, value) : SOM_STR("true");
    bool is_true = som_str_equal(word, SOM_STR("true"));
    if (!is_true && !som_str_equal(word, SOM_STR("false"))) {
        som_m3l_report_value(m->r, value, "'connector' is true or false");
    }
    return attribute != 0 && is_true;
}

static void read_point(ModuleReader *m, SomNode definition) {
    PlacedPoint point = {.link = -1, .own = {.node = definition}};
    SomSpan span;
    if (!som_m3l_claim_member(m, definition, &point.own.name, &span)) {
        return;
    }
    som_m3l_check_properties(m->r, definition);
    point.is_good = read_coordinates(m, definition, &point.own.position);
    point.is_connector = is_connector(m, definition);
    read_marks(m, definition, &point.own);
    som_name_table_add(&m->point_names, point.own.name, m->points.count);
    som_array_push(&m->points, point);
}

static void read_axis(ModuleReader *m, SomNode definition) {
    NamedAxis axis = {0};
    SomSpan span;
    if (!som_m3l_claim_member(m, definition, &axis.name, &span)) {
        return;
    }
    axis.is_good = som_m3l_read_axis(m->r, definition, &axis.origin, &axis.direction);
    som_name_table_add(&m->axis_names, axis.name, m->axes.count);
    som_array_push(&m->axes, axis);
}

// Its name and points; the rest is read when all of them are known.
static void announce_link(ModuleReader *m, SomNode definition) {
    SomModuleLink link = {0};
    PointOwner owner = {.node = definition};
    if (!som_m3l_claim_member(m, definition, &link.name, &link.span)) {
        return;
    }
    owner.name = link.name;
    read_marks(m, definition, &owner);
    som_name_table_add(&m->link_names, link.name, m->links.count);
    som_array_push(&m->links, link);
    som_array_push(&m->link_points, owner);
}

// ---- the tree of joints

static int find_root(ModuleReader *m, SomNode definition) {
    SomNode value = som_m3l_value(m->r, definition, "root", false);
    if (value != 0) {
        int root = som_m3l_find_link(m, value);
        return root >= 0 ? root : 0;
    }
    for (int i = 0; i < m->links.count; i++) {
        bool is_carried = false;
        for (int j = 0; j < m->joints.count; j++) {
            is_carried |= m->joints.data[j].child == i;
        }
        if (!is_carried) {
            return i;
        }
    }
    return 0; // a ring
}

// From the root outwards, in passes over the joints in their order. A joint met from its child's
// side is turned round by the functions that place links; one that meets two reached links is a
// closure.
static void order_joints(ModuleReader *m, SomNode definition) {
    SomModuleType *type = m->type;
    SomM3lReader *r = m->r;
    bool reached[SOM_MAX_MODULE_LINKS] = {false};
    int *order = som_arena_new(r->arena, int, m->joints.count);
    type->root = find_root(m, definition);
    reached[type->root] = true;
    bool grows = true;
    while (grows) {
        grows = false;
        for (int j = 0; j < m->joints.count; j++) {
            SomModuleJoint *joint = &m->joints.data[j];
            if (!joint->is_tree && reached[joint->parent] != reached[joint->child]) {
                reached[joint->parent] = reached[joint->child] = true;
                joint->is_tree = true;
                order[type->tree_joint_count++] = j;
                grows = true;
            }
        }
    }
    type->joint_order = order;
    for (int i = 0; i < m->links.count; i++) {
        if (!reached[i] && !m->has_bad_joint && !m->has_bad_text) {
            som_report(r->diags, SOM_M3L_NOT_JOINED, m->links.data[i].span,
                       "link '%.*s' is not joined to link '%.*s'",
                       SOM_STR_ARG(m->links.data[i].name),
                       SOM_STR_ARG(m->links.data[type->root].name));
        }
    }
}

// ---- aliases

static void claim_alias(ModuleReader *m, SomNameTable *table, SomStr name, int owner,
                        SomSpan span) {
    if (som_name_table_add(table, name, owner) >= 0) {
        som_report(m->r->diags, SOM_M3L_DEFINED_TWICE, span,
                   "the alias '%.*s' is a name already in module '%.*s'", SOM_STR_ARG(name),
                   SOM_STR_ARG(m->type->name));
    }
}

// Names and aliases of joints are one scope, those of connectors another.
static void check_aliases(ModuleReader *m) {
    SomNameTable table = {0};
    for (int i = 0; i < m->joints.count; i++) {
        som_name_table_add(&table, m->joints.data[i].name, i);
    }
    for (int i = 0; i < m->joints.count; i++) {
        for (int k = 0; k < m->joints.data[i].alias_count; k++) {
            claim_alias(m, &table, m->joints.data[i].aliases[k].name, i, m->joints.data[i].span);
        }
    }
    som_name_table_free(&table);
    for (int i = 0; i < m->connectors.count; i++) {
        som_name_table_add(&table, m->connectors.data[i].name, i);
    }
    for (int i = 0; i < m->connectors.count; i++) {
        for (int k = 0; k < m->connectors.data[i].alias_count; k++) {
            claim_alias(m, &table, m->connectors.data[i].aliases[k].name, i,
                        m->connectors.data[i].span);
        }
    }
    som_name_table_free(&table);
}

// ---- the whole

static void read_head(ModuleReader *m, SomNode definition) {
    static const char *const known[] = {"unit", "timeout", "root", "note", "urdf", "sdf", NULL};
    SomM3lReader *r = m->r;
    m->type->unit = 1;
    m->type->note = (SomStr){"", 0};
    som_m3l_check_attributes(r, definition, known);
    r->unit = 1;
    som_m3l_read_option(r, definition, "unit", SOM_DIMENSION_LENGTH, true, &m->type->unit);
    r->unit = m->type->unit;
    som_m3l_read_option(r, definition, "timeout", SOM_DIMENSION_TIME, true, &m->type->timeout);
    som_m3l_read_text(r, som_m3l_value(r, definition, "note", false), &m->type->note);
    som_m3l_read_kept(r, definition, &m->type->kept);
}

typedef void (*ReadMember)(ModuleReader *m, SomNode definition);

static void read_all(ModuleReader *m, const SomNode *members, int count, const char *keyword,
                     ReadMember read, int max) {
    int seen = 0;
    for (int i = 0; i < count; i++) {
        if (!is_keyword(m, members[i], keyword)) {
            continue;
        }
        if (seen++ == max) {
            som_report(m->r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(m->r, members[i]),
                       "a module has at most %d definitions of a %s", max, keyword);
            return;
        }
        read(m, members[i]);
    }
}

static void read_links(ModuleReader *m) {
    for (int i = 0; i < m->links.count; i++) {
        som_m3l_read_link(m, m->link_points.data[i].node, i);
    }
}

#define MOVE(m, field, T)                                                                          \
    do {                                                                                           \
        (m)->type->field##s = som_m3l_keep((m)->r, T, (m)->field##s);                              \
        (m)->type->field##_count = (m)->field##s.count;                                            \
        som_array_free(&(m)->field##s);                                                            \
    } while (0)

static void finish(ModuleReader *m) {
    MOVE(m, link, SomModuleLink);
    MOVE(m, joint, SomModuleJoint);
    MOVE(m, connector, SomConnector);
    MOVE(m, tag, SomModuleTag);
    MOVE(m, frame, SomModuleFrame);
    som_name_table_free(&m->names);
    som_name_table_free(&m->point_names);
    som_name_table_free(&m->link_names);
    som_name_table_free(&m->axis_names);
    som_array_free(&m->name_spans);
    som_array_free(&m->points);
    som_array_free(&m->axes);
    som_array_free(&m->link_points);
}

void som_m3l_read_module(SomM3lReader *r, SomNode definition, const SomNode *members,
                         int member_count, SomModuleType *type) {
    ModuleReader m = {.r = r, .type = type};
    m.has_bad_text = som_syntax_has_error(r->tree, definition);
    for (int i = 0; i < member_count && !m.has_bad_text; i++) {
        m.has_bad_text = som_syntax_has_error(r->tree, members[i]);
    }
    read_head(&m, definition);
    read_all(&m, members, member_count, "point", read_point, SOM_MAX_MODULE_POINTS);
    read_all(&m, members, member_count, "link", announce_link, SOM_MAX_MODULE_LINKS);
    read_links(&m);
    read_all(&m, members, member_count, "axis", read_axis, SOM_MAX_MODULE_POINTS);
    read_all(&m, members, member_count, "joint", som_m3l_read_joint, SOM_MAX_MODULE_LINKS);
    read_all(&m, members, member_count, "tag", som_m3l_read_tag, SOM_MAX_MODULE_POINTS);
    read_all(&m, members, member_count, "frame", som_m3l_read_frame, SOM_MAX_MODULE_POINTS);
    som_m3l_read_link_frames(&m);
    if (m.links.count > 0) {
        som_m3l_read_connectors(&m);
        order_joints(&m, definition);
        check_aliases(&m);
    } else if (!m.has_bad_text) {
        som_report(r->diags, SOM_M3L_NO_LINKS, type->span, "module '%.*s' has no link",
                   SOM_STR_ARG(type->name));
    }
    finish(&m);
}
