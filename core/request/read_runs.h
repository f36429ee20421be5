// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "core/analysis/memory/snapshot_facts.h"
#include "core/base/result.h"
#include "core/companions/companions.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/ingest/load.h"
#include "core/report/reports.h"
#include "core/request/run_request.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope {

/// A memory snapshot, and its facts.
struct ReadSnapshot {
    MemorySnapshot snapshot;
    SnapshotFacts facts;
};

/// The runs that a request names, read and analysed, and what could not be read.
struct ReadRuns {
    std::vector<AnalysedRun> runs;
    std::vector<Error> unreadable;     ///< paths without a run; unreadable files of a run are in Run::unreadable
    std::vector<std::size_t> path_of;  ///< of each run: which of the paths and named runs it came from, from 0
    std::vector<ReadSnapshot> snapshots;
    JobCompanions companions;  ///< logs and dumps of the runs' job, from readCompanions()

    /// Whether everything was read completely: no path without a run, no file or companion that could not be read, none
    /// that was cut. What was read can be used all the same.
    [[nodiscard]] bool complete() const;
    /// For the reports; points into this object.
    [[nodiscard]] ReportInput reportInput() const;
};

/// Replaces each ssh://host/path of the request by files of this machine: its digests and, of paths that are opened
/// together, its companions, which are made there and copied here (core/remote/fetch_digests.h). Returns false if one
/// could not be fetched; the observer has the reason.
[[nodiscard]] bool fetchRemotePaths(RunRequest& request, RequestObserver& observer, const std::stop_token& stop = {});

/// Finds the files that a request names, in order: all paths together, or one by one (PathsAre), then each named run.
/// Reads none of them completely.
[[nodiscard]] std::vector<Discovery> discover(const RunRequest& request);

/// Reads and analyses what discover() has found for the request. What could not be read is in the result, and was
/// reported to the observer. After a stop the result has the runs that were read by then.
[[nodiscard]] ReadRuns readRuns(const RunRequest& request, const std::vector<Discovery>& found,
                                RequestObserver& observer, const std::stop_token& stop = {});

}  // namespace rankscope
