// SPDX-License-Identifier: Apache-2.0
#include "studio/joint_item.h"

#include "base/number.h"
#include "space/trigonometry.h"
#include "studio/widgets.h"

#include <math.h>

// What a joint without limits is moved by, on the screen: degrees and millimetres.
#define FULL_TURN 360.0
#define FULL_SLIDE 1000.0

// Digits of limits for people.
#define DIGITS 5

G_DEFINE_FINAL_TYPE(SomJointItem, som_joint_item, G_TYPE_OBJECT)

static void finalize(GObject *object) {
    SomJointItem *item = SOM_JOINT_ITEM(object);
    g_free(item->place);
    g_free(item->name);
    g_free(item->words);
    G_OBJECT_CLASS(som_joint_item_parent_class)->finalize(object);
}

static void som_joint_item_class_init(SomJointItemClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
}

static void som_joint_item_init(SomJointItem *item) {
    (void)item;
}

double som_joint_item_to_screen(const SomJointItem *item, double value) {
    return item->slides ? value * 1000 : value * 180 / SOM_PI;
}

double som_joint_item_from_screen(const SomJointItem *item, double shown) {
    return item->slides ? shown / 1000 : shown * SOM_PI / 180;
}

const char *som_joint_item_unit(const SomJointItem *item) {
    return item->slides ? "mm" : "°";
}

static void print_words(const SomJointItem *item, const SomModuleJoint *joint, SomText *out) {
    if (item->has_limits) {
        const char *gap = item->slides ? " " : "";
        som_text_rounded(out, item->low, DIGITS);
        som_text_printf(out, "%s%s to ", gap, som_joint_item_unit(item));
        som_text_rounded(out, item->high, DIGITS);
        som_text_printf(out, "%s%s", gap, som_joint_item_unit(item));
    } else {
        som_text_add(out, SOM_STR("Without limits"));
    }
    for (int i = 0; i < joint->alias_count; i++) {
        const SomAlias *alias = &joint->aliases[i];
        bool differs = alias->sign != 1 || alias->zero != 0;
        som_text_printf(out, "%s%.*s%s", i == 0 ? "; also called " : ", ", SOM_STR_ARG(alias->name),
                        !differs          ? ""
                        : alias->sign < 0 ? " (counts the other way)"
                                          : " (counts from another zero)");
    }
}

static SomJointItem *make(const SomConfiguration *configuration, int part, int dof) {
    const SomModuleJoint *joint = som_configuration_joint(configuration, dof);
    SomStr place = configuration->dofs[dof].path;
    SomStr around = configuration->parts[part].path;
    size_t skip = around.length > 0 ? around.length + 1 : 0; // with the dot
    SomJointItem *item = g_object_new(SOM_TYPE_JOINT_ITEM, NULL);
    item->dof = dof;
    item->slides = joint->type == SOM_JOINT_PRISMATIC;
    item->has_limits = isfinite(joint->low) || isfinite(joint->high);
    double full = item->slides ? FULL_SLIDE : FULL_TURN;
    item->low = isfinite(joint->low) ? som_joint_item_to_screen(item, joint->low) : -full;
    item->high = isfinite(joint->high) ? som_joint_item_to_screen(item, joint->high) : full;
    item->place = som_c_string(place);
    item->name = g_strndup(place.data + skip, place.length - skip);
    SomText words = {0};
    print_words(item, joint, &words);
    item->words = g_strdup(words.data);
    som_text_free(&words);
    return item;
}

GListStore *som_joint_list_of(const SomConfiguration *configuration, int part) {
    GPtrArray *items = g_ptr_array_new_with_free_func(g_object_unref);
    const SomPart *p = &configuration->parts[part];
    for (int i = 0; i < p->dof_count; i++) {
        g_ptr_array_add(items, make(configuration, part, p->first_dof + i));
    }
    GListStore *list = g_list_store_new(SOM_TYPE_JOINT_ITEM);
    g_list_store_splice(list, 0, 0, items->pdata, items->len);
    g_ptr_array_unref(items);
    return list;
}
