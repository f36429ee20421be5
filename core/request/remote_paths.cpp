// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <string>
#include <vector>

#include "core/digest/digest_file.h"
#include "core/ingest/files/holds_digest.h"
#include "core/remote/fetch_digests.h"
#include "core/request/read_runs.h"

namespace rankscope {
namespace {

bool fetchInto(std::string& path, const RemoteOptions& options, RequestObserver& observer) {
    const Result<RemotePath> remote = parseRemotePath(path);
    const Result<FetchedDigests> fetched =
        remote.ok() ? fetchDigests(remote.value(), options) : Result<FetchedDigests>(remote.error());
    if (!fetched.ok()) {
        observer.failure(fetched.failed() ? fetched.error() : Error{path, {}, "fetching was cancelled"});
        return false;
    }
    if (!fetched.value().remark.empty()) {
        observer.note(path + ": " + fetched.value().remark);
    }
    if (remote.value().path.ends_with(kDigestEnding) && !holdsDigest({fetched.value().path, ""})) {
        observer.failure(Error{path, {}, std::string(kNoDigest)});
        return false;
    }
    path = fetched.value().path;
    return true;
}

bool fetchAll(std::vector<std::string>& paths, const RemoteOptions& options, RequestObserver& observer) {
    bool all = true;
    for (std::string& path : paths) {
        all = (!isRemotePath(path) || fetchInto(path, options, observer)) && all;
    }
    return all;
}

}  // namespace

bool fetchRemotePaths(RunRequest& request, RequestObserver& observer, const std::stop_token& stop) {
    RemoteOptions options = remoteOptionsForUser();
    options.stop = stop;
    options.on_progress = [&observer](std::string_view words) { observer.progress({std::string(words)}); };
    bool all = fetchAll(request.paths, options, observer);
    for (NamedRun& run : request.named_runs) {
        all = fetchAll(run.paths, options, observer) && all;
    }
    return all;
}

}  // namespace rankscope
