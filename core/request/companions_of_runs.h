// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/companions/companions.h"
#include "core/companions/find_companions.h"
#include "core/ingest/load.h"
#include "core/request/read_runs.h"
#include "core/request/run_request.h"

namespace rankscope {

/// As discover(), but companions in the folders and archives of a request are no traces, and are added to `companions`.
/// Runs to be compared have none.
[[nodiscard]] std::vector<Discovery> discoverBeside(const RunRequest& request, CompanionFiles& companions);

/// The traces of a request, and the logs and dumps of their job.
struct FoundJob {
    std::vector<Discovery> traces;  ///< for readRuns()
    CompanionFiles companions;
};
/// Finds both, and takes companions that are named out of the request.
[[nodiscard]] FoundJob findJob(RunRequest& request);

/// Replaces each ssh://host/path by an archive of the companions there; no digests are made. Returns false if one could
/// not be fetched; the observer has the reason.
[[nodiscard]] bool fetchRemoteCompanions(std::vector<std::string>& paths, RequestObserver& observer);

/// Reads logs and dumps together. Those that cannot be read are reported.
[[nodiscard]] JobCompanions readCompanions(const CompanionFiles& files, RequestObserver& observer,
                                           const std::stop_token& stop = {});
/// Finds and reads the runs of a request with the logs and dumps of their job. Dumps that are named alone are an error,
/// which says what they are.
[[nodiscard]] ReadRuns readJob(RunRequest& request, RequestObserver& observer, const std::stop_token& stop = {});

}  // namespace rankscope
