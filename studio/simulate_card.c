// SPDX-License-Identifier: Apache-2.0
#include "studio/simulate_card.h"

#include "base/number.h"
#include "studio/severity_icon.h"
#include "studio/simulate_words.h"
#include "studio/widgets.h"

#include <math.h>

#define MOST_LINES 4 // of events, and of differences

typedef struct Card {
    SomSession *session;
    int record;
    GtkWidget *eye; // it is this one that the view shows
} Card;

static const char card_key[] = "som-card";
static const char time_key[] = "som-time";

static GtkWidget *label(const char *text, const char *css_class) {
    GtkWidget *made = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(made), 0);
    gtk_label_set_wrap(GTK_LABEL(made), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(made), PANGO_WRAP_WORD_CHAR);
    if (css_class != NULL) {
        gtk_widget_add_css_class(made, css_class);
    }
    return made;
}

// ---- jumping

static void on_jump(GtkWidget *button, const Card *card) {
    const double *time = g_object_get_data(G_OBJECT(button), time_key);
    som_session_jump(card->session, card->record, *time);
}

static GtkWidget *jump_button(Card *card, GtkWidget *child, double time, const char *words) {
    GtkWidget *button = gtk_button_new();
    double *kept = g_new(double, 1);
    *kept = time;
    gtk_button_set_child(GTK_BUTTON(button), child);
    gtk_widget_add_css_class(button, "flat");
    gtk_widget_add_css_class(button, "som-jump");
    g_object_set_data_full(G_OBJECT(button), time_key, kept, g_free);
    g_signal_connect(button, "clicked", G_CALLBACK(on_jump), card);
    gtk_widget_set_tooltip_text(button, "Shows this moment");
    som_set_accessible_name(button, words);
    return button;
}

// ---- the outcome

static GtkWidget *head_of(Card *card, const SomPhysicsRecord *record) {
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
    GtkWidget *texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *icon = gtk_image_new();
    SomSeverityLook look = som_severity_verdict_look(som_record_severity(record));
    som_severity_look_apply(look, GTK_IMAGE(icon));
    gtk_image_set_icon_size(GTK_IMAGE(icon), GTK_ICON_SIZE_LARGE);
    SomText when = {0}, words = {0};
    som_record_print_when(record, &when);
    som_text_printf(&words, "%s%s%s", som_record_title(record), when.length > 0 ? " " : "",
                    when.length > 0 ? when.data : "");
    GtkWidget *title = label(words.data, "heading");
    if (look.css_class != NULL) {
        gtk_widget_add_css_class(title, look.css_class);
    }
    const char *engine = record->scene->graph != NULL ? som_engine_title(record->engine) : "";
    gtk_box_append(GTK_BOX(texts), title);
    if (engine[0] != '\0') {
        GtkWidget *caption = label(engine, "caption");
        gtk_widget_add_css_class(caption, "dim-label");
        gtk_box_append(GTK_BOX(texts), caption);
    }
    gtk_widget_set_hexpand(texts, TRUE);
    card->eye = gtk_image_new_from_icon_name("view-reveal-symbolic");
    gtk_widget_set_tooltip_text(card->eye, "The view shows this run");
    som_set_accessible_name(card->eye, "The view shows this run");
    gtk_box_append(GTK_BOX(row), icon);
    gtk_box_append(GTK_BOX(row), texts);
    gtk_box_append(GTK_BOX(row), card->eye);
    SomText name = {0};
    som_text_printf(&name, "%s%s%s", engine, engine[0] != '\0' ? ": " : "", words.data);
    GtkWidget *head =
        record->has_run ? jump_button(card, row, som_record_moment(record), name.data) : row;
    som_text_free(&name);
    som_text_free(&when);
    som_text_free(&words);
    return head;
}

// ---- numbers

typedef void (*Printer)(const SomPhysicsRecord *record, SomText *out);

static GtkWidget *facts_of(const SomPhysicsRecord *record) {
    static const struct {
        const char *title;
        Printer print;
    } all[] = {{"Moved", som_record_print_moved},
               {"Lasted", som_record_print_lasted},
               {"Actions", som_record_print_actions},
               {"Joints", som_record_print_joints},
               {"Pace", som_record_print_pace}};
    GtkWidget *facts = som_facts_new();
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        SomText words = {0};
        all[i].print(record, &words);
        som_facts_set(facts, (int)i, all[i].title, words.length > 0 ? words.data : NULL);
        som_text_free(&words);
    }
    return facts;
}

// ---- moments

static GtkWidget *line_of(Card *card, const SomRecordLine *line) {
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *icon = gtk_image_new();
    SomText time = {0};
    som_text_fixed(&time, line->time, 2);
    som_text_add(&time, SOM_STR(" s"));
    som_severity_look_apply(som_severity_look(line->severity), GTK_IMAGE(icon));
    gtk_widget_set_valign(icon, GTK_ALIGN_START);
    gtk_widget_set_visible(icon, line->severity != SOM_NOTE);
    GtkWidget *texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_set_hexpand(texts, TRUE);
    GtkWidget *when = label(time.data, "caption-heading");
    gtk_widget_add_css_class(when, "numeric");
    gtk_box_append(GTK_BOX(texts), when);
    gtk_box_append(GTK_BOX(texts), label(line->words.data, "caption"));
    gtk_box_append(GTK_BOX(row), icon);
    gtk_box_append(GTK_BOX(row), texts);
    som_text_add(&time, SOM_STR(": "));
    som_text_add(&time, som_text_str(&line->words));
    GtkWidget *button = jump_button(card, row, line->time, time.data);
    som_text_free(&time);
    return button;
}

static void add_lines(Card *card, const SomPhysicsRecord *record, GtkBox *into) {
    SomRecordLines lines = som_record_lines(record, MOST_LINES);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    for (int i = 0; i < lines.all.count; i++) {
        gtk_box_append(GTK_BOX(box), line_of(card, &lines.all.data[i]));
    }
    gtk_box_append(into, box);
    if (lines.hidden > 0) {
        g_autofree char *words = g_strdup_printf("And %d more in the report", lines.hidden);
        GtkWidget *more = label(words, "caption");
        gtk_widget_add_css_class(more, "dim-label");
        gtk_box_append(into, more);
    } else if (record->report.comparison != NULL && lines.all.count == 0) {
        GtkWidget *same = label("As predicted, from the beginning to the end", "caption");
        gtk_widget_add_css_class(same, "dim-label");
        gtk_box_append(into, same);
    }
    som_record_lines_free(&lines);
}

// ---- all of it

static void add_words(const SomPhysicsRecord *record, GtkBox *into) {
    SomText meaning = {0}, reasons = {0};
    som_record_print_meaning(record, &meaning);
    if (meaning.length > 0) {
        gtk_box_append(into, label(meaning.data, NULL));
    }
    som_text_free(&meaning);
    som_record_print_reasons(record, &reasons);
    if (reasons.length > 0) {
        GtkWidget *words = label(reasons.data, NULL);
        gtk_label_set_selectable(GTK_LABEL(words), TRUE);
        gtk_widget_set_focusable(words, FALSE); // Tab goes on to what can be done
        gtk_box_append(into, words);
    }
    som_text_free(&reasons);
}

GtkWidget *som_simulate_card_new(SomSession *session, int index) {
    const SomPhysicsRecord *record = som_session_record(session, index);
    Card *card = g_new0(Card, 1);
    card->session = session;
    card->record = index;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
    gtk_widget_add_css_class(box, "card");
    gtk_widget_add_css_class(box, "som-outcome");
    gtk_box_append(GTK_BOX(box), head_of(card, record));
    add_words(record, GTK_BOX(box));
    if (record->has_run) {
        gtk_box_append(GTK_BOX(box), facts_of(record));
        add_lines(card, record, GTK_BOX(box));
    }
    g_object_set_data_full(G_OBJECT(box), card_key, card, g_free);
    som_simulate_card_set_shown(box, false);
    som_set_accessible_name(box, som_engine_title(record->engine));
    return box;
}

void som_simulate_card_set_shown(GtkWidget *box, bool is_shown) {
    const Card *card = g_object_get_data(G_OBJECT(box), card_key);
    gtk_widget_set_opacity(card->eye, is_shown ? 1 : 0); // its place stays
}
