// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/device/name_rules.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

class HostNames;

/// What a piece of device work is for (design 4.1). WorkClass::None for everything else.
enum class WorkClass : std::uint8_t { None, Compute, Communication, Copy };

/// The class as in the JSON report and the tables: "compute", "communication", "copy" or "none".
[[nodiscard]] std::string_view workClassName(WorkClass c);

/// The class of every slice of one rank: [track][slice]; the inner vector is empty for tracks without device work.
using WorkClasses = std::vector<std::vector<WorkClass>>;

/// Classifies device work: by category first (copies are Copy, memsets are Compute), then for kernels by the
/// collective args, by the launching `record_param_comms` or `nccl:*` op, then by the name rules. Never by stream.
[[nodiscard]] WorkClasses classifyWork(const RankTrace& rank, const HostNames& names, const NameRules& rules);

}  // namespace rankscope
