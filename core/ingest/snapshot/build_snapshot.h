// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/ingest/snapshot/pickle_data.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope {

/// The snapshot that a pickle holds: a dict with `segments`, or the list of segments alone. Each part is visited once:
/// a pickle in which two segments, blocks or entries are one and the same value, or stand in themselves, is refused.
/// Linear in the pickle.
[[nodiscard]] Result<MemorySnapshot> buildSnapshot(PickleData data, const std::string& path);

}  // namespace rankscope
