// SPDX-License-Identifier: Apache-2.0
#include "studio/tour.h"

#include "studio/widgets.h"
#include "studio/window_actions.h"
#include "studio/window_internal.h"

#define TARGET "som-tour-target" // of the style sheet: the panel that a step is about

struct _SomTour {
    AdwBin parent_instance;
    SomWindow *window; // which it lies in, and which it may outlive
    SomDesk *desk;     // of the window; NULL when it does not listen any more
    GtkLabel *number, *title, *words;
    GtkWidget *done, *walkbot, *back, *next, *target; // target: NULL if none is marked
    int step;                                         // -1: it is not on
};

G_DEFINE_FINAL_TYPE(SomTour, som_tour, ADW_TYPE_BIN)

// ---- the steps

static const SomConfiguration *configuration_of(SomWindow *window) {
    return som_project_model(window->project)->configuration;
}

static bool has_modules(SomWindow *window) {
    const SomConfiguration *whole = configuration_of(window);
    return whole != NULL && whole->module_count > 0;
}

static bool has_limbs(SomWindow *window) {
    const SomConfiguration *whole = configuration_of(window);
    int own = 0;
    for (int i = 0; whole != NULL && i < whole->connection_count; i++) {
        own += whole->connections[i].part == 0 ? 1 : 0;
    }
    return own >= 2;
}

static bool has_behavior(SomWindow *window) {
    const SomBlocks *blocks = som_desk_blocks(window->desk);
    for (int i = 0; i < blocks->behaviors.count; i++) {
        int root = blocks->behaviors.data[i].root;
        if (root >= 0 && blocks->blocks[root].child_count > 0) {
            return true;
        }
    }
    return false;
}

static GtkWidget *left_of(SomWindow *window) {
    return GTK_WIDGET(window->lefts);
}

static GtkWidget *view_of(SomWindow *window) {
    return GTK_WIDGET(window->view);
}

// A narrow window has no room for blocks beside the actions that they are made of.
static GtkWidget *side_of(SomWindow *window) {
    return gtk_widget_get_visible(window->side) ? window->side : left_of(window);
}

static GtkWidget *below_of(SomWindow *window) {
    return window->below;
}

static const struct {
    const char *title, *words;
    SomMode mode;
    const char *shows; // property of the window: a panel that is needed; NULL: none
    GtkWidget *(*target)(SomWindow *window);
    bool (*is_done)(SomWindow *window); // NULL: that is for the user to say
} steps[] = {
    {"Take a body",
     "Drag Chain6 out of the library at the left into the view. By keys: type its name into the "
     "search, Tab to the list, Enter takes it and Enter drops it.",
     SOM_MODE_CONFIGURATION, "shows-library", left_of, has_modules},
    {"Give it legs",
     "Drag Chain3 to the sides of the body: connectors that fit are green, the wheel turns what "
     "you hold, letting go connects it. The badge at the lower edge says whether the robot stands.",
     SOM_MODE_CONFIGURATION, "shows-library", view_of, has_limbs},
    {"Compose a behavior",
     "At the left are the behaviors of all parts. Begin one of your own, and drag some of them "
     "into its blocks: a series runs them one after the other, a parallel at the same time.",
     SOM_MODE_BEHAVIORS, "shows-library", side_of, has_behavior},
    {"Play it",
     "Space plays. The timeline shows which actions run; a red band is where something would go "
     "wrong: click it, and view, block and text show what it is about.",
     SOM_MODE_BEHAVIORS, "shows-findings", below_of, NULL},
    {"Run it, and take it along",
     "F5 runs the behavior under physics, live, and then in Gazebo's own for the verdict. Export, "
     "in the main menu, writes the world for Gazebo and other programs; Ctrl+S saves the design.",
     SOM_MODE_SIMULATE, "shows-library", left_of, NULL},
};
#define STEPS ((int)G_N_ELEMENTS(steps))

static int step_count(void) {
    int count = 0;
    while (count < STEPS && som_mode_exists(steps[count].mode)) {
        count++;
    }
    return count;
}

// ---- what is shown

static void mark(SomTour *tour, GtkWidget *target) {
    if (tour->target != NULL) {
        gtk_widget_remove_css_class(tour->target, TARGET);
    }
    g_set_weak_pointer(&tour->target, target);
    if (target != NULL) {
        gtk_widget_add_css_class(target, TARGET);
    }
}

static void set_suggested(GtkWidget *button, bool is_suggested) {
    if (is_suggested) {
        gtk_widget_add_css_class(button, "suggested-action");
    } else {
        gtk_widget_remove_css_class(button, "suggested-action");
    }
}

static void refresh(SomTour *tour) {
    if (tour->step < 0) {
        return;
    }
    SomWindow *window = tour->window;
    bool can_be_done = steps[tour->step].is_done != NULL;
    bool is_done = can_be_done && steps[tour->step].is_done(window);
    gtk_widget_set_opacity(tour->done,
                           is_done ? 1 : 0); // it keeps the room between words and buttons
    som_set_accessible_name(tour->done,
                            is_done ? "This step is done" : "This step is not done yet");
    gtk_widget_set_tooltip_text(tour->done, is_done ? "Done" : NULL);
    gtk_widget_set_visible(tour->walkbot, tour->step > 0 && !has_modules(window));
    set_suggested(tour->next, is_done || !can_be_done);
}

static void on_change(void *context, unsigned changes) {
    (void)changes;
    refresh(context);
}

int som_tour_step(SomTour *tour) {
    return tour->step;
}

void som_tour_go(SomTour *tour, int step) {
    int count = step_count();
    tour->step = CLAMP(step, 0, count - 1);
    g_autofree char *number = g_strdup_printf("%d of %d", tour->step + 1, count);
    gtk_label_set_label(tour->number, number);
    gtk_label_set_label(tour->title, steps[tour->step].title);
    gtk_label_set_label(tour->words, steps[tour->step].words);
    gtk_widget_set_sensitive(tour->back, tour->step > 0);
    gtk_button_set_label(GTK_BUTTON(tour->next), tour->step + 1 < count ? "_Next" : "_Finish");
    som_window_set_mode(tour->window, steps[tour->step].mode);
    if (steps[tour->step].shows != NULL) {
        g_object_set(tour->window, steps[tour->step].shows, TRUE, NULL);
    }
    mark(tour, steps[tour->step].target(tour->window));
    refresh(tour);
    gtk_widget_set_visible(GTK_WIDGET(tour), TRUE);
}

void som_tour_begin(SomTour *tour) {
    som_tour_go(tour, 0);
}

void som_tour_end(SomTour *tour) {
    if (tour->step >= 0) {
        tour->step = -1;
        mark(tour, NULL);
        gtk_widget_set_visible(GTK_WIDGET(tour), FALSE);
        gtk_widget_grab_focus(GTK_WIDGET(tour->window->view));
    }
}

// ---- what one can do with it

static void on_back(SomTour *tour) {
    som_tour_go(tour, tour->step - 1);
}

static void on_next(SomTour *tour) {
    if (tour->step + 1 < step_count()) {
        som_tour_go(tour, tour->step + 1);
    } else {
        som_tour_end(tour);
    }
}

static void on_walkbot(SomTour *tour) {
    som_window_open(tour->window, "walkbot");
}

static gboolean on_key(GtkEventControllerKey *controller, guint key, guint code,
                       GdkModifierType modifiers, SomTour *tour) {
    (void)controller;
    (void)code;
    (void)modifiers;
    if (key == GDK_KEY_Escape) {
        som_tour_end(tour);
    }
    return key == GDK_KEY_Escape;
}

// In a design of its own: nothing that is open is touched.
static void begin_tour(SomWindow *window) {
    SomWindow *other = som_window_begin_beside(window, SOM_STR(""), SOM_STR(""), SOM_STR(""));
    if (other->application != NULL) {
        som_application_remember(other->application, "toured", 1);
    }
    som_tour_begin(other->tour);
}

static const SomWindowAction actions[] = {
    {.name = "design.tour", .words = "Guided tour", .keys = "F1", .run = begin_tour},
};
const SomWindowActions som_tour_actions = {"Help", actions, G_N_ELEMENTS(actions)};

// ---- layout

static GtkLabel *label_in(GtkWidget *box, const char *style) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, style);
    gtk_box_append(GTK_BOX(box), label);
    return GTK_LABEL(label);
}

static GtkWidget *button_in(GtkWidget *box, const char *words, GCallback clicked, SomTour *tour) {
    GtkWidget *button = gtk_button_new_with_mnemonic(words);
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
    g_signal_connect_swapped(button, "clicked", clicked, tour);
    gtk_box_append(GTK_BOX(box), button);
    return button;
}

static GtkWidget *make_heading(SomTour *tour) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
    tour->number = label_in(box, "dim-label");
    tour->title = label_in(box, "heading");
    gtk_label_set_ellipsize(tour->title, PANGO_ELLIPSIZE_END);
    tour->done = gtk_image_new_from_icon_name("object-select-symbolic");
    gtk_widget_add_css_class(tour->done, "success");
    gtk_widget_set_hexpand(tour->done, TRUE);
    gtk_widget_set_halign(tour->done, GTK_ALIGN_START);
    gtk_box_append(GTK_BOX(box), tour->done);
    tour->walkbot = button_in(box, "Use the _Walkbot", G_CALLBACK(on_walkbot), tour);
    gtk_widget_set_tooltip_text(tour->walkbot, "Go on with the Walkbot of the library");
    tour->back = button_in(box, "_Back", G_CALLBACK(on_back), tour);
    tour->next = button_in(box, "_Next", G_CALLBACK(on_next), tour);
    GtkWidget *close = som_icon_button("window-close-symbolic", "End the tour");
    gtk_widget_add_css_class(close, "flat");
    g_signal_connect_swapped(close, "clicked", G_CALLBACK(som_tour_end), tour);
    gtk_box_append(GTK_BOX(box), close);
    return box;
}

static GtkWidget *make_bar(SomTour *tour) {
    GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
    gtk_widget_add_css_class(bar, "som-tour");
    gtk_box_append(GTK_BOX(bar), make_heading(tour));
    tour->words = label_in(bar, "body");
    gtk_label_set_wrap(tour->words, TRUE);
    return bar;
}

static void dispose(GObject *object) {
    SomTour *tour = SOM_TOUR(object);
    if (tour->desk != NULL) {
        som_project_unlisten(som_desk_project(tour->desk), on_change, tour);
        som_desk_unlisten(tour->desk, on_change, tour);
        tour->desk = NULL;
    }
    g_clear_weak_pointer(&tour->target);
    G_OBJECT_CLASS(som_tour_parent_class)->dispose(object);
}

static void som_tour_class_init(SomTourClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
}

static void som_tour_init(SomTour *tour) {
    tour->step = -1;
    adw_bin_set_child(ADW_BIN(tour), make_bar(tour));
    gtk_widget_set_visible(GTK_WIDGET(tour), FALSE);
    GtkEventController *keys = gtk_event_controller_key_new();
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), tour);
    gtk_widget_add_controller(GTK_WIDGET(tour), keys);
}

GtkWidget *som_tour_new(SomWindow *window) {
    SomTour *tour = g_object_new(SOM_TYPE_TOUR, NULL);
    tour->window = window;
    tour->desk = window->desk;
    som_project_listen(window->project, on_change, tour);
    som_desk_listen(window->desk, on_change, tour);
    return GTK_WIDGET(tour);
}
