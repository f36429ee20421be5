// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/ingest/load.h"

namespace rankscope::test {

/// Loads one file; a failure fails the test with its text and gives an empty trace.
[[nodiscard]] std::shared_ptr<const RankTrace> load(const std::string& path, unsigned threads = 1);
/// The traces of a file's ranks: one, but for merged files.
[[nodiscard]] std::vector<std::shared_ptr<const RankTrace>> loadAllRanks(const std::string& path, unsigned threads = 1);
/// Loads a text as if it were a file.
[[nodiscard]] std::shared_ptr<const RankTrace> loadText(std::string_view text, unsigned threads = 1);
/// Why a text cannot be loaded; empty if it can.
[[nodiscard]] std::string whyNot(std::string_view text);

/// Loads the run at `path` (a file or a folder with one run in it).
[[nodiscard]] std::shared_ptr<const Run> loadRunAt(const std::string& path, const LoadOptions& options = {});

/// The first slice of that name; fails the test where there is none.
[[nodiscard]] SliceRef sliceNamed(const RankTrace& trace, std::string_view name);
/// All slices of streams.
[[nodiscard]] std::vector<SliceRef> deviceSlices(const RankTrace& trace);
/// Names of all slices of a kind of track, in order of the tracks, separated by "|".
[[nodiscard]] std::string sliceNames(const RankTrace& trace, TrackKind kind = TrackKind::CpuThread);

}  // namespace rankscope::test
