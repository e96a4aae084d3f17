// SPDX-License-Identifier: Apache-2.0
#include "studio/transfer.h"

#include "base/file.h"
#include "base/path.h"
#include "compose/composition.h"
#include "exchange/import.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "render/robot_scene.h"
#include "verify/never_touch.h"

// ---- life

static SomTransfer *create(SomTransferKind kind) {
    SomTransfer *transfer = som_alloc(sizeof *transfer);
    transfer->kind = kind;
    return transfer;
}

static SomTransfer *create_of(const SomProject *project, SomTransferKind kind, SomStr out) {
    SomTransfer *transfer = create(kind);
    const SomModel *model = som_project_model(project);
    SomStr path = som_project_path(project);
    som_text_add(&transfer->library, som_project_library(project));
    som_text_add(&transfer->path, path.length > 0 ? path : SOM_STR("Untitled.som"));
    som_text_add(&transfer->text, som_project_text(project));
    som_text_add(&transfer->choice, som_project_choice(project));
    som_text_add(&transfer->out, out);
    transfer->value_count = model->configuration != NULL ? model->posture.count : 0;
    transfer->values = som_alloc(sizeof *transfer->values * ((size_t)transfer->value_count + 1));
    for (int i = 0; i < transfer->value_count; i++) {
        transfer->values[i] = model->posture.values[i];
    }
    return transfer;
}

SomTransfer *som_transfer_import(SomStr library, const char *const *paths) {
    SomTransfer *transfer = create(SOM_TRANSFER_IMPORT);
    som_text_add(&transfer->library, library);
    for (int i = 0; paths[i] != NULL; i++) {
        som_array_push(&transfer->paths, som_arena_copy(&transfer->arena, som_str(paths[i])));
    }
    return transfer;
}

SomTransfer *som_transfer_export(const SomProject *project, const SomExportFormat *format,
                                 SomStr behavior, SomStr out) {
    SomTransfer *transfer = create_of(project, SOM_TRANSFER_EXPORT, out);
    transfer->format = format;
    som_text_add(&transfer->behavior, behavior);
    return transfer;
}

SomTransfer *som_transfer_picture(const SomProject *project, const SomCamera *camera, int width,
                                  int height, bool is_dark, SomStr out) {
    SomTransfer *transfer = create_of(project, SOM_TRANSFER_PICTURE, out);
    transfer->camera = *camera;
    transfer->width = width;
    transfer->height = height;
    transfer->is_dark = is_dark;
    return transfer;
}

void som_transfer_destroy(SomTransfer *transfer) {
    if (transfer == NULL) {
        return;
    }
    SomText *texts[] = {&transfer->library, &transfer->path,     &transfer->text,
                        &transfer->choice,  &transfer->behavior, &transfer->out,
                        &transfer->made,    &transfer->config,   &transfer->words};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        som_text_free(texts[i]);
    }
    som_free(transfer->values);
    som_array_free(&transfer->paths);
    som_arena_free(&transfer->arena);
    som_free(transfer);
}

void som_transfer_cancel(SomTransfer *transfer) {
    atomic_store(&transfer->is_cancelled, true);
}

static bool is_cancelled(void *context) {
    SomTransfer *transfer = context;
    return atomic_load(&transfer->is_cancelled);
}

// ---- kinds

// "arm.som" beside "arm.urdf", or "arm_2.som": one that is not there yet, nor its module types and
// meshes.
static void name_beside(SomTransfer *transfer) {
    SomStr first = transfer->paths.data[0];
    SomText types = {0}, meshes = {0};
    bool is_taken = true;
    for (int number = 1; is_taken; number++) {
        som_text_clear(&transfer->out);
        som_path_join(&transfer->out, som_path_folder(first), som_path_stem(first));
        if (number > 1) {
            som_text_printf(&transfer->out, "_%d", number);
        }
        som_text_clear(&types);
        som_text_printf(&types, "%s.m3l", transfer->out.data);
        som_text_clear(&meshes);
        som_text_printf(&meshes, "%s_meshes", transfer->out.data);
        som_text_add(&transfer->out, SOM_STR(".som"));
        is_taken = som_file_exists(transfer->out.data) || som_file_exists(types.data) ||
                   som_file_is_folder(meshes.data);
    }
    som_text_free(&meshes);
    som_text_free(&types);
}

// A text that needs module types and meshes of its own is saved with them.
static bool save_beside(SomTransfer *transfer, const SomImported *result, SomDiagnostics *diags) {
    bool fine = som_imported_save(result, transfer->out.data, false, diags);
    transfer->files = fine ? result->files.count + 1 : 0;
    return fine;
}

static void import(SomTransfer *transfer, SomDiagnostics *diags) {
    name_beside(transfer); // what it needs is named after it, so before one knows whether it does
    SomImportOptions options = {.library = som_text_str(&transfer->library),
                                .out = som_text_str(&transfer->out)};
    SomImported result;
    if (som_import(transfer->paths.data, transfer->paths.count, &options, &transfer->arena, &result,
                   diags) &&
        (result.files.count == 0 || save_beside(transfer, &result, diags))) {
        som_text_add(&transfer->made, som_text_str(&result.som));
        som_text_add(&transfer->config, som_text_str(&result.config));
        transfer->is_done = true;
    }
    som_imported_free(&result);
}

static void export(SomTransfer *transfer, SomComposition *made, const SomPosture *posture) {
    SomLinkMeshes meshes = {0};
    if (transfer->format->has_looks) {
        som_link_meshes_load(&meshes, made->configuration, made->workspace, made->diags);
    }
    SomExport job = {.workspace = made->workspace,
                     .design = made->configuration,
                     .posture = posture,
                     .behavior = som_text_str(&transfer->behavior),
                     .out = som_text_str(&transfer->out),
                     .may_replace = transfer->may_replace,
                     .looks = som_link_meshes_look,
                     .looks_context = &meshes,
                     .never_touch = som_never_touch,
                     .diags = made->diags,
                     .is_cancelled = is_cancelled,
                     .context = transfer};
    transfer->is_done = som_export(transfer->format, &job) && !is_cancelled(transfer);
    transfer->files = job.files.count;
    som_export_free(&job);
    som_link_meshes_free(&meshes);
}

static void draw(SomTransfer *transfer, SomComposition *made, const SomPosture *posture) {
    SomMechanism *mechanism = som_mechanism_create(made->configuration);
    SomPose *links = som_alloc(sizeof *links * (size_t)mechanism->link_count);
    SomLinkMeshes meshes = {0};
    SomScene scene = {.is_dark = transfer->is_dark};
    SomImage image = {0};
    som_mechanism_place(mechanism, posture, links);
    som_link_meshes_load(&meshes, made->configuration, made->workspace, made->diags);
    som_scene_add_robot(&scene, mechanism, links, &meshes, SOM_ROBOT_GROUND);
    SomOffscreen *offscreen = som_offscreen_create(made->diags);
    transfer->is_done = offscreen != NULL &&
                        som_offscreen_draw(offscreen, &scene, &transfer->camera, transfer->width,
                                           transfer->height, &image, made->diags) &&
                        !is_cancelled(transfer) &&
                        som_image_save(&image, transfer->out.data, made->diags);
    transfer->files = transfer->is_done;
    som_offscreen_destroy(offscreen);
    som_image_free(&image);
    som_scene_free(&scene);
    som_link_meshes_free(&meshes);
    som_free(links);
    som_mechanism_destroy(mechanism);
}

// The design composed anew, so that nothing is shared with the window.
static void send(SomTransfer *transfer) {
    SomComposition *made =
        som_composition_create(som_text_str(&transfer->library), som_text_str(&transfer->path),
                               som_text_str(&transfer->text), som_text_str(&transfer->choice));
    if (made->configuration != NULL) {
        SomPosture posture = som_posture_start(made->configuration);
        for (int i = 0; i < posture.count && posture.count == transfer->value_count; i++) {
            posture.values[i] = transfer->values[i];
        }
        if (transfer->kind == SOM_TRANSFER_EXPORT) {
            export(transfer, made, &posture);
        } else {
            draw(transfer, made, &posture);
        }
        som_posture_free(&posture);
    } else if (som_diagnostics_error_count(made->diags) == 0) {
        som_text_add(&transfer->words, SOM_STR("The design is empty.\n"));
    }
    som_diagnostics_sort(made->diags);
    som_diagnostics_print(made->diags, 0, &transfer->words);
    som_composition_release(made);
}

void som_transfer_run(SomTransfer *transfer) {
    if (transfer->kind != SOM_TRANSFER_IMPORT) {
        send(transfer);
        return;
    }
    SomDiagnostics *diags = som_diagnostics_create();
    import(transfer, diags);
    som_diagnostics_sort(diags);
    som_diagnostics_print(diags, 0, &transfer->words);
    som_diagnostics_destroy(diags);
}
