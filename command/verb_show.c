// SPDX-License-Identifier: Apache-2.0
// somite show FILE: what a design is made of.

#include "behaviors/compile.h"
#include "command/design.h"
#include "command/piece_list.h"
#include "language/unit.h"

static void print_angle(double radians, SomText *out) {
    SomQuantity roll = {radians, som_dimension(SOM_DIMENSION_ANGLE)};
    som_quantity_print(roll, NULL, out);
}

// The number and its noun: "1 module", "18 modules".
static void print_count(SomText *out, int count, const char *noun, const char *plural) {
    som_text_printf(out, "%d %s", count, count == 1 ? noun : plural);
}

// A comment, line by line as it was written; all lines but the first are indented.
static void print_doc(SomText *out, SomStr doc, int indent) {
    for (bool is_first = true; doc.length > 0; is_first = false) {
        const char *end = memchr(doc.data, '\n', doc.length);
        size_t length = end != NULL ? (size_t)(end - doc.data) : doc.length;
        som_text_add_char(out, ' ', is_first || length == 0 ? 0 : indent);
        som_text_add_shown(out, som_str_slice(doc, 0, length));
        som_text_add_char(out, '\n', 1);
        doc = som_str_slice(doc, length + 1, doc.length);
    }
}

// ": " and the comment of something that has one, or the end of the line.
static void print_remark(SomText *out, SomStr doc) {
    som_text_add(out, doc.length > 0 ? SOM_STR(": ") : SOM_STR("\n"));
    print_doc(out, doc, 6);
}

// A cell of a table: the text, then blanks up to the width and two more.
static void print_cell(SomText *out, SomStr text, int width) {
    size_t before = out->length;
    som_text_add_shown(out, text);
    int used = (int)(out->length - before);
    som_text_add_char(out, ' ', used < width ? width - used + 2 : 2);
}

static void print_parts(const SomConfiguration *design, SomText *out) {
    int width = 0;
    for (int i = 1; i < design->part_count; i++) {
        const SomPart *part = &design->parts[i];
        int length = (int)part->name.length + 2 * part->depth;
        width = length > width ? length : width;
    }
    som_text_add(out, SOM_STR("\nparts\n"));
    for (int i = 1; i < design->part_count; i++) {
        const SomPart *part = &design->parts[i];
        som_text_add_char(out, ' ', 2 * part->depth);
        print_cell(out, part->name, width - 2 * part->depth);
        som_text_add_shown(out, part->config);
        if (part->order > 0) {
            som_text_printf(out, ", order %d, ", part->order);
            print_count(out, part->module_count, "module", "modules");
        }
        som_text_add_char(out, '\n', 1);
    }
}

static SomStr connector_name(const SomConfiguration *design, int module, int connector,
                             SomText *name) {
    som_text_clear(name);
    som_configuration_print_connector(design, module, connector, name);
    return som_text_str(name);
}

static void print_connections(const SomConfiguration *design, SomText *out) {
    SomText name = {0};
    int width = 0;
    for (int i = 0; i < design->connection_count; i++) {
        const SomConnection *c = &design->connections[i];
        int a = (int)connector_name(design, c->module_a, c->connector_a, &name).length;
        int b = (int)connector_name(design, c->module_b, c->connector_b, &name).length;
        width = a > width ? a : width;
        width = b > width ? b : width;
    }
    som_text_add(out, SOM_STR("\nconnections\n"));
    for (int i = 0; i < design->connection_count; i++) {
        const SomConnection *c = &design->connections[i];
        som_text_add(out, SOM_STR("  "));
        print_cell(out, connector_name(design, c->module_a, c->connector_a, &name), width);
        print_cell(out, connector_name(design, c->module_b, c->connector_b, &name), width);
        if (isfinite(c->roll)) {
            print_angle(c->roll, out);
        }
        som_text_printf(out, "%s%s\n", c->is_closure ? ", closes a loop" : "",
                        c->is_forced ? ", forced" : "");
    }
    som_text_free(&name);
}

static void print_docks(const SomConfiguration *design, SomText *out) {
    SomText name = {0};
    som_text_add(out, SOM_STR("\ndocks\n"));
    for (int i = 0; i < design->dock_count; i++) {
        const SomDock *dock = &design->docks[i];
        const SomConnection *c = &dock->connection;
        som_text_add(out, SOM_STR("  "));
        if (dock->name.length > 0) {
            som_text_add_shown(out, dock->path);
            som_text_add(out, SOM_STR(": "));
        }
        som_text_add_shown(out, connector_name(design, c->module_a, c->connector_a, &name));
        som_text_add(out, SOM_STR(" to "));
        som_text_add_shown(out, connector_name(design, c->module_b, c->connector_b, &name));
        som_text_printf(out, ", %s at first\n", dock->is_closed ? "closed" : "open");
    }
    som_text_free(&name);
}

static void print_poses(const SomConfiguration *design, SomText *out) {
    bool has_heading = false;
    for (int i = 0; i < design->pose_count; i++) {
        const SomNamedPose *pose = &design->poses[i];
        if (pose->part != 0) {
            continue;
        }
        som_text_add(out, has_heading ? SOM_STR("") : SOM_STR("\nposes\n"));
        has_heading = true;
        som_text_add(out, SOM_STR("  "));
        som_text_add_shown(out, pose->name);
        som_text_add(out, i == design->start_pose ? SOM_STR(" (it starts so)") : SOM_STR(""));
        print_remark(out, pose->doc);
    }
}

// Of the whole, or of its parts with their paths.
static void print_behaviors(const SomConfiguration *design, bool of_parts, SomText *out) {
    bool has_heading = false;
    for (int i = 0; i < design->behavior_count; i++) {
        const SomBehaviorName *behavior = &design->behaviors[i];
        if ((behavior->part != 0) != of_parts) {
            continue;
        }
        som_text_add(out, has_heading ? SOM_STR("")
                          : of_parts  ? SOM_STR("\nbehaviors of parts\n")
                                      : SOM_STR("\nbehaviors\n"));
        has_heading = true;
        som_text_add(out, SOM_STR("  "));
        som_text_add_shown(out, of_parts ? behavior->path : behavior->name);
        if (behavior->params.length > 0) {
            som_text_add_char(out, '(', 1);
            som_text_add_shown(out, behavior->params);
            som_text_add_char(out, ')', 1);
        }
        print_remark(out, of_parts ? SOM_STR("") : behavior->doc);
    }
}

static void print(const SomConfiguration *design, bool has_parts, SomText *out) {
    som_text_add_shown(out, design->name);
    som_text_printf(out, ": order %d, ", design->order);
    print_count(out, design->module_count, "module", "modules");
    som_text_printf(out, ", %d DoF, ", design->dof_count);
    print_count(out, design->connection_count, "connection", "connections");
    if (design->piece_count > 0) {
        som_text_printf(out, ", %d pieces", design->piece_count + 1);
    }
    som_text_add_char(out, '\n', 1);
    print_doc(out, design->doc, 0);
    if (design->part_count > 1) {
        print_parts(design, out);
    }
    if (design->connection_count > 0) {
        print_connections(design, out);
    }
    if (design->dock_count > 0) {
        print_docks(design, out);
    }
    if (som_pieces_are_shown(design)) {
        som_pieces_print(design, out);
    }
    print_poses(design, out);
    print_behaviors(design, false, out);
    if (has_parts) {
        print_behaviors(design, true, out);
    }
}

static void write_parts(const SomConfiguration *design, SomJsonWriter *json) {
    som_json_key(json, SOM_STR("parts"));
    som_json_open_array(json);
    for (int i = 1; i < design->part_count; i++) {
        const SomPart *part = &design->parts[i];
        som_json_open_object(json);
        som_json_member_string(json, "path", part->path);
        som_json_member_string(json, "config", part->config);
        som_json_member_integer(json, "order", part->order);
        som_json_member_integer(json, "modules", part->module_count);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write_modules(const SomConfiguration *design, SomJsonWriter *json) {
    som_json_key(json, SOM_STR("modules"));
    som_json_open_array(json);
    for (int i = 0; i < design->module_count; i++) {
        som_json_open_object(json);
        som_json_member_string(json, "path", design->modules[i].path);
        som_json_member_string(json, "type", design->modules[i].type->name);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write_connections(const SomConfiguration *design, SomJsonWriter *json) {
    SomText name = {0};
    som_json_key(json, SOM_STR("connections"));
    som_json_open_array(json);
    for (int i = 0; i < design->connection_count; i++) {
        const SomConnection *c = &design->connections[i];
        som_json_open_object(json);
        som_json_member_string(json, "a",
                               connector_name(design, c->module_a, c->connector_a, &name));
        som_json_member_string(json, "b",
                               connector_name(design, c->module_b, c->connector_b, &name));
        som_json_member_number(json, "angle_deg",
                               som_unit_from_si(som_unit_find(SOM_STR("deg")), c->roll));
        som_json_member_boolean(json, "closure", c->is_closure);
        som_json_member_integer(json, "index", c->index);
        som_json_member_number(json, "gap", c->gap);
        som_json_close_object(json);
    }
    som_json_close_array(json);
    som_text_free(&name);
}

static void write_docks(const SomConfiguration *design, SomJsonWriter *json) {
    SomText name = {0};
    som_json_key(json, SOM_STR("docks"));
    som_json_open_array(json);
    for (int i = 0; i < design->dock_count; i++) {
        const SomConnection *c = &design->docks[i].connection;
        som_json_open_object(json);
        som_json_member_string(json, "path", design->docks[i].path);
        som_json_member_string(json, "a",
                               connector_name(design, c->module_a, c->connector_a, &name));
        som_json_member_string(json, "b",
                               connector_name(design, c->module_b, c->connector_b, &name));
        som_json_member_string(json, "state",
                               design->docks[i].is_closed ? SOM_STR("closed") : SOM_STR("open"));
        som_json_close_object(json);
    }
    som_json_close_array(json);
    som_text_free(&name);
}

static void write_names(const SomConfiguration *design, SomJsonWriter *json) {
    som_json_key(json, SOM_STR("dofs"));
    som_json_open_array(json);
    for (int i = 0; i < design->dof_count; i++) {
        som_json_string(json, design->dofs[i].path);
    }
    som_json_close_array(json);
    som_json_key(json, SOM_STR("poses"));
    som_json_open_array(json);
    for (int i = 0; i < design->pose_count; i++) {
        som_json_string(json, design->poses[i].path);
    }
    som_json_close_array(json);
    som_json_key(json, SOM_STR("behaviors"));
    som_json_open_array(json);
    for (int i = 0; i < design->behavior_count; i++) {
        som_json_string(json, design->behaviors[i].path);
    }
    som_json_close_array(json);
}

static void write_parameter(const SomSyntax *tree, const SomParameter *parameter,
                            SomJsonWriter *json) {
    som_json_open_object(json);
    som_json_member_string(json, "name", parameter->name);
    som_json_member_string(json, "type", parameter->type);
    if (parameter->otherwise != 0) {
        som_json_member_string(json, "default", som_syntax_text(tree, parameter->otherwise));
    }
    som_json_close_object(json);
}

// How each behavior is called.
static void write_calls(SomCommand *command, const SomConfiguration *design) {
    SomJsonWriter *json = &command->json;
    SomWorkspace *workspace = som_command_workspace(command);
    SomCompileDef def = {.workspace = workspace, .configuration = design, .diags = command->diags};
    som_json_key(json, SOM_STR("behavior_parameters"));
    som_json_open_array(json);
    for (int i = 0; i < design->behavior_count; i++) {
        const SomBehaviorName *behavior = &design->behaviors[i];
        int count;
        const SomParameter *parameters = som_compile_parameters(&def, i, &count);
        som_json_open_object(json);
        som_json_member_string(json, "path", behavior->path);
        som_json_member_string(json, "doc", behavior->doc);
        som_json_key(json, SOM_STR("parameters"));
        som_json_open_array(json);
        for (int k = 0; k < count; k++) {
            write_parameter(som_workspace_file(workspace, behavior->file)->tree, &parameters[k],
                            json);
        }
        som_json_close_array(json);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

// What inputs there are, with the text of their sources.
static void write_declared_inputs(SomCommand *command, const SomConfiguration *design) {
    SomJsonWriter *json = &command->json;
    som_json_key(json, SOM_STR("inputs"));
    som_json_open_array(json);
    for (int i = 0; i < design->input_count; i++) {
        const SomInputName *input = &design->inputs[i];
        const SomDesignFile *file = som_workspace_file(som_command_workspace(command), input->file);
        const SomConfigInput *declared = &file->configs[input->config].inputs[input->index];
        som_json_open_object(json);
        som_json_member_string(json, "path", input->path);
        som_json_member_string(json, "doc", declared->parameter.doc);
        som_json_member_string(json, "type", declared->parameter.type);
        if (declared->source != 0) {
            som_json_member_string(json, "source", som_syntax_text(file->tree, declared->source));
        }
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write(SomCommand *command, const SomConfiguration *design) {
    SomJsonWriter *json = &command->json;
    som_json_member_string(json, "config", design->name);
    som_json_member_string(json, "doc", design->doc);
    som_json_member_integer(json, "order", design->order);
    write_parts(design, json);
    write_modules(design, json);
    write_connections(design, json);
    write_docks(design, json);
    som_pieces_write(command, design);
    som_json_member_integer(json, "dof", design->dof_count);
    write_names(design, json);
    write_calls(command, design);
    write_declared_inputs(command, design);
}

static void run_show(SomCommand *command) {
    SomConfiguration *design = som_command_compose(command, command->words.data[0]);
    if (design == NULL) {
        return;
    }
    if (command->wants_json) {
        write(command, design);
    } else {
        print(design, som_command_has(command, "all"), &command->out);
    }
    som_configuration_destroy(design);
}

static const SomOption options[] = {
    SOM_OPTION_CONFIG,
    {.name = "all", .help = "also the behaviors of parts; --json always has them"},
    {0},
};

const SomVerb som_verb_show = {
    .name = "show",
    .usage = "FILE [--config C] [--all] [--json]",
    .summary = "parts, modules, connections, poses and behaviors of a design",
    .help = "Shows what a design is made of. FILE is a .som or .m3l file or a name of the library\n"
            "('somite library' lists them). The first configuration of the file is shown unless\n"
            "--config names another.\n\n"
            "  somite show walkbot\n"
            "  somite show walkbot --all\n"
            "  somite show snake --config 'Snake(n=3)' --json\n",
    .min_words = 1,
    .max_words = 1,
    .has_json = true,
    .options = options,
    .run = run_show,
};
