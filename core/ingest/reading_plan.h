// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "core/ingest/load.h"
#include "core/trace/chosen_steps.h"

namespace rankscope {

/// How to read a run so that it does not take more memory than allowed.
struct ReadingPlan {
    LoadOptions options;
    std::shared_ptr<const ChosenSteps> chosen;  ///< null if all that was asked for is read
};

/// How much memory reading and analysing may take by default: RANKSCOPE_MEMORY in GB (1e9 bytes), else half of what the
/// system has available now (MemAvailable of /proc/meminfo). Nothing if both are unknown.
[[nodiscard]] std::optional<std::uint64_t> defaultMemory();

/// Whether all that is asked for fits into LoadOptions::memory_bytes, estimated from the tables of the digests, and
/// which steps to read in full if it does not (core/digest/choose_steps.h). A source with anything but digests is not
/// estimated, and steps that were asked for are read whatever they take. Fails if not even one step fits.
[[nodiscard]] Result<ReadingPlan> planReading(const RunSource& source, const LoadOptions& options);

}  // namespace rankscope
