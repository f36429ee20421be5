// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/fetch_digests.h"

#include <sys/utsname.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/remote/copy_here.h"
#include "core/remote/remote_script.h"
#include "core/remote/remote_shell.h"
#include "core/remote/ssh_words.h"

namespace rankscope {
namespace {

/// The other machine, as seen by a first connection.
struct Probe {
    bool there = false;
    bool readable = false;
    bool has_tool = false;
    std::string system;  ///< "Linux x86_64"
};

Result<Probe> probe(const RemoteShell& shell, const RemotePath& remote) {
    const auto lines = shell.ask("p=" + pathWord(remote) +
                                 "; if [ -e \"$p\" ]; then echo there; [ -r \"$p\" ] && echo readable; fi; "
                                 "rankscope-cli digest --help >/dev/null 2>&1 && echo tool; uname -sm");
    if (!lines.ok()) {
        return lines.error();
    }
    const auto says = [&](std::string_view word) {
        return std::ranges::find(lines.value(), word) != lines.value().end();
    };
    return Probe{says("there"), says("readable"), says("tool"), lines.value().empty() ? "" : lines.value().back()};
}

std::string systemHere() {
    utsname names{};
    return ::uname(&names) == 0 ? std::string(names.sysname) + " " + names.machine : std::string();
}

/// Why the digests cannot be made there; nothing if they can.
std::optional<std::string> problemOf(const Probe& found, const RemotePath& remote, const RemoteOptions& options) {
    if (!found.there) {
        return remote.host + " has no " + remote.path;
    }
    if (!found.readable) {
        return remote.path + " cannot be read by the ssh user; check its permissions";
    }
    if (found.has_tool || isDigestPath(remote)) {
        return std::nullopt;
    }
    const std::string none = remote.host + " has no rankscope-cli that can make digests";
    if (options.static_tool.empty()) {
        return none +
               ", and there is no static one here to send. Build one with `./dev package --static`, and set "
               "RANKSCOPE_STATIC_CLI to its path";
    }
    if (!isStaticProgram(options.static_tool)) {
        return none + ", and " + options.static_tool + " is not a static program that can be sent";
    }
    if (found.system != systemHere()) {
        return none + ", and it is a " + found.system + ", for which there is no static one here";
    }
    return std::nullopt;
}

/// Why the script of makeScript() ended early, from its first line and its error output.
std::string whyNotMade(const RemotePath& remote, const Wanted& wanted, const std::vector<std::string>& lines,
                       const std::string& printed) {
    const std::string said = complaintIn(printed);
    const std::string first = lines.empty() ? std::string() : lines.front();
    if (first == kNotRun) {
        return "the static rankscope-cli does not run on " + remote.host +
               " (is its temporary folder mounted noexec? Set TMPDIR to another)" + (said.empty() ? "" : ": " + said);
    }
    return "rankscope-cli on " + remote.host +
           (wanted.digests ? " made no digests of " : " found no dumps or logs in ") + remote.path +
           (said.empty() ? "" : ": " + said);
}

/// One attempt to make the digests; nothing if sending the tool was interrupted.
Result<std::optional<Made>> makeOnce(const RemoteShell& shell, const RemotePath& remote, const RemoteOptions& options,
                                     const Wanted& wanted) {
    RemoteShell::Streams streams;
    streams.input_file = wanted.tool ? options.static_tool : std::string();
    streams.on_error_line = options.on_progress;
    const ChildResult result = shell.run(makeScript(remote, wanted), streams);
    const auto lines = RemoteShell::linesBehindBegin(result.out);
    const bool was_cut = lines && !lines->empty() && lines->front() == kCutOff;
    const auto why = whySshFailed(remote, result.code, result.err);
    // If it breaks off early, the script may not have announced its start yet.
    const bool was_early = lines ? lines->empty() : brokeOff(result.code, result.err);
    if (was_cut || (why && wanted.tool && was_early)) {
        return std::optional<Made>();
    }
    if (why) {
        return shell.error(*why + (lines ? ". What was made is kept there. Open the path again to continue" : ""));
    }
    const std::vector<std::string> printed = lines.value_or(std::vector<std::string>());
    std::optional<Made> made = madeIn(remote, printed, result.err);
    return made ? Result(std::move(made))
                : Result<std::optional<Made>>(shell.error(whyNotMade(remote, wanted, printed, result.err)));
}

Result<Made> make(const RemoteShell& shell, const RemotePath& remote, const RemoteOptions& options, bool send_tool) {
    Wanted wanted;
    wanted.tool = send_tool ? checksumOfFile(options.static_tool) : std::nullopt;
    wanted.digests = options.digests;
    wanted.companions = options.companions;
    if (send_tool && !wanted.tool) {
        return shell.error(options.static_tool + " cannot be read");
    }
    for (int i = 0; i < options.tries; ++i) {
        auto made = makeOnce(shell, remote, options, wanted);
        if (!made.ok()) {
            return made.error();
        }
        if (made.value()) {
            return *std::move(made.value());
        }
    }
    return shell.error("the connection broke off " + std::to_string(options.tries) +
                       " times while rankscope-cli was sent to " + remote.host + " or worked there");
}

/// Copies what was made there.
Result<FetchedDigests> copyAll(const RemoteShell& shell, const RemotePath& remote, const Made& made,
                               const RemoteOptions& options, const Say& say) {
    FetchedDigests fetched;
    fetched.remarks = made.remarks;
    const auto copy = [&](const std::optional<RemoteFile>& file, std::string_view ending, std::string& path) {
        const CachePlace place = cachePlace(remote, made.key, options.cache_folder, ending);
        if (!file) {
            removeFromCache(place);
            return std::optional<Error>();
        }
        say("copying " + formatBytes(file->sum.bytes) + " from " + remote.host);
        Result<CopiedFile> copied = copyHere(shell, remote, *file, place, {options.tries, say});
        if (!copied.ok()) {
            return std::optional(copied.error());
        }
        path = copied.value().path;
        fetched.bytes += copied.value().bytes;
        fetched.copied += copied.value().copied;
        return std::optional<Error>();
    };
    if (options.digests) {
        if (auto error = copy(made.digest, kDigestInCache, fetched.path)) {
            return *error;
        }
    }
    if (options.companions) {
        if (auto error = copy(made.companions, kCompanionsInCache, fetched.companions)) {
            return *error;
        }
    }
    return fetched;
}

Result<FetchedDigests> makeAndCopy(const RemotePath& remote, const RemoteOptions& options) {
    const Say say = [&options](const std::string& words) {
        if (options.on_progress) {
            options.on_progress(words);
        }
    };
    const RemoteShell shell(remote, options);
    say("asking " + remote.host);
    const Result<Probe> found = probe(shell, remote);
    if (!found.ok()) {
        return found.error();
    }
    if (auto problem = problemOf(found.value(), remote, options)) {
        return shell.error(std::move(*problem));
    }
    const bool send_tool = !found.value().has_tool && !isDigestPath(remote);
    const char* const making = options.digests ? "making digests on " : "searching for dumps and logs on ";
    say((send_tool ? "sending rankscope-cli to " : making) + remote.host);
    const Result<Made> made = make(shell, remote, options, send_tool);
    return made.ok() ? copyAll(shell, remote, made.value(), options, say) : Result<FetchedDigests>(made.error());
}

}  // namespace

Result<FetchedDigests> fetchDigests(const RemotePath& remote, const RemoteOptions& options) {
    Result<FetchedDigests> fetched = makeAndCopy(remote, options);
    if (!fetched.ok() && options.stop.stop_requested()) {
        return Cancelled{};
    }
    return fetched;
}

FetchedPaths fetchPaths(const std::vector<std::string>& paths, const RemoteOptions& options) {
    FetchedPaths out;
    for (const std::string& path : paths) {
        if (!isRemotePath(path)) {
            out.paths.push_back(path);
            continue;
        }
        const Result<RemotePath> remote = parseRemotePath(path);
        const Result<FetchedDigests> fetched =
            remote.ok() ? fetchDigests(remote.value(), options) : Result<FetchedDigests>(remote.error());
        if (!fetched.ok()) {
            out.failed.push_back(
                {path, {}, fetched.failed() ? fetched.error().cause : std::string("fetching was cancelled")});
            continue;
        }
        for (const std::string& file : {fetched.value().path, fetched.value().companions}) {
            if (!file.empty()) {
                out.paths.push_back(file);
            }
        }
        for (const std::string& remark : fetched.value().remarks) {
            out.remarks.push_back({path, {}, remark});
        }
    }
    return out;
}

}  // namespace rankscope
