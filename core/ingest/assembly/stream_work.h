// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ingest/kineto/step_filter.h"

namespace rankscope {

/// A piece of work on a stream.
struct StreamWork {
    TimeSpan span;
    std::optional<TimeNs> called_ns = {};  ///< start of the call that launched it, if the file has it
};

/// Which work of a stream to keep for those steps: what was launched in them. Work with an unknown launch counts as
/// launched with the previous one, and on a stream without any launch when it started, as in the analysis
/// (core/analysis/device/device_work.h). `work` in order of start.
[[nodiscard]] std::vector<bool> workToKeep(std::span<const StreamWork> work, const WantedSteps& wanted);

/// Adds to `earlier` when the work on a stream of `device` ended that was launched before those steps.
void addEarlier(std::span<const StreamWork> work, std::int32_t device, const WantedSteps& wanted,
                EarlierSteps& earlier);
/// What is known about the step before those, before any work is added.
[[nodiscard]] EarlierSteps stepBefore(const WantedSteps& wanted);

}  // namespace rankscope
