// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/trace/category.h"

namespace rankscope {

/// What a name says of a pass.
struct PassName {
    PassKind kind = PassKind::Forward;
    std::int32_t stage = -1;        ///< -1 if it does not say
    std::int32_t micro_batch = -1;  ///< -1 if it does not say
    friend bool operator==(const PassName&, const PassName&) = default;
};

/// The passes that a range of a schedule runs, as torch.distributed.pipelining names them: one for "PP:2F5" and "2B5"
/// (stage, letter, micro-batch; I is the gradient of the input, W that of the weights), two for "(0F1;1B0)OVERLAP_F_B".
/// None for other names, sends, receives and reductions among them.
[[nodiscard]] std::vector<PassName> passesOfAction(std::string_view name);

/// The pass of "Forward 5" and "Backward 5", as torch's schedules of one stage a rank name them; nothing for other
/// names.
[[nodiscard]] std::optional<PassName> numberedPass(std::string_view name);

/// The pass that a range or a Python function of this name is, known by its kind alone: Megatron's `forward_step` and
/// `backward_step`, DeepSpeed's `_exec_forward_pass`, ranges that people named for a phase. Nothing for other names.
[[nodiscard]] std::optional<PassName> plainPass(std::string_view name, Category category);

/// The passes that a name says, by what passes are known (Actions, Numbers or Ranges); none where it says nothing.
[[nodiscard]] std::vector<PassName> passesOfName(PassSource source, std::string_view name, Category category);

}  // namespace rankscope
