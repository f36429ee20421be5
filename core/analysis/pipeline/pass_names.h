// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/trace/category.h"

namespace rankscope {

/// What a name says about a pass.
struct PassName {
    PassKind kind = PassKind::Forward;
    std::int32_t stage = -1;        ///< -1 if the name does not contain it
    std::int32_t micro_batch = -1;  ///< -1 if the name does not contain it
    friend bool operator==(const PassName&, const PassName&) = default;
};

/// The passes that a range of a schedule runs, in the notation of torch.distributed.pipelining: one for "PP:2F5" and
/// "2B5" (stage, letter, micro-batch; I is the gradient of the input, W that of the weights), two for
/// "(0F1;1B0)OVERLAP_F_B". None for other names, including sends, receives and reductions.
[[nodiscard]] std::vector<PassName> passesOfAction(std::string_view name);

/// The pass of "Forward 5" and "Backward 5", the names in torch's schedules with one stage per rank; nothing for other
/// names.
[[nodiscard]] std::optional<PassName> numberedPass(std::string_view name);

/// The pass of a range or Python function of this name, of which only the kind is known: Megatron's `forward_step` and
/// `backward_step`, DeepSpeed's `_exec_forward_pass`, ranges that people named after a phase. Nothing for other names.
[[nodiscard]] std::optional<PassName> plainPass(std::string_view name, Category category);

/// The passes in a name, by the given source (Actions, Numbers or Ranges); none if the name has none.
[[nodiscard]] std::vector<PassName> passesOfName(PassSource source, std::string_view name, Category category);

}  // namespace rankscope
