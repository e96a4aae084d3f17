// SPDX-License-Identifier: Apache-2.0

#include "tests/language/som_random.h"

#define MAX_DEPTH 6

typedef struct Writer {
    SomTestRandom *random;
    SomText *out;
    int brackets;
    int depth;
    bool is_glued; // no blank before the next word
} Writer;

static int pick(Writer *w, int count) {
    return som_test_int(w->random, 0, count - 1);
}

static bool maybe(Writer *w, int percent) {
    return pick(w, 100) < percent;
}

static void comment(Writer *w) {
    static const char *const texts[] = {"# note", "#", "# ä ∂ # b  ", "#long long long comment"};
    som_text_add(w->out, som_str(texts[pick(w, 4)]));
    som_text_add(w->out, SOM_STR("\n"));
}

// Blanks, and in brackets newlines and comments.
static void space(Writer *w) {
    int kind = pick(w, 100);
    if (w->brackets > 0 && kind < 4) {
        som_text_add(w->out, SOM_STR(" "));
        comment(w);
    } else if (w->brackets > 0 && kind < 8) {
        som_text_add(w->out, SOM_STR("\n  "));
    } else if (kind < 10) {
        som_text_add(w->out, SOM_STR(" \\\n"));
    } else {
        som_text_add_char(w->out, ' ', kind < 90 ? 1 : 3);
    }
}

static void word(Writer *w, const char *text) {
    if (!w->is_glued) {
        space(w);
    }
    w->is_glued = false;
    som_text_add(w->out, som_str(text));
}

static void open(Writer *w, const char *bracket) {
    word(w, bracket);
    w->brackets++;
}

static void shut(Writer *w, const char *bracket) {
    word(w, bracket);
    w->brackets--;
}

static void name(Writer *w) {
    static const char *const names[] = {"a",
                                        "head",
                                        "s",
                                        "left_front",
                                        "\"front-left\"",
                                        "tilt",
                                        "x1",
                                        "Glied",
                                        "m",
                                        "s",
                                        "h",
                                        "in",
                                        "deg",
                                        "part",
                                        "n",
                                        "middle",
                                        "Nm",
                                        "an_exceptionally_long_name_of_something"};
    word(w, names[pick(w, 18)]);
}

static void expression(Writer *w);
static void action(Writer *w);

static void index(Writer *w) {
    open(w, "[");
    expression(w);
    shut(w, "]");
}

static void place(Writer *w) {
    name(w);
    while (maybe(w, 40)) {
        if (maybe(w, 30)) {
            index(w);
        } else {
            word(w, ".");
            name(w);
        }
    }
}

static void arguments(Writer *w) {
    open(w, "(");
    for (int i = pick(w, 4); i > 0; i--) {
        if (maybe(w, 20)) {
            name(w);
            word(w, "=");
        }
        expression(w);
        if (i > 1 || maybe(w, 10)) {
            word(w, ",");
        }
    }
    shut(w, ")");
}

static void quantity(Writer *w) {
    static const char *const numbers[] = {"1",        "0.5",  ".5",    "2.",  "1e-3",
                                          "45deg",    "10m",  "3cm/s", "2Nm", "1.5s",
                                          "7deg/s^2", "1.5m", "4kg"};
    word(w, numbers[pick(w, 13)]);
}

static void operation(Writer *w, const char *const *operators, int count) {
    expression(w);
    for (int i = 1 + pick(w, 3); i > 0; i--) {
        word(w, operators[pick(w, count)]);
        // an operand that binds as tightly as any
        int before = w->depth;
        w->depth = MAX_DEPTH;
        expression(w);
        w->depth = before;
    }
}

static void compound(Writer *w) {
    static const char *const sums[] = {"+", "-"}, *const products[] = {"*", "/"};
    static const char *const powers[] = {"^"}, *const relations[] = {"==", "!=", "<", ">="};
    static const char *const words[] = {"and", "or"};
    switch (pick(w, 9)) {
    case 0:
        operation(w, sums, 2);
        break;
    case 1:
        operation(w, products, 2);
        break;
    case 2:
        operation(w, powers, 1);
        break;
    case 3: {
        open(w, "(");
        expression(w);
        shut(w, ")");
        word(w, relations[pick(w, 4)]);
        quantity(w);
        break;
    }
    case 4:
        operation(w, words, 2);
        break;
    case 5:
        open(w, "(");
        word(w, "not");
        expression(w);
        shut(w, ")");
        break;
    case 6:
        word(w, maybe(w, 50) ? "-" : "+");
        expression(w);
        break;
    case 7:
        word(w, "sin");
        arguments(w);
        break;
    default:
        open(w, "(");
        word(w, "if");
        expression(w);
        word(w, "then");
        expression(w);
        word(w, "else");
        expression(w);
        shut(w, ")");
    }
}

static void expression(Writer *w) {
    if (w->depth >= MAX_DEPTH || maybe(w, 50)) {
        switch (pick(w, 4)) {
        case 0:
            place(w);
            break;
        case 1:
            word(w, "pi");
            break;
        default:
            quantity(w);
        }
        return;
    }
    w->depth++;
    // in brackets, so that any operator may stand round it
    open(w, "(");
    compound(w);
    shut(w, ")");
    w->depth--;
}

static void loop(Writer *w) {
    word(w, "for");
    name(w);
    word(w, "in");
    expression(w);
    word(w, "..");
    expression(w);
    if (maybe(w, 20)) {
        word(w, "if");
        expression(w);
    }
}

static void clauses(Writer *w) {
    static const char *const words[] = {"until", "within", "timeout", "at", "during"};
    while (maybe(w, 30)) {
        int which = pick(w, 6);
        word(w, which < 5 ? words[which] : "hold");
        if (which < 5) {
            expression(w);
        }
    }
}

static void list(Writer *w, bool is_choice) {
    open(w, "(");
    for (int i = pick(w, 4); i > 0; i--) {
        if (is_choice) {
            if (maybe(w, 20)) {
                word(w, "else");
            } else {
                expression(w);
            }
            word(w, ":");
        } else if (maybe(w, 20)) {
            loop(w);
            word(w, ":");
        }
        action(w);
        if (i > 1 || maybe(w, 10)) {
            word(w, ",");
        }
    }
    shut(w, ")");
}

static void simple_action(Writer *w) {
    static const char *const modes[] = {"to", "by", "spin", "follow"};
    switch (pick(w, 8)) {
    case 0:
        word(w, "hold");
        return;
    case 1:
        word(w, "wait");
        if (maybe(w, 30)) {
            word(w, maybe(w, 50) ? "timeout" : "during");
            quantity(w);
            break;
        }
        expression(w);
        break;
    case 2:
        word(w, maybe(w, 50) ? "connect" : "disconnect");
        place(w);
        break;
    case 3:
        word(w, "to");
        word(w, "pose");
        place(w);
        break;
    case 4:
        place(w);
        if (maybe(w, 50)) {
            arguments(w);
        }
        break;
    case 5:
        place(w);
        word(w, "follow");
        open(w, "[");
        for (int i = pick(w, 3); i > 0; i--) {
            quantity(w);
            word(w, ":");
            expression(w);
            word(w, ",");
        }
        shut(w, "]");
        break;
    default:
        place(w);
        word(w, modes[pick(w, 4)]);
        expression(w);
    }
    clauses(w);
}

static void action(Writer *w) {
    static const char *const lists[] = {"series", "parallel", "any", "Sc", "Pc"};
    if (w->depth >= MAX_DEPTH || maybe(w, 40)) {
        simple_action(w);
        return;
    }
    w->depth++;
    switch (pick(w, 5)) {
    case 0:
        word(w, "repeat");
        if (maybe(w, 50)) {
            word(w, "forever");
        } else {
            expression(w);
        }
        if (maybe(w, 30)) {
            word(w, "from");
            expression(w);
        }
        word(w, ":");
        action(w);
        break;
    case 1:
        word(w, "choose");
        list(w, true);
        break;
    case 2:
        word(w, "if");
        expression(w);
        word(w, "then");
        action(w);
        word(w, "else");
        action(w);
        break;
    default:
        word(w, lists[pick(w, 5)]);
        list(w, false);
        clauses(w);
    }
    w->depth--;
}

static void end_statement(Writer *w) {
    switch (pick(w, 5)) {
    case 0:
        som_text_add(w->out, SOM_STR(" ;"));
        break;
    case 1:
        som_text_add(w->out, SOM_STR(" "));
        comment(w);
        break;
    case 2:
        som_text_add(w->out, SOM_STR("\n\n \n"));
        break;
    default:
        som_text_add(w->out, SOM_STR("\n"));
    }
    if (maybe(w, 15)) {
        som_text_add(w->out, SOM_STR("  "));
        comment(w);
    }
}

static void parameters(Writer *w) {
    if (maybe(w, 50)) {
        open(w, "(");
        for (int i = pick(w, 3); i > 0; i--) {
            name(w);
            word(w, ":");
            word(w, "count");
            if (maybe(w, 50)) {
                word(w, "=");
                expression(w);
            }
            if (i > 1) {
                word(w, ",");
            }
        }
        shut(w, ")");
    }
}

static void mating(Writer *w) {
    place(w);
    word(w, "to");
    place(w);
    if (maybe(w, 50)) {
        word(w, maybe(w, 50) ? "at" : "gap");
        expression(w);
    }
    if (maybe(w, 10)) {
        word(w, "forced");
    }
}

static void vector(Writer *w) {
    open(w, "(");
    for (int i = 0; i < 3; i++) {
        expression(w);
        if (i < 2) {
            word(w, ",");
        }
    }
    shut(w, ")");
}

static void entries(Writer *w) {
    word(w, "{");
    int before = w->brackets;
    w->brackets = 0;
    bool on_lines = maybe(w, 50);
    for (int i = pick(w, 4); i > 0; i--) {
        place(w);
        if (maybe(w, 80)) {
            word(w, "=");
            expression(w);
        }
        if (maybe(w, 20)) {
            loop(w);
        }
        if (on_lines) {
            end_statement(w);
        } else {
            word(w, ";");
        }
    }
    word(w, "}");
    w->brackets = before;
}

static void part(Writer *w) {
    word(w, "part");
    for (int i = 1 + pick(w, maybe(w, 10) ? 40 : 3); i > 0; i--) {
        name(w);
        if (maybe(w, 30)) {
            index(w);
        }
        if (i > 1) {
            word(w, ",");
            if (maybe(w, 10)) {
                som_text_add(w->out, SOM_STR(" "));
                comment(w);
            }
        }
    }
    word(w, ":");
    name(w);
    if (maybe(w, 30)) {
        arguments(w);
    }
}

// verify { NAME = expression; … }
static void settings(Writer *w) {
    word(w, "verify");
    word(w, "{");
    for (int i = pick(w, 3); i > 0; i--) {
        name(w);
        word(w, "=");
        expression(w);
        word(w, ";");
    }
    word(w, "}");
}

static void statement(Writer *w) {
    switch (pick(w, 9)) {
    case 0:
        part(w);
        break;
    case 1:
        word(w, "connect");
        mating(w);
        if (maybe(w, 30)) {
            loop(w);
        }
        break;
    case 2:
        word(w, "dock");
        if (maybe(w, 50)) {
            name(w);
            word(w, ":");
        }
        mating(w);
        word(w, "open");
        if (maybe(w, 20)) {
            loop(w);
        }
        break;
    case 3:
        word(w, "pose");
        name(w);
        entries(w);
        break;
    case 4:
        word(w, "base");
        place(w);
        word(w, "at");
        vector(w);
        if (maybe(w, 50)) {
            word(w, "turned");
            vector(w);
        }
        break;
    case 6:
        settings(w);
        break;
    case 5:
        word(w, "let");
        name(w);
        word(w, "=");
        expression(w);
        break;
    default:
        word(w, "behavior");
        name(w);
        parameters(w);
        word(w, "=");
        action(w);
    }
}

static void config(Writer *w) {
    word(w, "config");
    name(w);
    parameters(w);
    if (maybe(w, 20)) {
        word(w, "is");
        name(w);
    }
    word(w, "{");
    if (maybe(w, 80)) {
        end_statement(w);
    }
    for (int i = pick(w, 6); i > 0; i--) {
        statement(w);
        end_statement(w);
    }
    word(w, "}");
}

void som_random_file(SomTestRandom *random, SomText *out) {
    Writer w = {.random = random, .out = out};
    som_text_add(out, SOM_STR(""));
    for (int i = pick(&w, 5); i > 0; i--) {
        switch (pick(&w, 4)) {
        case 0:
            word(&w, "use");
            word(&w, "\"smores.m3l\"");
            break;
        case 1:
            word(&w, "let");
            name(&w);
            word(&w, "=");
            expression(&w);
            break;
        default:
            config(&w);
        }
        end_statement(&w);
    }
}
