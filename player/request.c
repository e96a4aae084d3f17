// SPDX-License-Identifier: Apache-2.0
#include "player/request.h"

#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool som_request_read(const char *text, size_t length, SomRequest *request) {
    static const char *const words[SOM_REQUEST_KINDS] = {"pause", "resume", "cancel", "start"};
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    size_t word = 0;
    while (word < length && !is_blank(text[word])) {
        word++;
    }
    request->name = text + word;
    request->name_length = length - word;
    while (request->name_length > 0 && is_blank(*request->name)) {
        request->name++;
        request->name_length--;
    }
    for (int i = 0; i < SOM_REQUEST_KINDS; i++) {
        if (strlen(words[i]) == word && memcmp(words[i], text, word) == 0) {
            request->kind = (SomRequestKind)i;
            return i == SOM_REQUEST_START || request->name_length == 0;
        }
    }
    return false;
}
