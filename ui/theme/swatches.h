// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <cstdint>
#include <optional>

#include "core/analysis/parallelism/role.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// What a step's time is made of. Each has one colour, in bars, charts, tables and the legend alike.
enum class Swatch : std::uint8_t {
    Compute,        ///< kernels other than communication
    Communication,  ///< transfers, and communication as a whole where it is not divided
    Waiting,        ///< inside a collective, for a rank that comes later: communication, faded
    Unsplit,        ///< communication that cannot be divided into the two: darker
    Copy,           ///< copies and memsets
    Idle,           ///< nothing runs on the device
};

/// The colour of a part of a step's time on a theme.
[[nodiscard]] QColor colourOf(Swatch swatch, const Theme& theme);
/// The colour of what process groups of a role do; grey for those whose role cannot be told.
[[nodiscard]] QColor colourOf(std::optional<Role> role, const Theme& theme);

}  // namespace rankscope::ui
