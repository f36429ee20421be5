// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ingest/load.h"

namespace rankscope {

/// Whether the file is a digest, by its first bytes; not where it cannot be opened, which shows itself later.
[[nodiscard]] bool holdsDigest(const FileSource& file);

}  // namespace rankscope
