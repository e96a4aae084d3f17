// benchmarks/peer_lapack.h - the prioritised step with LAPACK's singular values on dense matrices.
//
// The published algorithm, as kind to LAPACK as can be: for each level, dgesdd of its rows in a
// basis of the null space of the levels above, on one core, with rows of zeros left out and all
// memory at hand.
//
//     SomPeerLapack *peer = som_peer_lapack_create(columns, level_count, level_rows);
//     som_peer_lapack_step(peer, jacobian, residuals, &options, dx);
//     som_peer_lapack_destroy(peer);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linkage/priority.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPeerLapack SomPeerLapack;

// Rows come level by level, the most important level first.
SomPeerLapack *som_peer_lapack_create(int columns, int level_count, const int *level_rows);
void som_peer_lapack_destroy(SomPeerLapack *peer);

// `jacobian` holds all rows, column by column. There are no limits.
void som_peer_lapack_step(SomPeerLapack *peer, const double *jacobian, const double *residuals,
                          const SomPriorityOptions *options, double *dx);

#ifdef __cplusplus
}
#endif
