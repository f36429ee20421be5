// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/rank_context.h"

namespace rankscope {

/// What DDP's map of used parameters adds to one step of one rank. With find_unused_parameters=True, each rank copies a
/// map to its device (`Reducer::all_reduce_local_used_map`), and an all-reduce sums the maps of all ranks. A rank that
/// left a parameter unused copies the sum back and waits for it (`Reducer::finalize_bucket_dense`).
struct UsedMap {
    RankStepPosition step;         ///< the step that it was launched in
    std::vector<SliceRef> device;  ///< the copies and the kernels of the all-reduce
    std::vector<SliceRef> host;    ///< their outermost operators, or the bare calls: disjoint, by start
};

/// The maps of a rank, by step. In a step in which DDP searched for unused parameters, a map is an all-reduce of
/// integers (dtype Int). If types were not recorded, it is the last all-reduce of the step, if the device work that its
/// thread launched just before it copies to the device.
[[nodiscard]] std::vector<UsedMap> findUsedMaps(const RankContext& work);

/// The outermost operator of the collective that a launch belongs to (c10d's, else record_param_comms, else the
/// `nccl:*` range); invalid if none is recorded around it.
[[nodiscard]] SliceRef collectiveAround(const RankContext& work, SliceRef launch);

}  // namespace rankscope
