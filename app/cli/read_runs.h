// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/cli/command_line.h"
#include "core/analysis/memory/snapshot_facts.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/ingest/load.h"
#include "core/report/reports.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope::cli {

/// A memory snapshot, and its facts.
struct ReadSnapshot {
    MemorySnapshot snapshot;
    SnapshotFacts facts;
};

/// The runs that a request names, read and analysed, and what could not be read.
struct ReadRuns {
    std::vector<AnalysedRun> runs;
    std::vector<Error> unreadable;     ///< paths that no run came out of; files of a run are in Run::unreadable
    std::vector<std::size_t> path_of;  ///< of each run: which of the paths and named runs it came from, from 0
    std::vector<ReadSnapshot> snapshots;

    /// Whether all that was asked for was read whole: no path without a run, no file that could not be read, none that
    /// was cut. What was read is reported all the same; where no finding decides the exit code, it is 4 then, not 0.
    [[nodiscard]] bool complete() const;
    /// For the reports; points into this object.
    [[nodiscard]] ReportInput reportInput() const;
};

/// Puts in the place of each ssh://host/path that the request names to be read a file of this machine with its digests,
/// which are made there and copied here (core/remote/fetch_digests.h). Says on standard error what it is at where that
/// is a terminal, and why a path could not be fetched. Whether all could be.
[[nodiscard]] bool fetchRemotePaths(Request& request);

/// Finds the files that a request names, in order: all paths together, or one by one where they are to be compared,
/// then each run that was named. Reads none of them.
[[nodiscard]] std::vector<Discovery> discover(const Request& request);

/// Reads and analyses what discover() has found for the request. Says on standard error what could not be read, with
/// the file, the byte and the cause.
[[nodiscard]] ReadRuns readRuns(const Request& request, const std::vector<Discovery>& asked);

}  // namespace rankscope::cli
