// SPDX-License-Identifier: Apache-2.0
#include "studio/behavior_texts.h"

SomBehaviorTexts som_behavior_texts(SomStr library, SomStr path, SomStr text, SomStr choice,
                                    SomStr behavior) {
    SomBehaviorTexts texts = {0};
    som_text_add(&texts.library, library);
    som_text_add(&texts.path, path.length > 0 ? path : SOM_STR("Untitled.som"));
    som_text_add(&texts.text, text);
    som_text_add(&texts.choice, choice);
    som_text_add(&texts.behavior, behavior);
    return texts;
}

void som_behavior_texts_free(SomBehaviorTexts *texts) {
    som_text_free(&texts->library);
    som_text_free(&texts->path);
    som_text_free(&texts->text);
    som_text_free(&texts->choice);
    som_text_free(&texts->behavior);
}

SomComposition *som_behavior_texts_compose(const SomBehaviorTexts *texts) {
    return som_composition_create(som_text_str(&texts->library), som_text_str(&texts->path),
                                  som_text_str(&texts->text), som_text_str(&texts->choice));
}
