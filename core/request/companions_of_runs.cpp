// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/companions_of_runs.h"

#include <algorithm>
#include <utility>

#include "core/companions/read_companions.h"

namespace rankscope {
namespace {

void tellUnreadable(const std::vector<Error>& unreadable, RequestObserver& observer) {
    std::ranges::for_each(unreadable, [&observer](const Error& error) { observer.failure(error); });
}

}  // namespace

std::vector<Discovery> discoverBeside(const RunRequest& request, CompanionFiles& companions) {
    std::vector<Discovery> found = discover(request);
    if (request.paths_are == PathsAre::Together && !request.paths.empty()) {
        takeCompanionsInside(request.paths, found.front(), companions);
    }
    return found;
}

FoundJob findJob(RunRequest& request) {
    FoundJob job;
    if (request.paths_are == PathsAre::Together) {
        job.companions = takeNamedCompanions(request.paths);
    }
    job.traces = discoverBeside(request, job.companions);
    return job;
}

JobCompanions readCompanions(const CompanionFiles& files, RequestObserver& observer, const std::stop_token& stop) {
    JobCompanions out;
    if (!files.logs.empty()) {
        out.logs = readLogs(files.logs, {stop, {}});
        tellUnreadable(out.logs->unreadable, observer);
    }
    if (!files.dumps.empty()) {
        out.dumps = readDumps(files.dumps, {stop, {}});
        tellUnreadable(out.dumps->unreadable, observer);
    }
    return out;
}

ReadRuns readJob(RunRequest& request, RequestObserver& observer, const std::stop_token& stop) {
    FoundJob job = findJob(request);
    if (request.paths.empty() && request.named_runs.empty() && job.companions.hasOnlyDumps()) {
        // Reading them as traces says what they are.
        request.paths = std::exchange(job.companions.dumps, {});
        job.traces = discover(request);
    }
    ReadRuns read = readRuns(request, job.traces, observer, stop);
    read.companions = readCompanions(job.companions, observer, stop);
    return read;
}

}  // namespace rankscope
