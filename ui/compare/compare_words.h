// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/compare/breakdown.h"
#include "ui/compare/compared_runs.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

// Words and rows that the texts of a comparison share.

/// "A" or "B".
[[nodiscard]] QString nameOf(Side side);

/// A row of three cells, as HTML: of which run, what, how long.
[[nodiscard]] QString tableRow(const QString& side, const QString& what, const QString& length);

/// The causes that took longest: "DataLoader 17.4 ms, launch latency 3 µs".
[[nodiscard]] QString causesText(const CauseTimes& causes);

/// What a device did in a stretch: "compute 3.1 ms, idle 17.4 ms (DataLoader 17.4 ms)"; empty of nothing.
[[nodiscard]] QString partsHtml(const StretchParts& parts, const Theme& theme);

}  // namespace rankscope::ui
