// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/peer_formats.h"

#include <urdf_parser/urdf_parser.h>

int som_peer_urdfdom_read(const char *text) {
    urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(text);
    return model ? (int)model->links_.size() : -1;
}
