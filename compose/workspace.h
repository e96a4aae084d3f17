// compose/workspace.h - the files of designs, each read once: texts, trees, module types.
//
//     SomWorkspace *workspace = som_workspace_create(SOM_STR("library"), diags);
//     int file = som_workspace_open(workspace, SOM_STR("walkbot")); // or "designs/mine.som"
//     const SomDesignFile *walkbot = som_workspace_file(workspace, file);
//     for (int i = 0; i < walkbot->config_count; i++) { ... walkbot->configs[i].name ... }
//     som_workspace_destroy(workspace);
//
// Opening a file opens all that it uses, directly or through others. What a file sees: its own
// configs and lets, then those of the files it uses, module types and robots among them, the nearer
// ones first.
//
// `use "x"` means x beside the file that says so, else library/modules/x or library/configs/x. A
// path may lead into folders, but not out of them: absolute ones and ".." are refused, and so are
// symbolic links that lead out of the folders of the files that were opened. Links in the library
// are followed.
//
// Ownership: the workspace owns texts and trees, which diagnostics point into: destroy it after
// they were printed. Configurations borrow module types from it. Everything is reported to the one
// `diags` given at first.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"
#include "compose/joint_class.h"
#include "compose/value.h"

#ifdef __cplusplus
extern "C" {
#endif

// More files, or more bytes in all of them, are a diagnostic.
#define SOM_MAX_FILES 512
#define SOM_MAX_DESIGN_BYTES ((size_t)128 << 20)
#define SOM_MAX_BESIDE_BYTES ((size_t)16 << 20) // of a file that is no design

// What a parameter stands for. Those of configs are values.
typedef enum SomParameterKind {
    SOM_PARAMETER_VALUE,
    SOM_PARAMETER_JOINT,
    SOM_PARAMETER_PART,
} SomParameterKind;

// A parameter of a config or of a behavior.
typedef struct SomParameter {
    SomStr name;
    SomStr type; // the word as written: count, angle, joint; the name of what a part is: Chain3
    SomStr doc;
    SomParameterKind kind;
    bool is_count;     // a whole number from 0
    bool is_condition; // true or false; of inputs only
    bool is_known;     // false if there is no such type, which was reported
    SomDimension dimension;
    SomJointClass joint_class;            // of a joint
    int part_kind, part_file, part_index; // of a part: the definition of its type
    SomNode otherwise;                    // expression of its default; 0 if it must be given
    SomSpan span;
} SomParameter;

typedef struct SomConfigBehavior {
    SomStr name;
    SomStr doc;
    SomStr params_text; // as written, without parentheses
    const SomParameter *params;
    int param_count;
    SomNode node;
    SomSpan span;
} SomConfigBehavior;

// An input that behaviors read, as it is written.
typedef struct SomConfigInput {
    SomParameter parameter; // its name and type
    SomNode node;
    SomNode source; // 0: none
} SomConfigInput;

// A config as it is written.
typedef struct SomConfigInfo {
    SomStr name;
    SomStr doc;
    SomStr module_type; // of `config X is TYPE`; empty if it has parts
    const SomParameter *params;
    int param_count;
    const SomConfigBehavior *behaviors;
    int behavior_count;
    const SomConfigInput *inputs;
    int input_count;
    SomNode node;
    SomNode body; // 0 where the text ends before
    SomSpan span; // of the name
    bool has_error;
} SomConfigInfo;

typedef struct SomDesignFile {
    SomStr path; // as it was found
    SomStr text;
    SomStr doc; // the comment at its start
    uint32_t source1;
    const SomSyntax *tree; // of a .som file, else NULL
    const SomM3l *m3l;     // of an .m3l file, else NULL
    const SomConfigInfo *configs;
    int config_count;
    const int *uses; // files, without those that could not be opened
    int use_count;
    bool has_error;     // in its own text
    bool is_incomplete; // it, or a file it sees, has errors or is missing: names may be unknown
} SomDesignFile;

// `library_root` holds modules/ and configs/; empty: no library. Both are borrowed or copied:
// `diags` must live as long.
SomWorkspace *som_workspace_create(SomStr library_root, SomDiagnostics *diags);
void som_workspace_destroy(SomWorkspace *workspace); // NULL is allowed

SomStr som_workspace_library(const SomWorkspace *workspace); // its root

// Opens a .som or .m3l file, "-" for standard input, or a file of the library by its name: walkbot,
// or if there is no such file, mtran.m3l. Returns the file, which may have errors, or -1 after a
// report.
int som_workspace_open(SomWorkspace *workspace, SomStr path_or_name);

// The same with a text that is not yet on the disk, which is copied; `use` of this path finds it.
// A path is opened once: later texts of it need another workspace.
int som_workspace_open_text(SomWorkspace *workspace, SomStr path, SomStr text);

int som_workspace_file_count(const SomWorkspace *workspace);
const SomDesignFile *som_workspace_file(const SomWorkspace *workspace, int file);
int som_workspace_find_config(const SomWorkspace *workspace, int file, SomStr name); // its own; -1

// Composes every configuration of the file that needs no arguments, and so reports all that is
// wrong with it. True if nothing was.
bool som_workspace_check(SomWorkspace *workspace, int file);

// The same, and gives the configuration of a choice, composed once: NULL after errors, or if the
// choice is "" and there is no config.
bool som_workspace_check_and_compose(SomWorkspace *workspace, int file, SomStr choice,
                                     SomConfiguration **configuration);

// A file that a text names, a table say, in the folder of the file or in one beside it: read once,
// its text lives as long as the workspace. What is wrong with it, to follow its name; NULL:
// nothing.
const char *som_workspace_read_beside(SomWorkspace *workspace, int file, SomStr name, SomStr *text,
                                      uint32_t *source1);

// Whether a file of this path, which a file of the workspace names, may be read: see above.
bool som_workspace_may_read(const SomWorkspace *workspace, SomStr path);

// What to say of one that may not, after its name: "is outside the folders that are read: 'designs'
// and the library".
void som_workspace_print_outside(const SomWorkspace *workspace, SomText *out);

// A file beside a design that is not yet on the disk; the text is copied.
void som_workspace_add_beside(SomWorkspace *workspace, SomStr path, SomStr text);

// The value of a let that the file sees, in its own text or one it uses. False if there is none;
// SOM_VALUE_NONE if something is wrong with it, which is reported.
bool som_workspace_find_let(SomWorkspace *workspace, int file, SomStr name, SomValue *value);

#ifdef __cplusplus
}
#endif
