// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace rankscope::test {

// Texts of trace files, changed as other recordings of the same job would differ: for reports from the field whose
// files are not public, rebuilt from the bundled samples.

/// The unpacked text of a file; fails the test if it cannot be read.
[[nodiscard]] std::string unpackedText(const std::filesystem::path& path);
/// The same recorded `seconds` later, with the number of each `ProfilerStep#N` `steps` higher. The text must have a
/// `baseTimeNanoseconds`.
[[nodiscard]] std::string recordedLater(const std::string& text, std::int64_t seconds, std::int64_t steps);
/// The same with all step marks as ranges of the user, which have no number.
[[nodiscard]] std::string withoutStepMarks(const std::string& text);
/// The same without anything that numbers its rank: `distributedInfo`, and the ranks in the args of collectives.
[[nodiscard]] std::string withoutRank(const std::string& text);
/// The same as activities=[CUDA] records it: launches and GPU work, without operators, ranges and Python functions.
[[nodiscard]] std::string withoutOperators(const std::string& text);
/// The same without `host_name`.
[[nodiscard]] std::string withoutHost(const std::string& text);

}  // namespace rankscope::test
