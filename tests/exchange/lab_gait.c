// SPDX-License-Identifier: Apache-2.0

#include "tests/exchange/lab_gait.h"

#include "base/number.h"

#include <math.h>

static bool is_achieved(const SomLabGait *g, int label, int now) {
    for (int i = 0; i < g->count; i++) {
        if (g->commands[i].label == label &&
            !(g->commands[i].end >= 0 && g->commands[i].end <= now)) {
            return false;
        }
    }
    return true;
}

// The first of a module that has not ended; NULL if all have.
static SomLabCommand *head_of(SomLabGait *g, int module) {
    for (int i = 0; i < g->count; i++) {
        if (g->commands[i].module == module && g->commands[i].end < 0) {
            return &g->commands[i];
        }
    }
    return NULL;
}

typedef struct Joint {
    double at, to, error;
    bool is_sent;   // ever
    bool has_error; // of the step before
} Joint;

static double step_joint(Joint *j) {
    double error = j->to - j->at;
    if (fabs(error) < 1e-7) {
        j->has_error = j->is_sent;
        j->at = j->to;
        j->error = 0;
        return 0;
    }
    double v = 7.5 * error + 0.75 * (j->has_error ? error - j->error : 0);
    j->has_error = true;
    double most = 0.8 * 2.4086;
    v = v > most ? most : v < -most ? -most : v;
    j->error = error;
    j->at += v * 0.001;
    return fabs(v);
}

static void look(SomLabGait *g, int module, Joint joints[4], int now) {
    SomLabCommand *c = head_of(g, module);
    if (c == NULL) {
        return;
    }
    if (c->start < 0) {
        if (c->after >= 0 && !is_achieved(g, c->after, now)) {
            return;
        }
        c->start = now;
        for (int k = 0; k < 4; k++) {
            if (c->mode[k] == 'p') {
                joints[k].to = c->value[k];
                joints[k].is_sent = true;
            }
        }
        return;
    }
    bool is_over = true;
    for (int k = 0; k < 4; k++) {
        is_over = is_over && fabs(joints[k].at - joints[k].to) < 0.08;
    }
    if (c->milliseconds >= 0) {
        is_over = now > c->start + (c->milliseconds > 0 ? c->milliseconds : 1);
    }
    c->end = is_over ? now : -1;
}

bool som_lab_interpret(SomLabGait *g) {
    Joint joints[SOM_LAB_MOST_MODULES][4];
    int order[SOM_LAB_MOST_MODULES], modules = 0;
    for (int i = 0; i < g->count;
         i++) { // modules are looked at in the order of their first commands
        bool is_known = false;
        for (int k = 0; k < modules; k++) {
            is_known = is_known || order[k] == g->commands[i].module;
        }
        if (!is_known) {
            order[modules++] = g->commands[i].module;
        }
    }
    for (int i = 0; i < 4 * SOM_LAB_MOST_MODULES; i++) {
        double at = g->initial[i / 4][i % 4];
        joints[i / 4][i % 4] = (Joint){at, at, 0, false, false};
    }
    double fastest = 1;
    g->done = -1;
    for (int now = 0; now < 200000; now++) {
        bool has_commands = false;
        for (int i = 0; i < modules; i++) {
            look(g, order[i], joints[order[i]], now);
            has_commands = has_commands || head_of(g, order[i]) != NULL;
        }
        if (!has_commands && g->done < 0) {
            g->done = now;
            for (int i = 0; i < g->count; i++) {
                g->done = g->commands[i].end > g->done ? g->commands[i].end : g->done;
            }
        }
        if (g->done >= 0 && fastest < 1e-4) {
            g->rest = now;
            for (int i = 0; i < 4 * SOM_LAB_MOST_MODULES; i++) {
                g->final[i / 4][i % 4] = joints[i / 4][i % 4].at;
            }
            return true;
        }
        fastest = 0;
        for (int i = 0; i < 4 * SOM_LAB_MOST_MODULES; i++) {
            fastest = fmax(fastest, step_joint(&joints[i / 4][i % 4]));
        }
    }
    return false;
}

// ---- files

void som_lab_print_conf(const SomLabGait *g, SomText *out) {
    som_text_add(out, SOM_STR("<configuration><modules>"));
    for (int i = 0; i < SOM_LAB_MOST_MODULES; i++) {
        som_text_printf(out, "<module><name>M%d</name><position>0 ", i);
        som_text_number(out, -0.1 * i);
        som_text_add(out, SOM_STR(" 0.05 0 0 0</position><joints>"));
        for (int k = 0; k < 4; k++) {
            som_text_number(out, g->initial[i][k]);
            som_text_add(out, SOM_STR(" "));
        }
        som_text_add(out, SOM_STR("</joints></module>"));
    }
    som_text_add(out, SOM_STR("</modules><connections>"));
    for (int i = 0; i + 1 < SOM_LAB_MOST_MODULES; i++) {
        som_text_printf(out,
                        "<connection><module1>M%d</module1><module2>M%d</module2><node1>0</node1>"
                        "<node2>3</node2><distance>0</distance><angle>0</angle></connection>",
                        i, i + 1);
    }
    som_text_add(out, SOM_STR("</connections></configuration>"));
}

void som_lab_print_gait(const SomLabGait *g, SomText *out) {
    for (int i = 0; i < g->count; i++) {
        const SomLabCommand *c = &g->commands[i];
        som_text_printf(out, "M%d", c->module);
        for (int k = 0; k < 4; k++) {
            som_text_printf(out, " %c", c->mode[k]);
            if (c->mode[k] == 'p') {
                som_text_number(out, c->value[k]);
            }
        }
        if (c->milliseconds >= 0) {
            som_text_printf(out, " [%d]", c->milliseconds);
        }
        if (c->label >= 0) {
            som_text_printf(out, " {%c}", 'a' + c->label);
        }
        if (c->after >= 0) {
            som_text_printf(out, " (%c)", 'a' + c->after);
        }
        som_text_add(out, i % 3 == 0 ? SOM_STR(";\tremark\n") : SOM_STR(" ;\n"));
    }
}
