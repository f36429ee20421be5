// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankscope::test {

/// A complete event as Kineto writes it; `ts` and `dur` are microseconds as text.
struct EventLine {
    std::string category = "cpu_op";
    std::string name = "aten::add";
    std::string pid = "100";
    std::string tid = "100";
    std::string ts = "10";
    std::string dur = "5";
    std::string args;  ///< inside of the braces; empty: no args
};

/// An event of this name, else as EventLine() is.
[[nodiscard]] EventLine named(std::string name);

[[nodiscard]] std::string eventJson(const EventLine& event);
/// A whole trace file around events that are already JSON. `header` are further top-level keys, each with its comma.
[[nodiscard]] std::string traceJson(const std::vector<std::string>& events, std::string_view header = "");

/// A trace of one rank of four with this many events, "op 7919 of rank 3" the second.
[[nodiscard]] std::string traceOfRank(int rank, int events = 200);

}  // namespace rankscope::test
