// SPDX-License-Identifier: Apache-2.0
#include "player/topic.h"

#include "player/player_text.h"

static int is_plain(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

size_t som_topic_write(const char *model, const char *what, char *buffer, size_t size) {
    SomPlayerText text = {NULL, 0, 0};
    text.buffer = buffer;
    text.size = size;
    som_player_text_word(&text, "/model/");
    for (const char *c = model; *c != '\0'; c++) {
        som_player_text_char(&text, is_plain(*c) ? *c : '_');
    }
    som_player_text_word(&text, *model == '\0' ? "_/somite/" : "/somite/");
    som_player_text_word(&text, what);
    return som_player_text_end(&text);
}
