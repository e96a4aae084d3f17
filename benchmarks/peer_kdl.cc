// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/peer_kdl.h"

#include <kdl/chain.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <memory>

struct SomPeerKdl {
    KDL::Chain chain;
    KDL::JntArray start, result;
    std::unique_ptr<KDL::ChainIkSolverPos_LMA> solver;
};

static KDL::Frame frame_of(const SomPose &pose) {
    const double(*m)[3] = pose.rotation.m;
    return KDL::Frame(KDL::Rotation(m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0],
                                    m[2][1], m[2][2]),
                      KDL::Vector(pose.position.x, pose.position.y, pose.position.z));
}

SomPeerKdl *som_peer_kdl_create(const SomPose *after, int count, double tolerance, double weight) {
    auto *peer = new SomPeerKdl;
    for (int i = 0; i < count; i++) {
        peer->chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::RotZ), frame_of(after[i])));
    }
    peer->start.resize((unsigned)count);
    peer->result.resize((unsigned)count);
    Eigen::Matrix<double, 6, 1> weights;
    weights << 1, 1, 1, weight, weight, weight;
    double smallest = weight < 1 ? weight : 1;
    peer->solver =
        std::make_unique<KDL::ChainIkSolverPos_LMA>(peer->chain, weights, smallest * tolerance);
    return peer;
}

void som_peer_kdl_destroy(SomPeerKdl *peer) {
    delete peer;
}

bool som_peer_kdl_solve(SomPeerKdl *peer, SomPose target, const double *start, double *result) {
    for (unsigned i = 0; i < peer->start.rows(); i++) {
        peer->start(i) = start[i];
    }
    int failed = peer->solver->CartToJnt(peer->start, frame_of(target), peer->result);
    for (unsigned i = 0; i < peer->result.rows(); i++) {
        result[i] = peer->result(i);
    }
    return failed == KDL::SolverI::E_NOERROR;
}
