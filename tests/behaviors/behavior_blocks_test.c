// SPDX-License-Identifier: Apache-2.0
// Behaviors read as blocks, what is wrong with them, and what can be put into them.

#include "behaviors/behavior_blocks.h"
#include "behaviors/behavior_findings.h"
#include "behaviors/behavior_palette.h"
#include "compose/design_edit.h"
#include "space/trigonometry.h"
#include "tests/compose/edited.h"

#include <math.h>

#define WALKER                                                                                     \
    "use \"chain3.som\"\n"                                                                         \
    "config Walker {\n"                                                                            \
    "    part body : Module\n"                                                                     \
    "    part left, right : Chain3\n"                                                              \
    "    connect body.L to left.head.T\n"                                                          \
    "    connect body.R to right.head.T\n"                                                         \
    "    pose stand { left.leg }\n"

typedef struct Read {
    SomDesign *design;
    SomComposition *composition;
    SomBlocks *blocks;
    SomText text;
} Read;

static Read read(const char *text) {
    Read r = {.design = som_design_create(som_str(test_library), S("robot.som"), som_str(text))};
    r.composition = som_design_composition(r.design, S(""));
    r.blocks = som_blocks_of(r.composition);
    ck_assert_ptr_nonnull(r.blocks);
    return r;
}

static void end(Read *r) {
    som_blocks_destroy(r->blocks);
    som_design_destroy(r->design);
    som_text_free(&r->text);
}

// "path kind 'words' field=text …", a line a block.
static const char *show(Read *r) {
    som_text_clear(&r->text);
    for (int i = 0; i < r->blocks->block_count; i++) {
        const SomBlock *b = &r->blocks->blocks[i];
        som_text_add(&r->text, r->blocks->behaviors.data[b->behavior].name);
        som_text_add(&r->text, S(":"));
        som_blocks_print_path(r->blocks, i, &r->text);
        som_text_printf(&r->text, " %s '", som_block_kind_word(b->kind));
        som_blocks_print(r->blocks, i, &r->text);
        som_text_add(&r->text, S("'"));
        for (int k = b->first_field; k < b->first_field + b->field_count; k++) {
            const SomBlockField *f = &r->blocks->fields.data[k];
            som_text_printf(&r->text, " %s=%.*s", som_field_kind_word(f->kind),
                            SOM_STR_ARG(f->text));
        }
        som_text_add(&r->text, S("\n"));
    }
    return r->text.data;
}

START_TEST(a_behavior_is_read_as_blocks_with_fields) {
    Read r = read(WALKER "    behavior go(n: count = 2) = series(\n"
                         "        left.head.tilt to 10deg # here\n"
                         "            within 2deg timeout 3s,\n"
                         "        parallel(left to pose leg, hold body.tilt) until height > 1cm,\n"
                         "        for i in 1..n if odd(i): wait i*1s,\n"
                         "        choose(height > 2cm: right.legStep(s = -5deg), else: hold))\n"
                         "    behavior again = repeat until time > 3s: if odd(3) then go else wait "
                         "until elapsed > 2s\n"
                         "}\n");
    ck_assert_str_eq(
        show(&r),
        "go: series 'series'\n"
        "go:0 move 'left.head.tilt to 10deg within 2deg timeout 3s' place=left.head.tilt mode=to "
        "value=10deg within=2deg timeout=3s\n"
        "go:1 parallel 'parallel until height > 1cm' until=height > 1cm\n"
        "go:1/0 pose 'left to pose leg' place=left to=leg\n"
        "go:1/1 hold 'hold body.tilt' place=body.tilt\n"
        "go:2 for 'for i in 1..n if odd(i)' for=i first=1 last=n if=odd(i)\n"
        "go:2/0 wait 'wait i*1s' value=i*1s\n"
        "go:3 choose 'choose'\n"
        "go:3/0 branch 'height > 2cm' condition=height > 2cm\n"
        "go:3/0/0 call 'right.legStep(s = -5deg)' place=right.legStep argument=-5deg\n"
        "go:3/1 branch 'else' condition=else\n"
        "go:3/1/0 hold 'hold'\n"
        "again: repeat 'repeat until time > 3s' until=time > 3s\n"
        "again:0 if 'if odd(3) then else' condition=odd(3)\n"
        "again:0/0 call 'go' place=go\n"
        "again:0/1 wait 'wait until elapsed > 2s' until=elapsed > 2s\n");
    ck_assert(som_str_equal(r.blocks->behaviors.data[0].params, S("(n: count = 2)")));
    end(&r);
}
END_TEST

START_TEST(fields_know_their_numbers_and_what_may_stand_there) {
    Read r = read(WALKER "    behavior go = series(\n"
                         "        left.head.tilt to -10deg at 20deg/s, left.head.left spin 1turn/s "
                         "during 500ms,\n"
                         "        right.legStep(5deg), right.drive(t = 2s, v = 3*1mm/s),\n"
                         "        repeat 3: for_each)\n"
                         "    behavior for_each = parallel(for i in 1..2: body.tilt to i*1deg)\n"
                         "}\n");
    static const struct {
        const char *path;
        SomFieldKind kind;
        int nth;
        bool is_literal;
        double value;
        const char *unit;
        SomDimensionName dimension;
        const char *name;
    } wanted[] = {
        {"0", SOM_FIELD_VALUE, 0, true, -SOM_PI / 18, "deg", SOM_DIMENSION_ANGLE, ""},
        {"0", SOM_FIELD_SPEED, 0, true, SOM_PI / 9, "deg/s", SOM_DIMENSION_ANGULAR_SPEED, ""},
        {"1", SOM_FIELD_VALUE, 0, true, 2 * SOM_PI, "turn/s", SOM_DIMENSION_ANGULAR_SPEED, ""},
        {"1", SOM_FIELD_DURING, 0, true, 0.5, "ms", SOM_DIMENSION_TIME, ""},
        {"2", SOM_FIELD_ARGUMENT, 0, true, SOM_PI / 36, "deg", SOM_DIMENSION_ANGLE, "s"},
        {"3", SOM_FIELD_ARGUMENT, 0, true, 2, "s", SOM_DIMENSION_TIME, "t"},
        {"3", SOM_FIELD_ARGUMENT, 1, false, 0, "", SOM_DIMENSION_SPEED, "v"},
        {"4", SOM_FIELD_TIMES, 0, true, 3, "", SOM_DIMENSION_NUMBER, ""},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int block = som_blocks_find(r.blocks, S("go"), som_str(wanted[i].path));
        ck_assert_int_ge(block, 0);
        int field = som_blocks_field(r.blocks, block, wanted[i].kind, wanted[i].nth);
        ck_assert_int_ge(field, 0);
        const SomBlockField *f = &r.blocks->fields.data[field];
        ck_assert_int_eq(f->is_literal, wanted[i].is_literal);
        ck_assert(som_str_equal(f->unit, som_str(wanted[i].unit)));
        if (f->is_literal) {
            ck_assert_double_eq_tol(f->quantity.value, wanted[i].value, 1e-12);
        }
        SomFieldWish wish = som_blocks_field_wish(r.blocks, r.composition, field);
        ck_assert(wish.is_known);
        ck_assert(som_dimension_equal(wish.dimension, som_dimension(wanted[i].dimension)));
        ck_assert_int_eq(wish.is_count, wanted[i].kind == SOM_FIELD_TIMES);
        ck_assert(som_str_equal(wish.name, som_str(wanted[i].name)));
    }
    int computed = som_blocks_find(r.blocks, S("for_each"), S("0/0"));
    int field = som_blocks_field(r.blocks, computed, SOM_FIELD_VALUE, 0);
    ck_assert(som_blocks_field_wish(r.blocks, r.composition, field).is_known);
    ck_assert(!som_blocks_field_wish(r.blocks, NULL, field).is_known);
    end(&r);
}
END_TEST

START_TEST(arguments_that_are_joints_and_parts_are_known) {
    Read r = read(WALKER "    let knee = left.head.tilt\n"
                         "    behavior step(j: joint, c: Chain3) = series(\n"
                         "        j to 3*10deg, c.legStep(2*5deg), knee to 2*1deg)\n"
                         "    behavior go = series(step(knee, left), step(c = right))\n"
                         "}\n");
    static const struct {
        const char *behavior, *path;
        SomFieldKind kind;
        SomParameterKind parameter;
        SomDimensionName dimension;
    } wanted[] = {
        {"step", "0", SOM_FIELD_VALUE, SOM_PARAMETER_VALUE, SOM_DIMENSION_ANGLE},
        {"step", "1", SOM_FIELD_ARGUMENT, SOM_PARAMETER_VALUE, SOM_DIMENSION_ANGLE},
        {"step", "2", SOM_FIELD_VALUE, SOM_PARAMETER_VALUE, SOM_DIMENSION_ANGLE},
        {"go", "0", SOM_FIELD_ARGUMENT, SOM_PARAMETER_JOINT, SOM_DIMENSION_NUMBER},
        {"go", "1", SOM_FIELD_ARGUMENT, SOM_PARAMETER_PART, SOM_DIMENSION_NUMBER},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int block = som_blocks_find(r.blocks, som_str(wanted[i].behavior), som_str(wanted[i].path));
        int field = som_blocks_field(r.blocks, block, wanted[i].kind, 0);
        ck_assert_int_ge(field, 0);
        SomFieldWish wish = som_blocks_field_wish(r.blocks, r.composition, field);
        ck_assert_msg(wish.is_known, "%zu", i);
        SomParameterKind kind = wish.place_of != NULL ? wish.place_of->kind : SOM_PARAMETER_VALUE;
        ck_assert_int_eq(kind, wanted[i].parameter);
        ck_assert(som_dimension_equal(wish.dimension, som_dimension(wanted[i].dimension)));
    }
    SomBlockParameter left_out;
    int block = som_blocks_find(r.blocks, S("go"), S("1"));
    ck_assert(som_blocks_left_out(r.blocks, r.composition, block, 0, &left_out));
    ck_assert_int_eq(left_out.parameter->kind, SOM_PARAMETER_JOINT);
    end(&r);
}
END_TEST

// "name=default " of all that a block leaves out; a star is at what the next argument is for.
static const char *left_out(Read *r, const char *path) {
    int block = som_blocks_find(r->blocks, S("go"), som_str(path));
    SomBlockParameter param;
    som_text_clear(&r->text);
    for (int i = 0; som_blocks_left_out(r->blocks, r->composition, block, i, &param); i++) {
        som_text_printf(&r->text, "%.*s=%.*s%s ", SOM_STR_ARG(param.name),
                        SOM_STR_ARG(param.otherwise), param.is_next ? "*" : "");
    }
    return som_text_str(&r->text).data;
}

START_TEST(what_a_call_leaves_out_is_known_with_its_default) {
    Read r = read(WALKER "    behavior key(p: angle, k: number = 1, w: time = 2*1s) = wait w\n"
                         "    behavior go = series(right.legStep, right.legStep(5deg), "
                         "key(1deg),\n"
                         "        key(w = 1s, p = 1deg), key(1deg, 2), wait 1s, nowhere)\n"
                         "}\n");
    ck_assert_str_eq(left_out(&r, "0"), "s=12deg* ");
    ck_assert_str_eq(left_out(&r, "1"), "");
    ck_assert_str_eq(left_out(&r, "2"), "k=1* w=2*1s ");
    ck_assert_str_eq(left_out(&r, "3"), "k=1 ");
    ck_assert_str_eq(left_out(&r, "4"), "w=2*1s* ");
    ck_assert_str_eq(left_out(&r, "5"), "");
    ck_assert_str_eq(left_out(&r, "6"), "");
    r.composition = NULL; // by the text alone nothing is known
    ck_assert_str_eq(left_out(&r, "0"), "");
    end(&r);
}
END_TEST

START_TEST(a_block_is_found_at_its_place_in_the_text) {
    static const char *const text = WALKER "    behavior go = series(hold, repeat 2: wait 1s)\n}\n";
    Read r = read(text);
    for (int i = 0; i < r.blocks->block_count; i++) {
        SomText path = {0};
        som_blocks_print_path(r.blocks, i, &path);
        ck_assert_int_eq(som_blocks_find(r.blocks, S("go"), som_text_str(&path)), i);
        ck_assert_int_eq(som_blocks_at(r.blocks, r.blocks->blocks[i].span.begin), i);
        som_text_free(&path);
    }
    ck_assert_int_eq(som_blocks_at(r.blocks, 0), -1);
    ck_assert_int_eq(som_blocks_at(r.blocks, (uint32_t)strlen(text)), -1);
    const char *const nothing[] = {"2", "0/0", "1/1", "/", "a", "1/", "-1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        int found = som_blocks_find(r.blocks, S("go"), som_str(nothing[i]));
        ck_assert_msg(found < 0 || i == 5, "%s", nothing[i]); // a stroke at the end does no harm
    }
    end(&r);
}
END_TEST

START_TEST(a_text_with_errors_is_read_as_far_as_it_goes) {
    Read r = read(WALKER "    behavior go = series(hold, 3 +, wait 1s\n"
                         "    behavior rest =\n"
                         "}\n");
    ck_assert_int_eq(r.blocks->behaviors.count, 2);
    ck_assert_int_ge(som_blocks_find(r.blocks, S("go"), S("0")), 0);
    ck_assert(r.blocks->blocks[0].has_error);
    SomBlockFindings *findings = som_block_findings_create(r.composition, r.blocks);
    ck_assert_int_gt(findings->report_count, 0);
    ck_assert_int_gt(findings->mark_count, 0);
    som_block_findings_destroy(findings);
    end(&r);
}
END_TEST

// "code role 'path'" of every mark, by block.
static const char *marks_of(const char *behavior, SomText *out) {
    SomText text = {0};
    som_text_printf(&text, WALKER "    behavior b = %s\n}\n", behavior);
    Read r = read(text.data);
    ck_assert_msg(r.composition->is_sound, "%s", behavior);
    som_text_clear(out);
    SomBlockFindings *findings = som_block_findings_create(r.composition, r.blocks);
    static const char *const roles[] = {"here", "other", "around"};
    som_text_add(out, S(""));
    SomText last = {0}, mark = {0};
    for (int i = 0; i < findings->mark_count; i++) {
        const SomBlockMark *m = &findings->marks[i];
        int count;
        const SomBlockMark *first = som_block_findings_of(findings, m->block, &count);
        ck_assert(m >= first && m < first + count);
        som_text_clear(&mark);
        som_text_printf(&mark, "%d %s '", (int)findings->reports[m->report].code, roles[m->role]);
        som_blocks_print_path(r.blocks, m->block, &mark);
        som_text_add(&mark, S("'"));
        if (!som_str_equal(som_text_str(&mark), som_text_str(&last))) { // of several joints
            som_text_printf(out, "%s%s", out->length > 0 ? ", " : "", mark.data);
        }
        som_text_clear(&last);
        som_text_add(&last, som_text_str(&mark));
    }
    som_text_free(&last);
    som_text_free(&mark);
    som_block_findings_destroy(findings);
    end(&r);
    som_text_free(&text);
    return out->data;
}

START_TEST(both_places_of_a_conflict_are_marked) {
    static const char *const cases[][2] = {
        {"series(hold, parallel(body.tilt to 1deg, wait 1s, body.tilt to 2deg))",
         "3001 around '1', 3001 other '1/0', 3001 here '1/2'"},
        // what behaviors of parts do is written elsewhere
        {"parallel(left.legStep, series(wait 1s, left.sineGait))",
         "3001 around '', 3001 other '0', 3001 here '1/1'"},
        {"parallel(for i in 1..2: wait 1s, left.legStep, left.sineGait timeout 1s)",
         "3001 around '', 3001 other '1', 3001 here '2'"},
        {"any(repeat 2: left.legStep, choose(height > 1cm: hold right.head.tilt, else: "
         "left.sineGait))",
         "3001 around '', 3001 other '0/0', 3001 here '1/1/0'"},
        {"parallel(left.legStep, right.legStep)", ""},
        {"parallel(for i in 1..2: body.tilt to i*1deg)",
         "3001 around '', 3001 here '0/0', 3001 other '0/0'"},
        {"series(body.tilt to 400deg)", "3005 here '0'"},
        {"parallel(to pose stand, left.head.bend to 1deg)",
         "3001 around '', 3001 other '0', 3001 here '1'"},
    };
    SomText text = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_str_eq(marks_of(cases[i][0], &text), cases[i][1]);
    }
    som_text_free(&text);
}
END_TEST

static int find_item(const SomPalette *p, SomPaletteKind kind, const char *title) {
    for (int i = 0; i < p->item_count; i++) {
        if (p->items[i].kind == kind && som_str_equal(p->items[i].title, som_str(title))) {
            return i;
        }
    }
    ck_abort_msg("no %s", title);
    return -1;
}

START_TEST(the_palette_has_what_all_parts_can_do) {
    Read r = read(WALKER "    dock grip: left.tail.B to right.tail.B open\n"
                         "    behavior inner = wait 1s\n"
                         "    behavior outer(n: count) = repeat n: inner\n"
                         "}\n");
    SomPalette *p = som_palette_create(r.composition);
    ck_assert_str_eq(p->items[0].title.data, "inner"); // the whole comes first
    int step = find_item(p, SOM_PALETTE_BEHAVIOR, "left.legStep");
    ck_assert_str_eq(p->items[step].text.data, "left.legStep");
    ck_assert_str_eq(p->items[step].params.data, "s: angle = 12deg");
    ck_assert_str_eq(p->items[step].doc.data, "A whole step: a cycle, not a way there and back.");
    ck_assert_int_eq(p->items[step].depth, 1);
    int drive = find_item(p, SOM_PALETTE_BEHAVIOR, "right.drive");
    ck_assert_str_eq(p->items[drive].text.data, "right.drive");
    int deep = find_item(p, SOM_PALETTE_BEHAVIOR, "right.head.drive");
    ck_assert_int_gt(deep, drive);
    int joint = find_item(p, SOM_PALETTE_JOINT, "left.head.bend");
    ck_assert_str_eq(p->items[joint].text.data, "left.head.bend to 0deg");
    ck_assert_str_eq(p->items[find_item(p, SOM_PALETTE_POSE, "left.leg")].text.data,
                     "to pose left.leg");
    find_item(p, SOM_PALETTE_DOCK, "disconnect grip");
    int inner = find_item(p, SOM_PALETTE_BEHAVIOR, "inner"),
        outer = find_item(p, SOM_PALETTE_BEHAVIOR, "outer");
    SomBlocks *blocks = som_blocks_of(p->composition);
    ck_assert(som_palette_is_circular(p, blocks, outer, S("inner")));
    ck_assert(som_palette_is_circular(p, blocks, outer, S("outer")));
    ck_assert(!som_palette_is_circular(p, blocks, inner, S("outer")));
    ck_assert(!som_palette_is_circular(p, blocks, step, S("outer")));
    som_blocks_destroy(blocks);
    som_palette_destroy(p);
    end(&r);
}
END_TEST

SOM_SUITE("behaviors/behavior_blocks", a_behavior_is_read_as_blocks_with_fields,
          fields_know_their_numbers_and_what_may_stand_there,
          arguments_that_are_joints_and_parts_are_known,
          what_a_call_leaves_out_is_known_with_its_default,
          a_block_is_found_at_its_place_in_the_text, a_text_with_errors_is_read_as_far_as_it_goes,
          both_places_of_a_conflict_are_marked, the_palette_has_what_all_parts_can_do)
