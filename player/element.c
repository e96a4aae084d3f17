// SPDX-License-Identifier: Apache-2.0
#include "player/element.h"

#include "player/decimal_number.h"

#include <string.h>

static bool refuse(SomElementFault *fault, const char *words, const char *attribute) {
    fault->words = words;
    fault->attribute = attribute;
    return false;
}

static bool is_same(const char *a, const char *b) {
    size_t length = strlen(a);
    return length == strlen(b) && memcmp(a, b, length) == 0;
}

const char *som_element_attribute(const SomAttribute *attributes, int32_t count, const char *name) {
    for (int32_t i = 0; i < count; i++) {
        if (is_same(attributes[i].name, name)) {
            return attributes[i].value;
        }
    }
    return NULL;
}

// ---- values

typedef struct Reader {
    const SomAttribute *attributes;
    int32_t count;
    SomElementFault *fault;
} Reader;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// As many numbers as there should be, none of them beyond all sense.
static bool read_numbers(const Reader *r, const char *name, double *values, int wanted) {
    const char *text = som_element_attribute(r->attributes, r->count, name);
    for (int i = 0; text != NULL && i < wanted; i++) {
        while (is_blank(*text)) {
            text++;
        }
        size_t length = 0;
        while (text[length] != '\0' && !is_blank(text[length])) {
            length++;
        }
        if (!som_decimal_number_read(text, length, &values[i]) ||
            fabs(values[i]) > SOM_GRAPH_MOST_VALUE) {
            return refuse(r->fault, "a number of at most 1e9 was expected", name);
        }
        text += length;
    }
    while (text != NULL && is_blank(*text)) {
        text++;
    }
    return text == NULL || *text == '\0' || refuse(r->fault, "there are too many numbers", name);
}

static bool read_number(const Reader *r, const char *name, double *value) {
    return read_numbers(r, name, value, 1);
}

static bool read_positive(const Reader *r, const char *name, double *value) {
    return read_number(r, name, value) &&
           (*value >= 0 || refuse(r->fault, "a number of at least 0 was expected", name));
}

static bool read_name(const Reader *r, const char *name, const char **value) {
    *value = som_element_attribute(r->attributes, r->count, name);
    return (*value != NULL && **value != '\0') || refuse(r->fault, "it needs this name", name);
}

// Of length 1.
static bool read_direction(const Reader *r, const char *name, double values[3], bool is_needed) {
    if (!read_numbers(r, name, values, 3)) {
        return false;
    }
    double square = values[0] * values[0] + values[1] * values[1] + values[2] * values[2];
    bool is_given = som_element_attribute(r->attributes, r->count, name) != NULL;
    return (!is_given && !is_needed) || fabs(square - 1) < 1e-3 ||
           refuse(r->fault, "a direction of length 1 was expected", name);
}

static bool read_place(const Reader *r, const double numbers[7], const char *name,
                       SomBodyPlace *place) {
    double square = 0;
    for (int i = 3; i < 7; i++) {
        square += numbers[i] * numbers[i];
    }
    if (!(fabs(square - 1) < 1e-3)) {
        return refuse(r->fault, "a quaternion of length 1 was expected", name);
    }
    *place = som_body_place(numbers, numbers + 3);
    return true;
}

// ---- the elements

static Reader reader(const SomAttribute *attributes, int32_t count, SomElementFault *fault) {
    Reader r;
    r.attributes = attributes;
    r.count = count;
    r.fault = fault;
    refuse(fault, NULL, NULL);
    return r;
}

bool som_element_read_dof(const SomAttribute *attributes, int32_t count, SomRobotDof *dof,
                          SomElementFault *fault) {
    Reader r = reader(attributes, count, fault);
    memset(dof, 0, sizeof *dof);
    SomServoModel *servo = &dof->drive.servo;
    servo->low = -(double)INFINITY;
    servo->high = (double)INFINITY;
    dof->joint = som_element_attribute(attributes, count, "joint");
    const char *kind = som_element_attribute(attributes, count, "kind");
    dof->is_prismatic = kind != NULL && is_same(kind, "prismatic");
    if (!read_name(&r, "name", &dof->name)) {
        return false;
    }
    if (kind != NULL && !dof->is_prismatic && !is_same(kind, "revolute")) {
        return refuse(fault, "a DoF is revolute or prismatic", "kind");
    }
    if (dof->joint == NULL && som_element_attribute(attributes, count, "locked") == NULL) {
        return refuse(fault, "it needs a joint, or a value at which it is locked", "joint");
    }
    return read_number(&r, dof->joint != NULL ? "start" : "locked", &dof->start) &&
           read_number(&r, "low", &servo->low) && read_number(&r, "high", &servo->high) &&
           (servo->low <= servo->high || refuse(fault, "it is above the other limit", "low")) &&
           read_direction(&r, "axis", dof->axis, dof->joint != NULL) &&
           read_positive(&r, "effort", &dof->effort) &&
           read_positive(&r, "speed", &servo->most_speed) &&
           read_positive(&r, "acceleration", &servo->most_acceleration) &&
           read_positive(&r, "p", &dof->gains[0]) && read_positive(&r, "i", &dof->gains[1]) &&
           read_positive(&r, "d", &dof->gains[2]);
}

bool som_element_read_weld(const SomAttribute *attributes, int32_t count, SomRobotWeld *weld,
                           SomElementFault *fault) {
    Reader r = reader(attributes, count, fault);
    double numbers[7] = {0, 0, 0, 0, 0, 0, 1};
    const char *state = som_element_attribute(attributes, count, "state");
    memset(weld, 0, sizeof *weld);
    weld->index = SOM_NONE;
    weld->dock = som_element_attribute(attributes, count, "dock");
    weld->state = weld->dock == NULL || (state != NULL && is_same(state, "closed"))
                      ? SOM_DOCK_CLOSED
                      : SOM_DOCK_OPEN;
    if (state != NULL && !is_same(state, "open") && !is_same(state, "closed")) {
        return refuse(fault, "a dock is open or closed", "state");
    }
    weld->parent = som_element_attribute(attributes, count, "parent");
    weld->child = som_element_attribute(attributes, count, "child");
    weld->parent_links = som_element_attribute(attributes, count, "parent_links");
    weld->child_links = som_element_attribute(attributes, count, "child_links");
    if ((weld->parent == NULL) != (weld->child == NULL) ||
        (weld->parent == NULL && weld->dock == NULL)) {
        return refuse(fault, "it needs two links, parent and child", "parent");
    }
    return read_name(&r, "name", &weld->name) && read_numbers(&r, "position", numbers, 3) &&
           read_numbers(&r, "quaternion_xyzw", numbers + 3, 4) &&
           read_place(&r, numbers, "quaternion_xyzw", &weld->place) &&
           read_positive(&r, "closing", &weld->model.closing) &&
           read_positive(&r, "opening", &weld->model.opening) &&
           read_positive(&r, "reach", &weld->model.reach) &&
           read_positive(&r, "reach_angle", &weld->model.reach_angle) &&
           read_positive(&r, "mass", &weld->mass) && read_positive(&r, "inertia", &weld->inertia) &&
           read_numbers(&r, "middle", weld->middle, 3) &&
           read_positive(&r, "tension", &weld->limits.tension) &&
           read_positive(&r, "shear", &weld->limits.shear) &&
           read_positive(&r, "bending", &weld->limits.bending) &&
           read_numbers(&r, "face", weld->limits.face, 3) &&
           read_direction(&r, "outward", weld->limits.outward,
                          weld->limits.tension > 0 || weld->limits.shear > 0 ||
                              weld->limits.bending > 0);
}

static bool read_piece(Reader *r, int32_t *piece) {
    double number = 0;
    if (!read_positive(r, "piece", &number)) {
        return false;
    }
    *piece = number < SOM_ELEMENT_MOST ? (int32_t)number : -1;
    return (double)*piece == number ||
           refuse(r->fault, "a number of a piece was expected", "piece");
}

bool som_element_read_body(const SomAttribute *attributes, int32_t count, SomRobotBody *body,
                           SomElementFault *fault) {
    Reader r = reader(attributes, count, fault);
    double numbers[7] = {0, 0, 0, 0, 0, 0, 1};
    memset(body, 0, sizeof *body);
    body->up[2] = 1;
    body->is_base = som_element_attribute(attributes, count, "base") != NULL;
    body->is_fixed = som_element_attribute(attributes, count, "fixed") != NULL;
    return read_name(&r, "link", &body->link) && read_positive(&r, "mass", &body->mass) &&
           read_numbers(&r, "center", body->center, 3) && read_numbers(&r, "up", body->up, 3) &&
           read_positive(&r, "upright", &body->upright) && read_numbers(&r, "base", numbers, 7) &&
           read_place(&r, numbers, "base", &body->base) && read_piece(&r, &body->piece);
}

int32_t som_element_find_body(const SomRobotBody *bodies, int32_t count, const char *link) {
    for (int32_t i = 0; i < count; i++) {
        if (is_same(bodies[i].link, link)) {
            return i;
        }
    }
    return -1;
}

bool som_element_read_trace(const SomAttribute *attributes, int32_t count, SomRobotTrace *trace,
                            SomElementFault *fault) {
    Reader r = reader(attributes, count, fault);
    trace->every = 0.01;
    return read_name(&r, "file", &trace->file) && read_positive(&r, "every", &trace->every) &&
           (trace->every > 0 || refuse(fault, "a time above 0 was expected", "every"));
}

bool som_element_read_physics(const SomAttribute *attributes, int32_t count, SomFallLimits *fall,
                              SomElementFault *fault) {
    Reader r = reader(attributes, count, fault);
    return read_positive(&r, "lean", &fall->lean) && read_positive(&r, "rolling", &fall->rolling);
}

bool som_element_is_piece(const char *collision, const char *shape) {
    static const char *const endings[] = {"_ball_", "_end_"};
    size_t length = strlen(shape);
    if (strlen(collision) < length || memcmp(collision, shape, length) != 0) {
        return false;
    }
    const char *rest = collision + length;
    if (*rest == '\0' || is_same(rest, "_box")) {
        return true;
    }
    for (int i = 0; i < 2; i++) {
        size_t ending = strlen(endings[i]);
        if (strlen(rest) > ending && memcmp(rest, endings[i], ending) == 0) {
            const char *digit = rest + ending;
            while ('0' <= *digit && *digit <= '9') {
                digit++;
            }
            return *digit == '\0';
        }
    }
    return false;
}

// ---- with the graph

static bool fits_dofs(const SomElement *e, SomElementFault *fault) {
    const SomActionGraph *graph = e->graph;
    if (graph->symbol_count[SOM_SYMBOL_DOF] != e->dof_count) {
        return refuse(fault, "the graph has another number of DoF than the element", NULL);
    }
    for (int32_t i = 0; i < e->dof_count; i++) {
        const char *name = som_graph_name(graph, SOM_SYMBOL_DOF, i);
        if (!is_same(name, e->dofs[i].name)) {
            return refuse(fault, "the graph has this DoF at a place where the element has another",
                          name);
        }
    }
    for (int32_t i = 0; i < graph->action_count; i++) {
        int32_t dof = som_graph_resource(graph, &graph->actions[i]);
        bool is_held = graph->actions[i].kind == SOM_ACTION_HOLD; // as a lock does
        if (0 <= dof && dof < e->dof_count && e->dofs[dof].joint == NULL && !is_held) {
            return refuse(fault, "the graph moves a DoF that is locked in this model",
                          e->dofs[dof].name);
        }
    }
    return true;
}

static bool fits_docks(const SomElement *e, SomElementFault *fault) {
    for (int32_t i = 0; i < e->weld_count; i++) {
        e->welds[i].index = SOM_NONE;
    }
    for (int32_t k = 0; k < e->graph->symbol_count[SOM_SYMBOL_DOCK]; k++) {
        const char *name = som_graph_name(e->graph, SOM_SYMBOL_DOCK, k);
        bool is_there = false;
        for (int32_t i = 0; i < e->weld_count; i++) {
            if (e->welds[i].dock != NULL && is_same(e->welds[i].dock, name)) {
                e->welds[i].index = k;
                is_there = true;
            }
        }
        if (!is_there) {
            return refuse(fault, "the graph has a dock that the element has not", name);
        }
    }
    return true;
}

static bool fits_contacts(const SomElement *e, int32_t *contact_of, SomElementFault *fault) {
    for (int32_t k = 0; k < e->graph->symbol_count[SOM_SYMBOL_CONTACT]; k++) {
        const char *name = som_graph_name(e->graph, SOM_SYMBOL_CONTACT, k);
        contact_of[k] = SOM_NONE;
        for (int32_t i = 0; i < e->contact_count && contact_of[k] == SOM_NONE; i++) {
            contact_of[k] = is_same(e->contacts[i], name) ? i : SOM_NONE;
        }
        if (contact_of[k] == SOM_NONE) {
            return refuse(fault, "the graph senses a contact that the element has not", name);
        }
    }
    return true;
}

bool som_element_bind(const SomElement *e, int32_t *contact_of, SomElementFault *fault) {
    refuse(fault, NULL, NULL);
    if (e->weld_count > SOM_ELEMENT_MOST || e->contact_count > SOM_ELEMENT_MOST ||
        e->graph->symbol_count[SOM_SYMBOL_DOCK] > SOM_ELEMENT_MOST ||
        e->graph->symbol_count[SOM_SYMBOL_CONTACT] > SOM_ELEMENT_MOST) {
        return refuse(fault, "there are too many docks, welds or contacts", NULL);
    }
    return fits_dofs(e, fault) && fits_docks(e, fault) && fits_contacts(e, contact_of, fault);
}
