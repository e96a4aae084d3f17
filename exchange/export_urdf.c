// SPDX-License-Identifier: Apache-2.0
// A folder with URDF, SRDF and meshes, which is a package of ROS.

#include "base/file.h"
#include "base/path.h"
#include "exchange/export.h"
#include "exchange/kept_plugins.h"
#include "exchange/urdf.h"
#include "exchange/xml_writer.h"

// ---- the package

// Small letters and digits stay, all between them becomes one line; a letter is the first.
static void add_package_name(SomText *name, SomStr from) {
    bool is_apart = false;
    for (size_t i = 0; i < from.length; i++) {
        char c = from.data[i];
        c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        bool is_digit = c >= '0' && c <= '9', is_plain = is_digit || (c >= 'a' && c <= 'z');
        if (is_digit && name->length == 0) {
            som_text_add(name, SOM_STR("robot_"));
        }
        som_text_add_char(name, '_', is_plain && is_apart && name->length > 0);
        som_text_add_char(name, c, is_plain);
        is_apart = !is_plain;
    }
}

// Named as its folder: programs without ROS look for a folder of the package's name.
static void name_package(const SomExport *job, SomText *name) {
    SomStr out = job->out;
    while (out.length > 0 && out.data[out.length - 1] == '/') {
        out.length--;
    }
    SomStr from[] = {som_path_name(out), job->design->name, SOM_STR("robot")};
    for (size_t i = 0; i < 3 && name->length == 0; i++) {
        add_package_name(name, from[i]);
    }
}

static void write_package(const SomExport *job, SomStr name, SomText *out) {
    const SomConfiguration *c = job->design;
    SomXmlWriter xml = {.out = out};
    som_xml_begin(&xml);
    som_xml_open(&xml, "package");
    som_xml_word(&xml, "format", "3");
    som_xml_text_element(&xml, "name", name);
    som_xml_word_element(&xml, "version", "1.0.0");
    som_xml_text_element(&xml, "description", c->doc.length > 0 ? c->doc : c->name);
    som_xml_open(&xml, "maintainer");
    som_xml_word(&xml, "email", "nobody@localhost");
    som_xml_text(&xml, SOM_STR("nobody"));
    som_xml_close(&xml);
    som_xml_word_element(&xml, "license", "none given");
    som_xml_word_element(&xml, "buildtool_depend", "ament_cmake");
    som_xml_open(&xml, "export");
    som_xml_word_element(&xml, "build_type", "ament_cmake");
    som_xml_end(&xml);
}

static void write_build(SomStr package, SomStr robot, bool has_meshes, SomText *out) {
    som_text_printf(out,
                    "cmake_minimum_required(VERSION 3.8)\n"
                    "project(%.*s)\n"
                    "find_package(ament_cmake REQUIRED)\n"
                    "install(FILES %.*s.urdf %.*s.srdf names.csv DESTINATION "
                    "share/${PROJECT_NAME})\n",
                    SOM_STR_ARG(package), SOM_STR_ARG(robot), SOM_STR_ARG(robot));
    if (has_meshes) {
        som_text_add(out, SOM_STR("install(DIRECTORY meshes DESTINATION share/${PROJECT_NAME})\n"));
    }
    som_text_add(out, SOM_STR("ament_package()\n"));
}

// ---- the files

// Takes the text: it is empty afterwards.
static bool save(SomExport *job, SomStr name, SomText *text) {
    bool is_saved = som_export_save_in(job, name, som_text_str(text));
    som_text_clear(text);
    return is_saved;
}

// Not over a file that somebody may have changed since.
static bool save_new(SomExport *job, const char *name, SomText *text) {
    SomText path = {0};
    som_path_join(&path, job->out, som_str(name));
    bool is_there = som_file_exists(path.data);
    som_text_free(&path);
    if (is_there) {
        som_text_clear(text);
        return true;
    }
    return save(job, som_str(name), text);
}

static bool save_robot(SomExport *job, const SomUrdfDef *def, SomText *text) {
    SomText name = {0};
    som_text_printf(&name, "%.*s.urdf", SOM_STR_ARG(def->model->name));
    som_urdf_write(def, text, job->diags);
    bool is_saved = save(job, som_text_str(&name), text);
    som_text_clear(&name);
    som_text_printf(&name, "%.*s.srdf", SOM_STR_ARG(def->model->name));
    som_srdf_write(def, text, job->diags);
    is_saved = is_saved && save(job, som_text_str(&name), text);
    som_text_clear(text);
    som_body_model_print_names(def->model, text);
    som_text_free(&name);
    return is_saved && save(job, SOM_STR("names.csv"), text);
}

static bool save_meshes(SomExport *job, const SomMeshFiles *meshes, SomText *text) {
    bool is_saved = meshes->all.count == 0 || som_export_make_folder(job, SOM_STR("meshes"));
    for (int i = 0; is_saved && i < meshes->all.count; i++) {
        som_mesh_file_write(&meshes->all.data[i], text);
        is_saved = save(job, meshes->all.data[i].path, text);
    }
    return is_saved;
}

static void save_all(SomExport *job, const SomUrdfDef *def, SomStr package) {
    SomMeshFiles meshes = {0};
    SomText text = {0};
    som_urdf_find_meshes(def, &meshes);
    bool is_saved = som_export_make_folder(job, SOM_STR(".")) && save_robot(job, def, &text) &&
                    save_meshes(job, &meshes, &text);
    if (is_saved && !job->has_relative_meshes) {
        write_package(job, package, &text);
        is_saved = save_new(job, "package.xml", &text);
        write_build(package, def->model->name, meshes.all.count > 0, &text);
        is_saved = is_saved && save_new(job, "CMakeLists.txt", &text);
    }
    som_text_free(&text);
    som_mesh_files_free(&meshes);
}

void som_export_urdf(SomExport *job) {
    SomMechanism *mechanism = som_mechanism_create(job->design);
    SomBodyModel *model = som_body_model_create(&(SomBodyDef){.mechanism = mechanism,
                                                              .posture = job->posture,
                                                              .graph = job->graph,
                                                              .is_full = job->is_full,
                                                              .joins_docks = true,
                                                              .keeps_root = true});
    SomText package = {0}, folder = {0};
    name_package(job, &package);
    if (!job->has_relative_meshes) {
        som_text_printf(&folder, "package://%s/", package.data);
    }
    SomUrdfDef def = {.model = model,
                      .mesh_folder = som_text_str(&folder),
                      .looks = job->looks,
                      .looks_context = job->looks_context,
                      .has_plugins = job->has_plugins};
    if (!job->has_plugins) {
        som_kept_report_left_out(job->design, true, job->diags);
    }
    if (job->never_touch != NULL) {
        def.apart_count = job->never_touch(mechanism, job->posture, &job->arena, &def.apart);
    }
    save_all(job, &def, som_text_str(&package));
    som_text_free(&folder);
    som_text_free(&package);
    som_body_model_destroy(model);
    som_mechanism_destroy(mechanism);
}
