// compose/design_edit.h - what a designer does with a configuration, as edits of its text.
//
//     SomDesign *design = som_design_create(SOM_STR("library"), SOM_STR("mine.som"), text);
//     som_design_add_config(design, SOM_STR("Walker"), SOM_STR("Chain6"), SOM_STR("chain6.som"));
//     bool done = som_design_add_part(design, SOM_STR("Walker"),
//         &(SomPartAddition){.reference = SOM_STR("Chain3"), .name = SOM_STR("leg"),
//                            .own = SOM_STR("head.L"), .to = SOM_STR("chain6.front.middle.L")});
//     if (!done) { som_diagnostics_print(som_design_refusal(design), 0, &text); }
//     som_document_undo(som_design_document(design)); // each operation is one step
//
// An operation changes what it is about and no other byte, comments included. It is made if the
// text composes before and after it, else it is refused, with a reason, and nothing changes. Loops,
// arrays and what other configs make are never unrolled: where one of them would have to change,
// that is the reason. Parts of a design hang together, so a part is added together with its
// connection.
//
// `config` is a choice as on the command line: "" is the first config, "Snake(n = 3)" one with
// arguments. Places are those of the configuration: leg[2].head.L. New names are made unique.
//
// Ownership: the design owns its document; what is returned is borrowed until the next call.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/composition.h"
#include "language/document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomDesign SomDesign;

// The path says which files are beside it; it need not be on the disk.
SomDesign *som_design_create(SomStr library_root, SomStr path, SomStr text);
void som_design_destroy(SomDesign *design); // NULL is allowed

// For typing, undo and redo.
SomDocument *som_design_document(SomDesign *design);

// The text is somewhere else now, where `use` may find other files.
void som_design_set_path(SomDesign *design, SomStr path);

// As the text is now, composed once for each text and choice, by the operation that made it if one
// did. The design keeps it until the next change; who needs it longer holds it.
SomComposition *som_design_composition(SomDesign *design, SomStr config);

// Its configuration; NULL after errors, which are in the diagnostics.
const SomConfiguration *som_design_compose(SomDesign *design, SomStr config);
SomDiagnostics *som_design_diagnostics(SomDesign *design);

// Why the last operation was refused: one error, with notes. Empty if it was made.
const SomDiagnostics *som_design_refusal(const SomDesign *design);

// What the last operation that added something, or renamed it, called it.
SomStr som_design_new_name(const SomDesign *design);

// ---- parts

// How two connectors are mated; zero: as the language does without 'at'.
typedef struct SomMatingWish {
    bool has_roll;
    double roll; // radians
    int index;   // of the mating, where angles do not tell them apart; 0: not given
} SomMatingWish;

typedef struct SomPartAddition {
    SomStr reference; // Chain3, Snake(n = 3), SMORES
    SomStr file;      // that defines it, if the text does not use it yet: a path, or as in 'use'
    SomStr name;      // empty: made of the reference
    SomStr own;       // connector of the part, seen from it: head.L, or L of a module
    SomStr to;        // connector of the design; empty if it has no parts yet
    SomMatingWish mating;
} SomPartAddition;

bool som_design_add_part(SomDesign *design, SomStr config, const SomPartAddition *addition);

// The same part once more with what poses say of it, connected elsewhere.
bool som_design_duplicate_part(SomDesign *design, SomStr config, SomStr part,
                               const SomPartAddition *addition); // its reference does not count

// The same part on the other side of the module it hangs on, as in a mirror.
bool som_design_mirror_part(SomDesign *design, SomStr config, SomStr part, SomStr name);

// Another one under the same name. What is connected and posed must be there, too.
bool som_design_replace_part(SomDesign *design, SomStr config, SomStr part, SomStr reference,
                             SomStr file);

// With its connections and what poses say of it; the base goes to the part it hung on. Behaviors
// and loops that need it, and parts that hang on it, are the reason to refuse, or go with it.
bool som_design_remove_part(SomDesign *design, SomStr config, SomStr part, bool with_all);

// In all places of the file that name it, through parts of other configs, too.
bool som_design_rename_part(SomDesign *design, SomStr config, SomStr part, SomStr name);

// ---- connections

bool som_design_connect(SomDesign *design, SomStr config, SomStr a, SomStr b, SomMatingWish mating);
bool som_design_disconnect(SomDesign *design, SomStr config, SomStr a, SomStr b);

// The connection of a and b becomes one of `new_a` and `new_b`, or the same at another angle: moves
// what hangs on it.
bool som_design_reconnect(SomDesign *design, SomStr config, SomStr a, SomStr b, SomStr new_a,
                          SomStr new_b, SomMatingWish mating);

// ---- poses and the base

// Of a joint, in the convention of the name it is called by; the pose is made if there is none.
bool som_design_set_value(SomDesign *design, SomStr config, SomStr pose, SomStr joint,
                          double value);
// Several at once; none: the pose, if there is none yet, says nothing.
typedef struct SomJointValue {
    SomStr joint;
    double value;
} SomJointValue;

bool som_design_set_values(SomDesign *design, SomStr config, SomStr pose,
                           const SomJointValue *values, int count);
bool som_design_clear_value(SomDesign *design, SomStr config, SomStr pose, SomStr joint);
bool som_design_remove_pose(SomDesign *design, SomStr config, SomStr pose);
// In all places of the file that name it, through parts of other configs, too.
bool som_design_rename_pose(SomDesign *design, SomStr config, SomStr pose, SomStr name);
bool som_design_set_start(SomDesign *design, SomStr config, SomStr pose); // empty: none

typedef struct SomBaseSetting {
    SomStr module; // place; empty: no base is said, of the piece of `piece`
    SomStr piece;  // a module of it; empty: the first piece
    SomStr frame;  // of its type; empty: that of the module
    bool is_on_ground;
    bool is_fixed;
    SomVec3 position; // on the ground only x and y count
    SomVec3 turn;     // roll, pitch, yaw
} SomBaseSetting;

// Of the piece that the module is of.
bool som_design_set_base(SomDesign *design, SomStr config, const SomBaseSetting *base);

// ---- behaviors; behaviors/behavior_edit.h has what is done in them

// In all places of the file that run it, through parts of other configs, too.
bool som_design_rename_behavior(SomDesign *design, SomStr config, SomStr behavior, SomStr name);

// ---- configs

// A new config at the end of the file, with one part.
bool som_design_add_config(SomDesign *design, SomStr name, SomStr reference, SomStr file);
bool som_design_rename_config(SomDesign *design, SomStr config, SomStr name);

#ifdef __cplusplus
}
#endif
