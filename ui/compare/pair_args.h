// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// An argument in which two events differ, word for word as their files have it; empty where an event has none.
struct ArgDifference {
    std::string key;
    std::string a;
    std::string b;
    friend bool operator==(const ArgDifference&, const ArgDifference&) = default;
};

/// The arguments in which two events differ, in the order of A's, then what only B has. Those that only say which event
/// it is (its correlation, its sequence number, its stream) are left out: they differ in any two.
[[nodiscard]] std::vector<ArgDifference> differingArgs(std::string_view event_a, std::string_view event_b);

/// The JSON text of two events, word for word, as far as their files could be read.
struct PairEvents {
    Result<std::string> a;
    Result<std::string> b;
};

/// The same as a table, that nothing differs, or why an event cannot be read back.
[[nodiscard]] QString pairArgsHtml(const PairEvents& events, const Theme& theme);

}  // namespace rankscope::ui
