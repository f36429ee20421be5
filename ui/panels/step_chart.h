// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace rankscope::ui {

/// A chart of the steps that a panel can lead to: where their time went, how long they were, who came late.
enum class StepChart : std::uint8_t { Parts, Lengths, Lateness };

}  // namespace rankscope::ui
