// SPDX-License-Identifier: Apache-2.0
// Files of other programs: what `somite import`, `export` and `render` do, by dialogs.
#include "base/file.h"
#include "base/path.h"
#include "exchange/import.h"
#include "studio/ask.h"
#include "studio/file_dialog.h"
#include "studio/transfer_run.h"
#include "studio/widgets.h"
#include "studio/window_actions.h"
#include "studio/window_internal.h"

// ---- import

static void on_imported(SomWindow *window, const SomTransfer *transfer) {
    if (transfer->files > 0) {
        som_window_open_beside(window, transfer->out.data);
        return;
    }
    som_window_begin_beside(window, SOM_STR(""), SOM_STR(""), som_text_str(&transfer->made));
}

static void import_files(SomWindow *window, const char *const *paths) {
    som_transfer_start(window, som_transfer_import(som_text_str(&window->library), paths),
                       on_imported);
}

static void ask_import(SomWindow *window) {
    SomText patterns = {0};
    som_import_patterns(&patterns);
    som_file_dialog(window, &(SomFileDialog){.title = "Import robots, gaits and tables of joints",
                                             .accept = "_Import",
                                             .kind = "Files of other programs",
                                             .patterns = patterns.data,
                                             .is_many = true,
                                             .take = import_files});
    som_text_free(&patterns);
}

// ---- what is written

static void on_written(SomWindow *window, const SomTransfer *transfer) {
    g_autofree char *shown = g_filename_display_name(transfer->out.data);
    g_autofree char *words =
        transfer->files == 1 ? g_strdup_printf("Written: %s", shown)
                             : g_strdup_printf("Written: %d files in %s", transfer->files, shown);
    som_window_tell(window, words);
}

// "walkbot" of the configuration Walkbot.
static char *plain_name(const SomWindow *window) {
    const SomModel *model = som_project_model(window->project);
    SomStr config = model->configuration->parts[0].config;
    return g_utf8_strdown(config.data, (gssize)config.length);
}

static bool has_design(SomWindow *window) {
    return som_project_model(window->project)->configuration != NULL;
}

// ---- pictures

static void draw_to(SomWindow *window, const char *const *paths) {
    GtkWidget *view = GTK_WIDGET(window->view);
    int scale = gtk_widget_get_scale_factor(view);
    bool is_dark = adw_style_manager_get_dark(adw_style_manager_get_default());
    som_transfer_start(window,
                       som_transfer_picture(window->project, som_view_camera(window->view),
                                            scale * gtk_widget_get_width(view),
                                            scale * gtk_widget_get_height(view), is_dark,
                                            som_str(paths[0])),
                       on_written);
}

static void ask_picture(SomWindow *window) {
    g_autofree char *plain = plain_name(window), *name = g_strconcat(plain, ".png", NULL);
    som_file_dialog(window, &(SomFileDialog){.action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                             .title = "Save a picture of the view",
                                             .accept = "_Save",
                                             .kind = "Pictures (.png)",
                                             .patterns = "*.png",
                                             .name = name,
                                             .take = draw_to});
}

// ---- export: what, and then where to

typedef struct Sheet {
    SomWindow *window;
    GtkWindow *dialog;
    AdwComboRow *formats;
    AdwComboRow *behaviors; // the first is none
    AdwEntryRow *arguments;
    GtkWidget *accept;
} Sheet;

static const SomExportFormat *format_of(const Sheet *sheet) {
    int count;
    return &som_export_formats(&count)[adw_combo_row_get_selected(sheet->formats)];
}

// "walk(2)"; empty: none.
static char *behavior_of(const Sheet *sheet) {
    if (adw_combo_row_get_selected(sheet->behaviors) == 0) {
        return g_strdup("");
    }
    GtkStringObject *item = adw_combo_row_get_selected_item(sheet->behaviors);
    const char *arguments = gtk_editable_get_text(GTK_EDITABLE(sheet->arguments));
    return arguments[0] != '\0'
               ? g_strdup_printf("%s(%s)", gtk_string_object_get_string(item), arguments)
               : g_strdup(gtk_string_object_get_string(item));
}

static void on_sheet_changed(Sheet *sheet) {
    bool has_behavior = adw_combo_row_get_selected(sheet->behaviors) != 0;
    bool lacks_one = !has_behavior && format_of(sheet)->needs_behavior;
    gtk_widget_set_sensitive(GTK_WIDGET(sheet->arguments), has_behavior);
    gtk_widget_set_sensitive(sheet->accept, !lacks_one);
    adw_action_row_set_subtitle(ADW_ACTION_ROW(sheet->behaviors),
                                lacks_one ? "This format is of a behavior" : "");
}

// Files are replaced: the dialog, or the question below, has asked.
static void start_export(SomWindow *window) {
    const SomExportFormat *format = som_export_find(som_text_str(&window->export_format));
    SomTransfer *transfer =
        som_transfer_export(window->project, format, som_text_str(&window->export_behavior),
                            som_text_str(&window->export_out));
    transfer->may_replace = true;
    som_transfer_start(window, transfer, on_written);
}

static void export_to(SomWindow *window, const char *const *paths) {
    const SomExportFormat *format = som_export_find(som_text_str(&window->export_format));
    SomText *out = &window->export_out;
    som_text_clear(out);
    som_text_add(out, som_str(paths[0]));
    if (format->ending == NULL) { // a folder of its own in the one that was chosen
        g_autofree char *plain = plain_name(window);
        som_text_printf(out, "/%s_%s", plain, format->name);
    }
    if (format->ending == NULL && som_file_is_folder(out->data)) {
        g_autofree char *shown = g_filename_display_basename(out->data);
        g_autofree char *heading = g_strdup_printf("Replace files in “%s”?", shown);
        const SomReply answers[] = {{"_Cancel", NULL, SOM_REPLY_PLAIN},
                                    {"_Replace", start_export, SOM_REPLY_DESTROYS}};
        som_ask(
            window, heading,
            "The folder exists. Changes made by hand to files that are exported again are lost.",
            answers, 2);
        return;
    }
    start_export(window);
}

static void ask_where(SomWindow *window, const SomExportFormat *format) {
    g_autofree char *plain = plain_name(window);
    g_autofree char *name = g_strconcat(plain, format->ending, NULL);
    g_autofree char *title =
        format->ending != NULL
            ? g_strdup_printf("Export %s", format->name)
            : g_strdup_printf("Where to make the folder %s_%s", plain, format->name);
    bool is_folder = format->ending == NULL;
    som_file_dialog(window,
                    &(SomFileDialog){.action = is_folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                                         : GTK_FILE_CHOOSER_ACTION_SAVE,
                                     .title = title,
                                     .accept = "_Export",
                                     .name = is_folder ? NULL : name,
                                     .take = export_to});
}

static void on_accept(Sheet *sheet) {
    SomWindow *window = sheet->window;
    const SomExportFormat *format = format_of(sheet);
    g_autofree char *behavior = behavior_of(sheet);
    som_text_clear(&window->export_format);
    som_text_add(&window->export_format, som_str(format->name));
    som_text_clear(&window->export_behavior);
    som_text_add(&window->export_behavior, som_str(behavior));
    gtk_window_destroy(sheet->dialog);
    ask_where(window, format);
}

static GtkWidget *combo(const char *title, GtkStringList *words, Sheet *sheet) {
    GtkWidget *row = adw_combo_row_new();
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    adw_combo_row_set_model(ADW_COMBO_ROW(row), G_LIST_MODEL(words));
    g_signal_connect_swapped(row, "notify::selected", G_CALLBACK(on_sheet_changed), sheet);
    return row;
}

static void add_rows(Sheet *sheet, AdwPreferencesGroup *group) {
    g_autoptr(GtkStringList) formats = gtk_string_list_new(NULL),
                             behaviors = gtk_string_list_new(NULL);
    int count;
    const SomExportFormat *all = som_export_formats(&count);
    for (int i = 0; i < count; i++) {
        g_autofree char *words = g_strdup_printf("%s: %s", all[i].name, all[i].what);
        gtk_string_list_append(formats, words);
    }
    gtk_string_list_append(behaviors, "None");
    const SomConfiguration *design = som_project_model(sheet->window->project)->configuration;
    for (int i = 0; i < design->behavior_count; i++) {
        if (design->behaviors[i].part == 0) {
            SomStr name = design->behaviors[i].path;
            gtk_string_list_take(behaviors, som_c_string(name));
        }
    }
    sheet->formats = ADW_COMBO_ROW(combo("Format", formats, sheet));
    sheet->behaviors = ADW_COMBO_ROW(combo("Behavior", behaviors, sheet));
    sheet->arguments = ADW_ENTRY_ROW(adw_entry_row_new());
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(sheet->arguments),
                                  "Arguments, if not as usual");
    adw_preferences_group_add(group, GTK_WIDGET(sheet->formats));
    adw_preferences_group_add(group, GTK_WIDGET(sheet->behaviors));
    adw_preferences_group_add(group, GTK_WIDGET(sheet->arguments));
    guint plain = 0; // the first one for which the design is enough
    while ((int)plain < count - 1 && all[plain].needs_behavior) {
        plain++;
    }
    adw_combo_row_set_selected(sheet->formats, plain);
}

static void ask_export(SomWindow *window) {
    Sheet *sheet = g_new0(Sheet, 1);
    sheet->window = window;
    sheet->dialog = GTK_WINDOW(adw_window_new());
    g_object_set_data_full(G_OBJECT(sheet->dialog), "som-sheet", sheet, g_free);
    gtk_window_set_title(sheet->dialog, "Export");
    gtk_window_set_transient_for(sheet->dialog, GTK_WINDOW(window));
    gtk_window_set_modal(sheet->dialog, TRUE);
    gtk_window_set_destroy_with_parent(sheet->dialog, TRUE);
    gtk_window_set_default_size(sheet->dialog, 520, -1);
    sheet->accept = gtk_button_new_with_mnemonic("_Export…");
    gtk_widget_add_css_class(sheet->accept, "suggested-action");
    g_signal_connect_swapped(sheet->accept, "clicked", G_CALLBACK(on_accept), sheet);
    GtkWidget *cancel = gtk_button_new_with_mnemonic("_Cancel");
    g_signal_connect_swapped(cancel, "clicked", G_CALLBACK(gtk_window_close), sheet->dialog);
    GtkWidget *bar = adw_header_bar_new();
    adw_header_bar_set_show_end_title_buttons(ADW_HEADER_BAR(bar), FALSE);
    adw_header_bar_pack_start(ADW_HEADER_BAR(bar), cancel);
    adw_header_bar_pack_end(ADW_HEADER_BAR(bar), sheet->accept);
    GtkWidget *group = adw_preferences_group_new();
    gtk_widget_set_margin_start(group, 18);
    gtk_widget_set_margin_end(group, 18);
    gtk_widget_set_margin_top(group, 18);
    gtk_widget_set_margin_bottom(group, 18);
    add_rows(sheet, ADW_PREFERENCES_GROUP(group));
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), bar);
    gtk_box_append(GTK_BOX(box), group);
    adw_window_set_content(ADW_WINDOW(sheet->dialog), box);
    som_close_by_escape(GTK_WIDGET(sheet->dialog), GTK_PHASE_BUBBLE);
    on_sheet_changed(sheet);
    gtk_window_present(sheet->dialog);
}

// ---- actions

static const SomWindowAction actions[] = {
    {.name = "design.import", .words = "Import…", .keys = "<Control>i", .run = ask_import},
    {.name = "design.export",
     .words = "Export…",
     .keys = "<Control><Shift>e",
     .run = ask_export,
     .is_possible = has_design},
    {.name = "design.picture",
     .words = "Save a picture…",
     .keys = "<Control><Shift>p",
     .run = ask_picture,
     .is_possible = has_design},
};
const SomWindowActions som_transfer_actions = {"Other programs", actions, G_N_ELEMENTS(actions)};
