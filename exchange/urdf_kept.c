// SPDX-License-Identifier: Apache-2.0
// What an imported URDF had and Somite knows nothing of, written back where it stood, with the
// names that links and joints have now.

#include "exchange/kept_plugins.h"
#include "exchange/sdf_internal.h"
#include "exchange/urdf_internal.h"
#include "exchange/xml_kept.h"

typedef enum Names { NO_NAME, LINK_NAME, JOINT_NAME, ANY_NAME } Names;

typedef struct Keeper {
    const SomBodyModel *model;
    int module;
    const SomXmlKept *kept;
    SomText text; // of an element, with its names
    uint32_t at;  // up to where the element is in it
    int renamed;  // names in it that are of the module
} Keeper;

// ---- names

// Of the mechanism; -1 if the module has none of that name.
static int find_link(const Keeper *q, SomStr name) {
    const SomMechanism *m = q->model->mechanism;
    int link = som_module_type_find_link(m->configuration->modules[q->module].type, name);
    return link >= 0 ? m->first_link[q->module] + link : -1;
}

static SomStr link_name(const Keeper *q, SomStr name) {
    int link = find_link(q, name);
    return link >= 0 ? q->model->bodies[q->model->body_of[link]].name : (SomStr){"", 0};
}

static SomStr joint_name(const Keeper *q, SomStr name) {
    const SomMechanism *m = q->model->mechanism;
    const SomModuleType *type = m->configuration->modules[q->module].type;
    int found = som_module_type_find_joint(type, name, NULL);
    for (int i = 0; found >= 0 && i < q->model->joint_count; i++) {
        const SomBodyJoint *joint = &q->model->joints[i];
        if (joint->joint == &type->joints[found] &&
            m->links[q->model->bodies[joint->child].link].module == q->module) {
            return joint->name;
        }
    }
    return (SomStr){"", 0};
}

// Writes all up to a name, then the name that it has now.
static void rename_at(Keeper *q, Names kind, SomStr name, SomSpan span) {
    SomStr now = {"", 0};
    if (kind == LINK_NAME || kind == ANY_NAME) {
        now = link_name(q, name);
    }
    if ((kind == JOINT_NAME || kind == ANY_NAME) && now.length == 0) {
        now = joint_name(q, name);
    }
    if (now.length > 0) {
        som_text_add(&q->text, som_str_slice(som_text_str(&q->kept->text), q->at, span.begin));
        som_text_add(&q->text, now);
        q->at = span.end;
        q->renamed++;
    }
}

static Names kind_of(SomStr word) {
    return som_str_equal(word, SOM_STR("link"))    ? LINK_NAME
           : som_str_equal(word, SOM_STR("joint")) ? JOINT_NAME
                                                   : NO_NAME;
}

static void rename_in(Keeper *q, int node) {
    const SomXml *xml = q->kept->xml;
    const SomXmlNode *element = &xml->nodes[node];
    for (int i = 0; i < element->attribute_count; i++) {
        const SomXmlAttribute *a = &xml->attributes[element->first_attribute + i];
        bool is_own = som_str_equal(a->name, SOM_STR("name"));
        Names kind = som_str_equal(a->name, SOM_STR("reference"))
                         ? ANY_NAME
                         : kind_of(is_own ? element->name : a->name);
        rename_at(q, kind, a->value, a->span);
    }
    if (element->first_child < 0 && element->text.length > 0) {
        rename_at(q, kind_of(element->name), element->text, element->text_span);
    }
}

// A sensor in <gazebo reference="LINK"> stands in the frame of its link, which may be part of
// another now. Writes it with its pose in that, if so.
static void move_at(Keeper *q, int node) {
    const SomXml *xml = q->kept->xml;
    int block = xml->nodes[node].parent;
    int link = block >= 0 && som_str_equal(xml->nodes[block].name, SOM_STR("gazebo"))
                   ? find_link(q, som_xml_attribute(xml, block, SOM_STR("reference")))
                   : -1;
    if (link < 0) {
        return;
    }
    SomPose own =
        som_pose_compose(q->model->link_pose[link], q->model->mechanism->links[link].link->frame);
    SomText moved = {0};
    if (som_sdf_move_kept(q->kept, node, som_urdf_in_link(q->model, q->model->body_of[link], own),
                          &moved)) {
        SomSpan whole = xml->nodes[node].whole;
        som_text_add(&q->text, som_str_slice(som_text_str(&q->kept->text), q->at, whole.begin));
        som_text_add(&q->text, som_text_str(&moved));
        q->at = whole.end;
    }
    som_text_free(&moved);
}

// An element into `text`. Nodes stand in the order of the text, those in it behind it.
static void rename_element(Keeper *q, int node) {
    const SomXml *xml = q->kept->xml;
    SomSpan whole = xml->nodes[node].whole;
    som_text_clear(&q->text);
    q->at = whole.begin;
    q->renamed = 0;
    for (int i = node; i < xml->node_count && xml->nodes[i].whole.begin < whole.end; i++) {
        if (xml->nodes[i].whole.begin >= q->at) { // not in one that is written
            move_at(q, i);
        }
        if (xml->nodes[i].whole.begin >= q->at) {
            rename_in(q, i);
        }
    }
    som_text_add(&q->text, som_str_slice(som_text_str(&q->kept->text), q->at, whole.end));
}

// ---- where it stood

// `is_again`: what names nothing of the module has been written.
static void write_kept(const SomBodyModel *model, int module, SomStr text, bool is_again,
                       SomXmlWriter *xml) {
    SomXmlKept kept = som_xml_kept_read(text);
    Keeper q = {.model = model, .module = module, .kept = &kept};
    for (int i = som_xml_kept_first(&kept); i >= 0; i = som_xml_next(kept.xml, i, SOM_STR(""))) {
        rename_element(&q, i);
        if (q.renamed > 0 || !is_again) {
            som_kept_write(xml, som_text_str(&q.text));
        }
    }
    som_text_free(&q.text);
    som_xml_kept_free(&kept);
}

void som_urdf_write_kept_of_link(const SomBodyModel *model, int body, SomXmlWriter *xml) {
    const SomMechanism *m = model->mechanism;
    for (int i = 0; i < m->link_count; i++) {
        if (model->body_of[i] == body) {
            write_kept(model, m->links[i].module, m->links[i].link->kept.urdf, false, xml);
        }
    }
}

void som_urdf_write_kept_of_joint(const SomBodyModel *model, const SomBodyJoint *joint,
                                  SomXmlWriter *xml) {
    int module = model->mechanism->links[model->bodies[joint->child].link].module;
    if (joint->joint != NULL) {
        write_kept(model, module, joint->joint->kept.urdf, false, xml);
    }
}

void som_urdf_write_kept(const SomBodyModel *model, SomXmlWriter *xml) {
    const SomConfiguration *c = model->mechanism->configuration;
    for (int i = 0; i < c->module_count; i++) {
        const SomModuleType *type = c->modules[i].type;
        bool is_again = false;
        for (int k = 0; k < i && type->kept.urdf.length > 0 && !is_again; k++) {
            is_again = c->modules[k].type == type;
        }
        write_kept(model, i, type->kept.urdf, is_again, xml);
    }
}
