// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "core/ingest/load.h"
#include "core/trace/chosen_steps.h"

namespace rankscope {

/// How to read a run within the allowed memory.
struct ReadingPlan {
    LoadOptions options;
    std::shared_ptr<const ChosenSteps> chosen;  ///< null if everything requested is read
};

/// The default memory for reading and analysing: RANKSCOPE_MEMORY in GB (1e9 bytes), else half of what the system has
/// available now (MemAvailable of /proc/meminfo). Nothing if both are unknown.
[[nodiscard]] std::optional<std::uint64_t> defaultMemory();

/// Whether everything requested fits into LoadOptions::memory_bytes, estimated from the tables of the digests, and
/// which steps to read in full if it does not (core/digest/choose_steps.h). A source with anything but digests is not
/// estimated, and requested steps are read regardless of their memory. Fails if not even one step fits.
[[nodiscard]] Result<ReadingPlan> planReading(const RunSource& source, const LoadOptions& options);

}  // namespace rankscope
