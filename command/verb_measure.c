// SPDX-License-Identifier: Apache-2.0
// somite measure SHAPE SIZES… | FILE

#include "base/codes/space_codes.h"
#include "base/file.h"
#include "base/number.h"
#include "command/command.h"
#include "command/inertia_text.h"
#include "command/text_picture.h"

// kg/m^3: water, and about what a small robot is as a whole.
#define DEFAULT_DENSITY 1000.0

#define PICTURE_WIDTH 60

// What is measured: a shape or a mesh.
typedef struct Solid {
    const char *kind;
    SomShape shape; // unless a mesh
    SomMesh mesh;
    bool is_mesh;
    bool is_hull; // the mesh encloses nothing, so its hull is measured
} Solid;

typedef struct ShapeForm {
    SomShapeKind kind;
    int size_count;
    const char *sizes;
} ShapeForm;

static const ShapeForm forms[] = {
    {SOM_SHAPE_BOX, 3, "X Y Z"},
    {SOM_SHAPE_CYLINDER, 2, "RADIUS LENGTH"},
    {SOM_SHAPE_SPHERE, 1, "RADIUS"},
    {SOM_SHAPE_CAPSULE, 2, "RADIUS LENGTH"},
};

static const ShapeForm *find_form(const char *name) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(som_shape_kind_name(forms[i].kind), name) == 0) {
            return &forms[i];
        }
    }
    return NULL;
}

static bool read_sizes(SomCommand *command, const ShapeForm *form, double sizes[3]) {
    if (command->words.count != 1 + form->size_count) {
        som_command_misused(command, "usage: somite measure %s %s", command->words.data[0],
                            form->sizes);
    } else if (som_command_has(command, "scale")) {
        som_command_misused(command, "--scale is for mesh files");
    } else {
        for (int i = 0; i < form->size_count; i++) {
            const char *word = command->words.data[1 + i];
            if (!som_number_parse(som_str(word), &sizes[i])) {
                som_command_misused(command, "'%s' is not a number", word);
            }
        }
    }
    return command->usage_errors == 0;
}

static bool make_shape(SomCommand *command, const ShapeForm *form, Solid *solid) {
    double sizes[3] = {0};
    if (!read_sizes(command, form, sizes)) {
        return false;
    }
    SomSpan none = {0};
    solid->kind = som_shape_kind_name(form->kind);
    switch (form->kind) {
    case SOM_SHAPE_BOX:
        return som_shape_box(&solid->shape, som_vec3(sizes[0], sizes[1], sizes[2]), none,
                             command->diags);
    case SOM_SHAPE_CYLINDER:
        return som_shape_cylinder(&solid->shape, sizes[0], sizes[1], none, command->diags);
    case SOM_SHAPE_SPHERE:
        return som_shape_sphere(&solid->shape, sizes[0], none, command->diags);
    case SOM_SHAPE_CAPSULE:
        return som_shape_capsule(&solid->shape, sizes[0], sizes[1], none, command->diags);
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return false;
}

static bool load_mesh(SomCommand *command, Solid *solid) {
    if (command->words.count != 1) {
        som_command_misused(command, "usage: somite measure %s", command->verb->usage);
        return false;
    }
    SomMeshOptions options = {.scale = som_command_number(command, "scale", 1)};
    solid->kind = "mesh";
    solid->is_mesh = true;
    return som_file_can_load(command->words.data[0], command->diags) &&
           som_mesh_load(command->words.data[0], &options, &solid->mesh, command->diags);
}

// At density 1, so that its mass is the volume.
static bool inertia_of(SomCommand *command, Solid *solid, SomInertia *inertia) {
    if (solid->is_mesh) {
        SomStr name = som_str(command->words.data[0]);
        if (!som_mesh_inertia(&solid->mesh, name, 1, (SomSpan){0}, inertia, command->diags)) {
            return false;
        }
        solid->is_hull = som_diagnostics_has(command->diags, SOM_MESH_NOT_SOLID);
        return true;
    }
    *inertia = som_shape_inertia(&solid->shape, 1);
    return true;
}

static SomBounds bounds_of(const Solid *solid) {
    if (!solid->is_mesh) {
        return som_shape_bounds(&solid->shape, som_pose_identity());
    }
    return som_mesh_bounds(&solid->mesh);
}

static void print(SomCommand *command, const Solid *solid, SomInertia inertia, double volume) {
    SomText *out = &command->out;
    SomBounds bounds = bounds_of(solid);
    som_text_printf(out, "%s", solid->kind);
    if (solid->is_mesh) {
        som_text_printf(out, " of %d triangles, measured as the %s", solid->mesh.triangle_count,
                        solid->is_hull ? "hull round it" : "solid inside it");
    }
    som_text_add_char(out, '\n', 1);
    som_text_inertia(out, bounds, volume, inertia);
    if (!som_command_has(command, "no-picture")) {
        som_text_add_char(out, '\n', 1);
        if (solid->is_mesh) {
            som_text_picture_mesh(&solid->mesh, PICTURE_WIDTH, out);
        } else {
            som_text_picture_shape(&solid->shape, PICTURE_WIDTH, out);
        }
    }
}

static void write_vec3(SomJsonWriter *json, SomStr key, SomVec3 v) {
    som_json_key(json, key);
    som_json_numbers(json, (const double[]){v.x, v.y, v.z}, 3);
}

static void write(SomCommand *command, const Solid *solid, SomInertia inertia, double volume) {
    SomJsonWriter *json = &command->json;
    SomBounds bounds = bounds_of(solid);
    som_json_member_string(json, "kind", som_str(solid->kind));
    if (solid->is_mesh) {
        som_json_member_integer(json, "triangles", solid->mesh.triangle_count);
        som_json_member_string(json, "measured",
                               solid->is_hull ? SOM_STR("hull") : SOM_STR("solid"));
    }
    write_vec3(json, SOM_STR("low"), bounds.low);
    write_vec3(json, SOM_STR("high"), bounds.high);
    som_json_member_number(json, "volume", volume);
    som_json_member_number(json, "mass", inertia.mass);
    write_vec3(json, SOM_STR("center"), inertia.center);
    som_json_key(json, SOM_STR("inertia"));
    som_json_open_array(json);
    for (int i = 0; i < 3; i++) {
        som_json_numbers(json, inertia.moments.m[i], 3);
    }
    som_json_close_array(json);
    SomPrincipal principal = som_inertia_principal(inertia);
    som_json_key(json, SOM_STR("principal_moments"));
    som_json_numbers(json, principal.moments, 3);
}

// The mass asked for, by --mass or --density.
static double read_mass(const SomCommand *command, double volume) {
    double density = som_command_number(command, "density", DEFAULT_DENSITY);
    return som_command_number(command, "mass", density * volume);
}

static void run_measure(SomCommand *command) {
    Solid solid = {0};
    SomInertia inertia;
    const ShapeForm *form = find_form(command->words.data[0]);
    if (form != NULL && som_command_has(command, "scale")) {
        som_command_misused(command, "--scale is for mesh files; sizes of a %s are in metres",
                            command->words.data[0]);
        return;
    }
    bool made = form != NULL ? make_shape(command, form, &solid) : load_mesh(command, &solid);
    if (made && inertia_of(command, &solid, &inertia)) {
        double volume = inertia.mass;
        inertia = som_inertia_with_mass(inertia, read_mass(command, volume));
        (command->wants_json ? write : print)(command, &solid, inertia, volume);
    }
    som_mesh_free(&solid.mesh);
}

static const SomOption options[] = {
    {.name = "density",
     .value = "KG/M3",
     .help = "density of the solid (default: 1000)",
     .kind = SOM_TAKES_NUMBER,
     .low = 1e-12,
     .high = 1e12,
     .excludes = "mass"},
    {.name = "mass",
     .value = "KG",
     .help = "total mass, instead of a density",
     .kind = SOM_TAKES_NUMBER,
     .low = 1e-12,
     .high = 1e12},
    {.name = "scale",
     .value = "M",
     .help = "metres per unit of a mesh file, on top of a unit it states; 0.001 for mm",
     .kind = SOM_TAKES_NUMBER,
     .low = 1e-12,
     .high = 1e12},
    {.name = "no-picture", .help = "numbers only"},
    {0},
};

const SomVerb som_verb_measure = {
    .name = "measure",
    .usage = "FILE | box X Y Z | cylinder R L | sphere R | capsule R L",
    .summary = "volume, centre of mass and inertia of a mesh file or a shape",
    .help =
        "Gives the volume, centre of mass and moments of inertia of a solid of one density, and\n"
        "draws it. Sizes are in metres; a cylinder and a capsule stand along z, and the length\n"
        "of a capsule is that of its straight part. Mesh files: .stl .obj .dae .gltf .glb .ply\n"
        ".wrl.\n"
        "Moments are about the centre of mass, along the axes of the file; Ixy, Ixz and Iyz are "
        "the\n"
        "entries of the inertia matrix, as SDF and URDF take them.\n\n"
        "  somite measure box 0.1 0.1 0.08 --mass 0.31\n"
        "  somite measure wheel.stl --scale 0.001 --density 1240\n",
    .min_words = 1,
    .max_words = 4,
    .has_json = true,
    .options = options,
    .run = run_measure,
};
