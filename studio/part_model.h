// studio/part_model.h - a part of the library by itself, composed and placed as it will be in a
// design: to be held, tried at connectors and drawn.
//
//     SomText why = {0};
//     SomModel *part = som_part_model_create(library, SOM_STR("mine.som"), text,
//                                            SOM_STR("Snake(n = 3)"), SOM_STR("snake.som"), &why);
//     if (part != NULL) { ... part->mechanism, part->links ... }
//     som_model_destroy(part);
//
// May be made in any thread; one thread at a time uses it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project_model.h"

// As a part of the design `text` at `path`, which need not be on the disk; `file` defines the
// reference if the text does not use it yet. A whole with this one part, or NULL with the reason in
// `why`.
SomModel *som_part_model_create(SomStr library, SomStr path, SomStr text, SomStr reference,
                                SomStr file, SomText *why);

// A config, robot or module type of a file as it stands by itself, in the pose that it starts in.
SomModel *som_part_model_open(SomStr library, SomStr path, SomStr choice, SomText *why);

// A connector as it is named from the part: head.L, or L of a module.
void som_part_model_print_connector(const SomModel *part, int module, int connector, SomText *out);
