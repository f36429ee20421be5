// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/digest/digest_file.h"
#include "core/ingest/files/holds_digest.h"
#include "core/remote/fetch_digests.h"
#include "core/remote/remote_path.h"
#include "core/request/companions_of_runs.h"
#include "core/request/read_runs.h"

namespace rankscope {
namespace {

/// Replaces the paths of other machines. Whether all could be fetched.
bool fetchAll(std::vector<std::string>& paths, const RemoteOptions& options, RequestObserver& observer) {
    std::vector<std::string> here;
    bool all = true;
    for (const std::string& path : paths) {
        FetchedPaths fetched = fetchPaths({path}, options);
        // A file that is called a digest is copied as it is.
        if (options.digests && isRemotePath(path) && path.ends_with(kDigestEnding) && fetched.failed.empty() &&
            !holdsDigest({fetched.paths.front(), ""})) {
            fetched.failed.push_back({path, {}, std::string(kNoDigest)});
        }
        std::ranges::for_each(fetched.remarks, [&](const Error& remark) { observer.note(remark.text()); });
        std::ranges::for_each(fetched.failed, [&](const Error& error) { observer.failure(error); });
        all = fetched.failed.empty() && all;
        std::ranges::move(fetched.paths, std::back_inserter(here));
    }
    paths = std::move(here);
    return all;
}

RemoteOptions optionsFor(RequestObserver& observer) {
    RemoteOptions options = remoteOptionsForUser();
    options.on_progress = [&observer](std::string_view words) { observer.progress({std::string(words)}); };
    return options;
}

}  // namespace

bool fetchRemotePaths(RunRequest& request, RequestObserver& observer, const std::stop_token& stop) {
    RemoteOptions options = optionsFor(observer);
    options.stop = stop;
    options.companions = request.paths_are == PathsAre::Together;
    bool all = fetchAll(request.paths, options, observer);
    options.companions = false;  // runs that are named have none
    for (NamedRun& run : request.named_runs) {
        all = fetchAll(run.paths, options, observer) && all;
    }
    return all;
}

bool fetchRemoteCompanions(std::vector<std::string>& paths, RequestObserver& observer) {
    RemoteOptions options = optionsFor(observer);
    options.digests = false;
    return fetchAll(paths, options, observer);
}

}  // namespace rankscope
