// SPDX-License-Identifier: Apache-2.0
// Whole files: the model, the world with ground and light, and the folder of both.

#include "exchange/sdf_internal.h"

static void write_version(SomXmlWriter *xml, const SomSdfDef *def) {
    SomText text = {0};
    som_text_printf(&text, "1.%d", som_sdf_version(def));
    som_xml_string(xml, "version", som_text_str(&text));
    som_text_free(&text);
}

static void begin(SomXmlWriter *xml, const SomSdfDef *def) {
    som_xml_begin(xml);
    som_xml_open(xml, "sdf");
    write_version(xml, def);
}

void som_sdf_write_model(const SomSdfDef *def, SomText *out) {
    SomXmlWriter xml = {.out = out, .has_plugins = def->has_plugins};
    SomMeshFiles meshes = {0};
    som_sdf_find_meshes(&meshes, def);
    begin(&xml, def);
    som_sdf_write_model_element(&xml, def, &meshes);
    som_xml_end(&xml);
    som_mesh_files_free(&meshes);
}

// ---- the world

// The older names are known to Fortress and, as deprecated ones, to all later versions; files of
// versions that Fortress cannot read have the new ones.
static void write_system(SomXmlWriter *xml, const SomSdfDef *def, const char *file,
                         const char *name) {
    bool is_old = som_sdf_version(def) <= 9;
    SomText text = {0};
    som_xml_open(xml, "plugin");
    som_text_printf(&text, "%s-%s-system", is_old ? "ignition-gazebo" : "gz-sim", file);
    som_xml_string(xml, "filename", som_text_str(&text));
    som_text_clear(&text);
    som_text_printf(&text, "%s::systems::%s", is_old ? "ignition::gazebo" : "gz::sim", name);
    som_xml_string(xml, "name", som_text_str(&text));
    som_xml_close(xml);
    som_text_free(&text);
}

static void write_physics(SomXmlWriter *xml) {
    som_xml_open(xml, "physics");
    som_xml_word(xml, "name", "1ms");
    som_xml_word(xml, "type", "ignored");
    som_xml_number_element(xml, "max_step_size", 0.001);
    som_xml_number_element(xml, "real_time_factor", 1);
    som_xml_close(xml);
    som_xml_numbers_element(xml, "gravity", (double[]){0, 0, -9.81}, 3);
}

static void write_light(SomXmlWriter *xml) {
    som_xml_open(xml, "light");
    som_xml_word(xml, "name", "sun");
    som_xml_word(xml, "type", "directional");
    som_xml_word_element(xml, "cast_shadows", "true");
    som_xml_numbers_element(xml, "pose", (double[]){0, 0, 10, 0, 0, 0}, 6);
    som_xml_numbers_element(xml, "diffuse", (double[]){0.8, 0.8, 0.8, 1}, 4);
    som_xml_numbers_element(xml, "specular", (double[]){0.2, 0.2, 0.2, 1}, 4);
    som_xml_numbers_element(xml, "direction", (double[]){-0.5, 0.1, -0.9}, 3);
    som_xml_close(xml);
}

static void write_plane(SomXmlWriter *xml) {
    som_xml_open(xml, "geometry");
    som_xml_open(xml, "plane");
    som_xml_numbers_element(xml, "normal", (double[]){0, 0, 1}, 3);
    som_xml_numbers_element(xml, "size", (double[]){100, 100}, 2);
    som_xml_close(xml);
    som_xml_close(xml);
}

// Engines take the smaller friction of two bodies: the robot's is what counts.
static void write_ground(SomXmlWriter *xml, const SomSdfDef *def) {
    SomSdfMasks masks = som_sdf_masks(def->model);
    som_xml_open(xml, "model");
    som_xml_word(xml, "name", "ground");
    som_xml_word_element(xml, "static", "true");
    som_xml_open(xml, "link");
    som_xml_word(xml, "name", "link");
    som_xml_open(xml, "collision");
    som_xml_word(xml, "name", "ground");
    write_plane(xml);
    som_xml_open(xml, "surface");
    if (!masks.is_plain) {
        som_xml_open(xml, "contact");
        som_xml_number_element(xml, "collide_bitmask", masks.world);
        som_xml_close(xml);
    }
    som_xml_open(xml, "friction");
    som_xml_open(xml, "ode");
    som_xml_number_element(xml, "mu", 100);
    som_xml_number_element(xml, "mu2", 100);
    som_xml_close(xml);
    som_xml_close(xml);
    som_xml_close(xml);
    som_xml_close(xml);
    som_xml_open(xml, "visual");
    som_xml_word(xml, "name", "ground");
    write_plane(xml);
    som_xml_open(xml, "material");
    som_xml_numbers_element(xml, "ambient", (double[]){0.8, 0.8, 0.78, 1}, 4);
    som_xml_numbers_element(xml, "diffuse", (double[]){0.8, 0.8, 0.78, 1}, 4);
    som_xml_close(xml);
    som_xml_close(xml);
    som_xml_close(xml);
    som_xml_close(xml);
    som_sdf_masks_free(&masks);
}

void som_sdf_write_world(const SomSdfDef *wanted, SomText *out) {
    SomSdfDef own = *wanted;
    const SomSdfDef *def = &own;
    own.tilts_boxes = true;
    SomXmlWriter xml = {.out = out, .has_plugins = def->has_plugins};
    SomMeshFiles meshes = {0};
    som_sdf_find_meshes(&meshes, def);
    begin(&xml, def);
    som_xml_open(&xml, "world");
    som_xml_word(&xml, "name", "somite");
    write_physics(&xml);
    write_system(&xml, def, "physics", "Physics");
    write_system(&xml, def, "user-commands", "UserCommands");
    write_system(&xml, def, "scene-broadcaster", "SceneBroadcaster");
    write_light(&xml);
    write_ground(&xml, def);
    som_sdf_write_model_element(&xml, def, &meshes);
    som_xml_end(&xml);
    som_mesh_files_free(&meshes);
}

// ---- the folder

static void write_config(const SomSdfDef *def, SomText *out) {
    const SomConfiguration *c = def->model->mechanism->configuration;
    SomXmlWriter xml = {.out = out};
    som_xml_begin(&xml);
    som_xml_open(&xml, "model");
    som_xml_text_element(&xml, "name", c->name);
    som_xml_word_element(&xml, "version", "1.0");
    som_xml_open(&xml, "sdf");
    write_version(&xml, def);
    som_xml_text(&xml, SOM_STR("model.sdf"));
    som_xml_close(&xml);
    som_xml_text_element(&xml, "description", c->doc.length > 0 ? c->doc : c->name);
    som_xml_end(&xml);
}

typedef SOM_ARRAY(SomSdfFile) Files;

static void add_file(Files *files, SomArena *arena, SomStr path, SomText *text) {
    SomSdfFile file = {som_arena_copy(arena, path), som_arena_copy(arena, som_text_str(text))};
    som_array_push(files, file);
    som_text_clear(text);
}

int som_sdf_export(const SomSdfDef *def, SomArena *arena, const SomSdfFile **files) {
    Files all = {0};
    SomText text = {0};
    write_config(def, &text);
    add_file(&all, arena, SOM_STR("model.config"), &text);
    som_sdf_write_model(def, &text);
    add_file(&all, arena, SOM_STR("model.sdf"), &text);
    som_sdf_write_world(def, &text);
    add_file(&all, arena, SOM_STR("world.sdf"), &text);
    som_body_model_print_names(def->model, &text);
    add_file(&all, arena, SOM_STR("names.csv"), &text);
    som_text_add(&text, som_sdf_script());
    add_file(&all, arena, SOM_STR("run.sh"), &text);
    SomMeshFiles meshes = {0};
    som_sdf_find_meshes(&meshes, def);
    for (int i = 0; i < meshes.all.count; i++) {
        som_sdf_write_mesh(def, &meshes.all.data[i], &text);
        add_file(&all, arena, meshes.all.data[i].path, &text);
    }
    som_mesh_files_free(&meshes);
    som_text_free(&text);
    SomSdfFile *kept = som_arena_new(arena, SomSdfFile, all.count);
    for (int i = 0; i < all.count; i++) {
        kept[i] = all.data[i];
    }
    *files = kept;
    int count = all.count;
    som_array_free(&all);
    return count;
}
