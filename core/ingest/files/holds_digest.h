// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ingest/load.h"

namespace rankscope {

/// Whether the file is a digest, by its first bytes; false if it cannot be opened, which a later read reports.
[[nodiscard]] bool holdsDigest(const FileSource& file);

}  // namespace rankscope
