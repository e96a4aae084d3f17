// SPDX-License-Identifier: Apache-2.0
#include "tests/studio/simulate_story.h"

#include "tests/suite.h"

SomSession *som_simulate_enter(SomWindow *window) {
    som_ui_key(window, "<Alt>3");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_SIMULATE);
    som_ui_settle(window);
    return som_window_session(window);
}

void som_simulate_type(SomWindow *window, GtkWidget *entry, const char *words) {
    som_ui_click(entry);
    som_ui_key(window, "<Control>a");
    som_ui_type(window, words);
}

void som_simulate_choose(SomWindow *window, const char *name, int position) {
    GtkWidget *choice = som_ui_find(window, "GtkDropDown", name);
    int now = (int)gtk_drop_down_get_selected(GTK_DROP_DOWN(choice));
    som_ui_click(choice);
    if (gtk_drop_down_get_enable_search(GTK_DROP_DOWN(choice))) {
        som_ui_key(window, "Down"); // from the search to the row that is selected
    }
    for (; now < position; now++) {
        som_ui_key(window, "Down");
    }
    for (; now > position; now--) {
        som_ui_key(window, "Up");
    }
    som_ui_key(window, "Return");
    SOM_UI_WAIT((int)gtk_drop_down_get_selected(GTK_DROP_DOWN(choice)) == position);
    som_ui_move(som_window_view(window), 20, 20); // out of the list, which had taken the pointer
}

void som_simulate_run(SomWindow *window) {
    SomSession *session = som_window_session(window);
    som_ui_key(window, "F5");
    SOM_UI_WAIT(!som_session_is_running(session) && som_session_count(session) > 0);
    som_ui_settle(window);
}

void som_simulate_quickly(SomWindow *window, SomPhysicsEngines engines) {
    som_ui_click(som_ui_find(window, "GtkCheckButton", "Real time"));
    som_simulate_choose(window, "Physics engine", (int)engines);
}
