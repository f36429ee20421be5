// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/ingest/pickle/pickle_data.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope {

/// The snapshot in a pickle: a dict with `segments`, or only the list of segments. Each part is visited once: a pickle
/// in which segments, blocks or entries share a value, or contain themselves, is refused. Linear in the pickle.
[[nodiscard]] Result<MemorySnapshot> buildSnapshot(PickleData data, const std::string& path);

}  // namespace rankscope
