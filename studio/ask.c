// SPDX-License-Identifier: Apache-2.0
#include "studio/ask.h"

#define MOST_ANSWERS 4

static const char *const ids[MOST_ANSWERS] = {"0", "1", "2", "3"};

typedef struct Question {
    SomWindow *window;
    SomReply answers[MOST_ANSWERS];
} Question;

static void free_question(gpointer data, GClosure *unused) {
    (void)unused;
    Question *question = data;
    g_object_unref(question->window);
    g_free(question);
}

static void on_response(AdwMessageDialog *dialog, const char *response, gpointer data) {
    (void)dialog;
    Question *question = data;
    const SomReply *answer = &question->answers[response[0] - '0'];
    if (answer->run != NULL) {
        answer->run(question->window);
    }
}

void som_ask(SomWindow *window, const char *heading, const char *body, const SomReply *answers,
             int count) {
    static const AdwResponseAppearance looks[] = {
        [SOM_REPLY_PLAIN] = ADW_RESPONSE_DEFAULT,
        [SOM_REPLY_SUGGESTED] = ADW_RESPONSE_SUGGESTED,
        [SOM_REPLY_DESTROYS] = ADW_RESPONSE_DESTRUCTIVE,
    };
    g_assert(count > 0 && count <= MOST_ANSWERS);
    AdwMessageDialog *dialog =
        ADW_MESSAGE_DIALOG(adw_message_dialog_new(GTK_WINDOW(window), heading, body));
    Question *question = g_new0(Question, 1);
    question->window = g_object_ref(window);
    for (int i = 0; i < count; i++) {
        question->answers[i] = answers[i];
        adw_message_dialog_add_response(dialog, ids[i], answers[i].words);
        adw_message_dialog_set_response_appearance(dialog, ids[i], looks[answers[i].look]);
    }
    adw_message_dialog_set_close_response(dialog, ids[0]);
    if (answers[count - 1].look == SOM_REPLY_SUGGESTED) {
        adw_message_dialog_set_default_response(dialog, ids[count - 1]);
    }
    g_signal_connect_data(dialog, "response", G_CALLBACK(on_response), question, free_question, 0);
    gtk_window_present(GTK_WINDOW(dialog));
}
