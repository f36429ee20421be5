// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>
#include <optional>

namespace rankscope::bench {

/// What one measurement came to: seconds, bytes or counts, as the one who measures orders them.
using Figures = std::array<double, 8>;

/// Measures in a process of its own, so that memory starts from nothing, and ends it after `limit_s` seconds. Nothing
/// where it took longer, or crashed.
[[nodiscard]] std::optional<Figures> inChild(unsigned limit_s, const std::function<Figures()>& measure);

/// Processor seconds of this process, on all its threads: what a clock shows, but for the machine's other work.
[[nodiscard]] double processorSeconds();

}  // namespace rankscope::bench
