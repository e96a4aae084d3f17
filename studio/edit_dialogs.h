// studio/edit_dialogs.h - the actions on parts that ask for something: a name, or another part.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

void som_edit_rename(SomWindow *window);
void som_edit_rename_config(SomWindow *window);
void som_edit_replace(SomWindow *window);
