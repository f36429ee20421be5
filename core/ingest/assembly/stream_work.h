// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ingest/kineto/step_filter.h"

namespace rankscope {

/// A piece of work of a stream.
struct StreamWork {
    TimeSpan span;
    std::optional<TimeNs> called_ns = {};  ///< start of the call that launched it, if the file has it
};

/// Which work of a stream is kept for those steps: what was launched in them. Where a piece's own launch is unknown it
/// was launched as the one before it, and on a stream without any launch as it started, as the analysis takes it
/// (core/analysis/device/device_work.h). `work` in order of start.
[[nodiscard]] std::vector<bool> workToKeep(std::span<const StreamWork> work, const WantedSteps& wanted);

/// Adds to `earlier` when that work of a stream of `device` ended which was launched before those steps.
void addEarlier(std::span<const StreamWork> work, std::int32_t device, const WantedSteps& wanted,
                EarlierSteps& earlier);
/// What is known, before any work was added, of the step before those.
[[nodiscard]] EarlierSteps stepBefore(const WantedSteps& wanted);

}  // namespace rankscope
