// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tables/table.h"

// The tables of the model, a source file each.
namespace rankscope::tables {

[[nodiscard]] Table runTable();
[[nodiscard]] Table rankTable();
[[nodiscard]] Table trackTable();
[[nodiscard]] Table sliceTable();
[[nodiscard]] Table launchTable();
[[nodiscard]] Table gapTable();
[[nodiscard]] Table gapCauseTable();

}  // namespace rankscope::tables
