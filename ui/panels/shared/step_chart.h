// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace rankscope::ui {

/// A picture of the steps that a panel can lead to: the critical path of all counted steps, their lengths, or the late
/// ranks.
enum class StepChart : std::uint8_t { Path, Lengths, Lateness };

}  // namespace rankscope::ui
