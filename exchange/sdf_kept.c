// SPDX-License-Identifier: Apache-2.0
// What an imported model had and Somite knows nothing of, written back where it stood.

#include "exchange/kept_plugins.h"
#include "exchange/sdf_internal.h"

typedef enum Fate { IN_LINK, IN_SURFACE, SHAPE, SELF_COLLIDE, PLAYER } Fate;

// Kept elements of a surface stand among those of its link: none of a link's has such a name.
static Fate fate_of(const SomXml *xml, int node) {
    static const struct {
        const char *name;
        Fate fate;
    } fates[] = {{"contact", IN_SURFACE}, {"bounce", IN_SURFACE}, {"soft_contact", IN_SURFACE},
                 {"collision", SHAPE},    {"visual", SHAPE},      {"self_collide", SELF_COLLIDE}};
    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++) {
        if (som_str_equal(xml->nodes[node].name, som_str(fates[i].name))) {
            return fates[i].fate;
        }
    }
    return som_kept_is_player(xml, node) ? PLAYER : IN_LINK;
}

// Writes the kept elements of one fate, moved with the frame they stand in, or counts them if there
// is nothing to write to.
static int each_moved(SomXmlWriter *out, SomStr text, Fate fate, SomPose place) {
    SomXmlKept kept = som_xml_kept_read(text);
    int count = 0;
    for (int i = som_xml_kept_first(&kept); i >= 0; i = som_xml_next(kept.xml, i, SOM_STR(""))) {
        if (fate_of(kept.xml, i) == fate) {
            count++;
            SomText moved = {0};
            bool is_moved = out != NULL && som_sdf_move_kept(&kept, i, place, &moved);
            if (out != NULL) {
                som_kept_write(out,
                               is_moved ? som_text_str(&moved) : som_xml_kept_element(&kept, i));
            }
            som_text_free(&moved);
        }
    }
    som_xml_kept_free(&kept);
    return count;
}

static int each_kept(SomXmlWriter *out, SomStr text, Fate fate) {
    return each_moved(out, text, fate, som_pose_identity());
}

static const SomModuleType *only_type(const SomBodyModel *model) {
    const SomConfiguration *c = model->mechanism->configuration;
    return c->module_count == 1 ? c->modules[0].type : NULL;
}

void som_sdf_write_kept(SomXmlWriter *xml, SomStr kept, SomPose place) {
    each_moved(xml, kept, IN_LINK, place);
    each_kept(xml, kept, SELF_COLLIDE);
}

void som_sdf_write_self_collide(SomXmlWriter *xml, const SomSdfDef *def) {
    const SomModuleType *type = only_type(def->model);
    if (type == NULL || each_kept(xml, type->kept.sdf, SELF_COLLIDE) == 0) {
        som_xml_word_element(xml, "self_collide", "true");
    }
}

void som_sdf_write_kept_model(SomXmlWriter *xml, const SomSdfDef *def) {
    const SomModuleType *type = only_type(def->model);
    if (type != NULL) {
        each_kept(xml, type->kept.sdf, IN_LINK);
    }
    if (type != NULL && def->graph == NULL) {
        each_kept(xml, type->kept.sdf, PLAYER);
    }
}

bool som_sdf_has_player(const SomSdfDef *def) {
    const SomModuleType *type = only_type(def->model);
    return def->graph != NULL || (type != NULL && each_kept(NULL, type->kept.sdf, PLAYER) > 0);
}

bool som_sdf_keeps_contacts(const SomBodyModel *model) {
    const SomModuleType *type = only_type(model);
    for (int i = 0; type != NULL && i < type->link_count; i++) {
        if (each_kept(NULL, type->links[i].kept.sdf, IN_SURFACE) > 0) {
            return true;
        }
    }
    return false;
}

void som_sdf_write_kept_surface(SomXmlWriter *xml, SomStr kept) {
    each_kept(xml, kept, IN_SURFACE);
}
