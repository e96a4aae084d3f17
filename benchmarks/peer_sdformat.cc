// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/peer_formats.h"

#include <sdf/Model.hh>
#include <sdf/Root.hh>

int som_peer_sdformat_read(const char *text) {
    sdf::Root root;
    sdf::Errors errors = root.LoadSdfString(text);
    return errors.empty() && root.Model() != nullptr ? (int)root.Model()->LinkCount() : -1;
}
