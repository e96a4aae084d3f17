// exchange/import_internal.h - what the readers of one import share.
//
// A reader gets a file, reports what is wrong with it, and adds `use` lines and configurations to
// the importer:
//
//     bool som_import_conf(SomImporter *importer, const SomImportFile *file);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "exchange/import.h"
#include "exchange/som_text.h"
#include "modules/m3l.h"

// More modules in one import is a diagnostic.
#define SOM_IMPORT_MAX_MODULES 20000

typedef struct SomImportFile {
    SomStr path;
    SomStr text;
    uint32_t source1;
} SomImportFile;

// A module file of the library, read once.
typedef struct SomImportLibraryFile {
    SomStr name;
    SomM3l *m3l; // NULL if it could not be read
} SomImportLibraryFile;

// What moves a robot needs to know of its modules.
typedef struct SomImportModule {
    SomWrittenPlace place;
    double joints[4]; // front, left, right, bend at the start
} SomImportModule;

// A component of a structure.
typedef struct SomImportPart {
    SomStr id;
    int robot; // that it is made from
} SomImportPart;

// A configuration of SMORES modules that was written; behaviors are added to it later.
typedef struct SomImportRobot {
    SomStr config;
    int given;  // its place among the files given; -1: a component that was found
    size_t end; // of its text in `configs`, before the bracket that closes it
    SOM_ARRAY(SomImportModule) modules;
    SOM_ARRAY(SomImportPart) parts;
    SOM_ARRAY(SomStr) names;      // that a behavior must not have
    SOM_ARRAY(SomStr) gaits;      // files that were read, and …
    SOM_ARRAY(SomStr) gait_names; // … the behaviors they became
    SomText behaviors;
} SomImportRobot;

typedef struct SomImporter {
    const SomImportOptions *options;
    const SomStr *paths;    // that were given
    const SomStr *contents; // of files in memory; NULL: they are on the disk
    int path_count;
    SomArena *texts;
    SomDiagnostics *diags;
    bool is_in_memory; // files beside the one given do not exist
    SOM_ARRAY(SomImportLibraryFile) library;
    SOM_ARRAY(SomStr) uses;
    SOM_ARRAY(SomStr) names;             // of configurations, and what else they must not be called
    SOM_ARRAY(SomStr) done;              // files that were read, by themselves or as components
    SOM_ARRAY(SomStr) folders;           // below those to search, listed when they are first needed
    int deep_searches;                   // of them
    SOM_ARRAY(SomStr) plugins, packages; // that were reported
    bool has_noted_more_folders;
    SOM_ARRAY(SomImportRobot) robots;
    SomImportFile design;           // of our own, that trees are added to; no text: none
    SOM_ARRAY(SomImportFile) trees; // behavior trees, which come last
    SomText configs;
    SomText types;                      // M3L: what models became
    SOM_ARRAY(SomStr) type_names;       // and rules
    SOM_ARRAY(SomImportFile) used;      // M3L files that were given, as the text uses them
    const struct SomTimorModule *timor; // the last that was read
    SOM_ARRAY(SomSpan) scaled;          // quaternions: exchange/quaternion.h
    double scaled_length;               // of the first of them
    SomImported *result;
    SomArena arena;
} SomImporter;

// ---- import.c

// A file of library/modules, NULL after a report.
const SomM3l *som_importer_library(SomImporter *importer, SomStr name);
void som_importer_use(SomImporter *importer, SomStr path);

// A name for a configuration that nothing else has: `wanted`, or with a number behind it.
SomStr som_importer_name(SomImporter *importer, SomStr wanted);
void som_importer_reserve(SomImporter *importer, SomStr name);

// A configuration was written: the first one is the default.
void som_importer_count(SomImporter *importer, SomStr name, int modules);

// Loads a file as a source of the diagnostics, in UTF-8. False after a report.
bool som_importer_load(SomImporter *importer, SomStr path, SomImportFile *file);

// A configuration whose bracket is about to be closed. Good until the next one is added.
SomImportRobot *som_importer_add_robot(SomImporter *importer, SomStr config, SomStr path);

// The robot that a file without one is for: the nearest before it on the command line of those that
// have all the modules named ("Component_1:Module_2"), else the first that has. With none, that
// which comes nearest. NULL if there is no robot at all.
SomImportRobot *som_importer_robot_for(SomImporter *importer, const SomImportFile *file,
                                       const SomStr *modules, int count);
int som_import_robot_find(const SomImportRobot *robot, SomStr module); // -1 if there is none

// Reports that the robot has no such module, with the one that was probably meant.
void som_import_robot_report(SomImporter *importer, const SomImportRobot *robot, SomStr module,
                             SomSpan span);

// Adds `behavior NAME = ` to the robot and gives its text, to be ended with a newline.
SomText *som_import_robot_behavior(SomImporter *importer, SomImportRobot *robot, SomStr wanted,
                                   SomStr comment, SomStr *name);

// The same with parameters as they are written, "v: angularSpeed = 90deg/s"; none if empty.
SomText *som_import_robot_behavior_with(SomImporter *importer, SomImportRobot *robot, SomStr wanted,
                                        SomStr parameters, SomStr comment, SomStr *name);

void som_importer_free(SomImporter *importer);

// All of it as text, in canonical form.
void som_importer_print(const SomImporter *importer, SomText *out);

// ---- import_check.c

// Is the text of the result a design without errors? False after a report.
bool som_importer_check(SomImporter *importer);

// ---- import_files.c

// A name for a module type or rule that no other has, and no configuration that was named before.
SomStr som_importer_type_name(SomImporter *importer, SomStr wanted);

// The file that types go to, as `use` names it: that of the text with another ending.
SomStr som_importer_types_name(const SomImporter *importer);

// A file of the result, in a folder of its own: "OUT_meshes/NAME.ply". Its path from the text's.
SomStr som_importer_add_file(SomImporter *importer, SomStr folder, SomStr name, const char *ending,
                             SomStr content);

// The file of module types, if there are any, in canonical form. False after a report.
bool som_importer_finish_types(SomImporter *importer);

// ---- the readers: false after a report

bool som_import_conf(SomImporter *importer, const SomImportFile *file);
bool som_import_urdf(SomImporter *importer, const SomImportFile *file);
bool som_import_struct(SomImporter *importer, const SomImportFile *file);
bool som_import_chain(SomImporter *importer, const SomImportFile *file);
bool som_import_robots(SomImporter *importer, const SomImportFile *file);
bool som_import_gait(SomImporter *importer, const SomImportFile *file);
bool som_import_control(SomImporter *importer, const SomImportFile *file);
bool som_import_table(SomImporter *importer, const SomImportFile *file);
bool som_import_sdf(SomImporter *importer, const SomImportFile *file);
bool som_import_vsparc(SomImporter *importer, const SomImportFile *file);
bool som_import_vsparc_behavior(SomImporter *importer, const SomImportFile *file);
bool som_import_ckbot(SomImporter *importer, const SomImportFile *file);
bool som_import_rofi(SomImporter *importer, const SomImportFile *file);
bool som_import_bt(SomImporter *importer, const SomImportFile *file);
bool som_import_design(SomImporter *importer, const SomImportFile *file);
bool som_import_timor_modules(SomImporter *importer, const SomImportFile *file);
bool som_import_timor_assembly(SomImporter *importer, const SomImportFile *file);

// Where there is no configuration, each module of Timor's sets becomes one.
void som_timor_finish(SomImporter *importer);

bool som_import_hrdf(SomImporter *importer, const SomImportFile *file);

// A robot of HEBI's?
bool som_hrdf_sniff(SomStr text);

// Does the text look like a chain?
bool som_chain_sniff(SomStr text);

// A gait?
bool som_gait_sniff(SomStr text);

// A CKBot robot?
bool som_ckbot_sniff(SomStr text);

// JSON with such keys: a world of RoFI, modules of Timor, or an assembly of them?
struct SomJsonKeys;
bool som_rofi_sniff(const struct SomJsonKeys *keys);
bool som_timor_modules_sniff(const struct SomJsonKeys *keys);
bool som_timor_assembly_sniff(const struct SomJsonKeys *keys);
