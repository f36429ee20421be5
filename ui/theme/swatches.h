// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <cstdint>
#include <optional>

#include "core/analysis/memory/memory_part.h"
#include "core/analysis/parallelism/role.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// What a step's time is made of. Each has one colour, in bars, charts, tables and the legend alike.
enum class Swatch : std::uint8_t {
    Compute,        ///< kernels other than communication
    Communication,  ///< transfers, and communication as a whole where it is not divided
    Waiting,        ///< inside a collective, for a rank that comes later: communication, faded
    Unsplit,        ///< communication that cannot be divided into the two: stronger
    Copy,           ///< copies and memsets
    Idle,           ///< nothing runs on the device
};

/// Memory of a device that no tensor has.
enum class FreeMemory : std::uint8_t {
    Stuck,     ///< free beside what is in use: it cannot be given back
    Cache,     ///< in the allocator's hands
    Segments,  ///< in the allocator's hands, in segments of which nothing is in use
    Untold,    ///< in the allocator's hands, and nothing says as what
    Left,      ///< the allocator does not have it
};

/// The colour of a part of a step's time on a theme.
[[nodiscard]] QColor colourOf(Swatch swatch, const Theme& theme);
/// The colour of what process groups of a role do; grey if the role is unknown.
[[nodiscard]] QColor colourOf(std::optional<Role> role, const Theme& theme);

/// The colour of what memory is for.
[[nodiscard]] QColor colourOf(MemoryPart part, const Theme& theme);
[[nodiscard]] QColor colourOf(FreeMemory free, const Theme& theme);

}  // namespace rankscope::ui
