// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/read_runs.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/cli/complain.h"
#include "app/cli/progress_line.h"
#include "core/digest/digest_file.h"
#include "core/ingest/files/holds_digest.h"
#include "core/remote/fetch_digests.h"

namespace rankscope::cli {
namespace {

bool fetchInto(std::string& path, const RemoteOptions& options, ProgressLine& line) {
    const Result<RemotePath> remote = parseRemotePath(path);
    const Result<FetchedDigests> fetched =
        remote.ok() ? fetchDigests(remote.value(), options) : Result<FetchedDigests>(remote.error());
    line.clear();
    if (!fetched.ok()) {
        complain(fetched.error());
        return false;
    }
    if (!fetched.value().remark.empty()) {
        complain(path + ": " + fetched.value().remark);
    }
    if (remote.value().path.ends_with(kDigestEnding) && !holdsDigest({fetched.value().path, ""})) {
        complain(Error{path, {}, std::string(kNoDigest)});
        return false;
    }
    path = fetched.value().path;
    return true;
}

bool fetchAll(std::vector<std::string>& paths, const RemoteOptions& options, ProgressLine& line) {
    bool all = true;
    for (std::string& path : paths) {
        all = (!isRemotePath(path) || fetchInto(path, options, line)) && all;
    }
    return all;
}

}  // namespace

bool fetchRemotePaths(Request& request) {
    ProgressLine line;
    RemoteOptions options = remoteOptionsForUser();
    options.on_progress = [&line](std::string_view words) { line.show(std::string(words), 0, 0); };
    bool all = fetchAll(request.paths, options, line);
    for (NamedRun& run : request.named_runs) {
        all = fetchAll(run.paths, options, line) && all;
    }
    return all;
}

}  // namespace rankscope::cli
