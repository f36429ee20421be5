// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/fetch_digests.h"

#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/remote/child_process.h"
#include "core/remote/remote_shell.h"
#include "core/remote/ssh_words.h"

namespace rankscope {
namespace {

constexpr int kSomeUnreadable = 4;  // exit code of rankscope-cli: done, except for some files
constexpr std::string_view kCutOff = "cut-off";
constexpr std::string_view kNotRun = "not-run";

/// The output of POSIX cksum(1) for a file: "CRC BYTES".
struct Checksum {
    std::string text;
    std::uint64_t bytes = 0;
};

std::optional<Checksum> checksumOf(std::string_view printed) {
    const std::string text(lastLine(printed));
    const std::size_t space = text.find(' ');
    Checksum out{text, 0};
    const char* const end = text.data() + text.size();
    const char* const begin = space == std::string::npos ? end : text.data() + space + 1;
    const auto [stop, error] = std::from_chars(begin, end, out.bytes);
    return error == std::errc() && stop == end ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Checksum> checksumOfFile(const std::string& path) {
    const ChildResult result = runChild({{"cksum"}, path, {}, {}});
    return result.code == 0 ? checksumOf(result.out) : std::nullopt;
}

/// Whether the path is a digest already: there is nothing to make.
bool isDigestPath(const RemotePath& remote) {
    return remote.path.ends_with(".digest");
}

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

/// The part of the script that stores the tool from its standard input in a folder, which is deleted when the script
/// ends in any way. Sets $tool.
std::string takeTool(const Checksum& sum) {
    return "t=$(mktemp -d \"${TMPDIR:-/tmp}/rankscope-XXXXXXXX\") || exit 1; trap 'rm -rf \"$t\"' EXIT; "
           "trap 'exit 1' HUP INT TERM PIPE; tool=$t/rankscope-cli; cat >\"$tool\"; "
           "if [ \"$(cksum <\"$tool\")\" != " +
           shellWord(sum.text) + " ]; then echo " + std::string(kCutOff) +
           "; exit 0; fi; chmod 700 \"$tool\"; if ! \"$tool\" --version >/dev/null; then echo " + std::string(kNotRun) +
           "; exit 0; fi; ";
}

/// The part of the script that makes the digests of $p in $d and merges them into $m. Digests in $d of traces that are
/// gone are removed first. Digests in a folder $p are merged with them; if it has nothing else, missing traces (code 3)
/// do not matter. Sets $s to the exit code.
constexpr const char* kMakeAndMerge = R"sh(
if [ -d "$p" ] && [ -d "$d" ]; then
    find "$d" -name '*.digest' -type f | while IFS= read -r x; do
        f=${x#"$d"/}; f=${f%.digest}
        while [ ! -f "$p/$f" ] && [ "$f" != "${f%/*}" ]; do f=${f%/*}; done
        [ -f "$p/$f" ] || rm -f "$x"
    done
fi
"$tool" digest "$p" -o "$d" >&2; s=$?
set -- "$d"
if [ -d "$p" ] && [ -n "$(find "$p" -name '*.digest' -type f | head -n 1)" ]; then
    mkdir -p "$d"; set -- "$d" "$p"; [ $s -ne 3 ] || s=0
fi
if [ $s -ne 0 ] && [ $s -ne 4 ]; then echo $s; exit 0; fi
"$tool" merge "$@" -o "$m" >&2; e=$?
[ $e -ne 4 ] || s=4
if [ $e -ne 0 ] && [ $e -ne 4 ]; then echo $e; exit 0; fi
)sh";

/// Makes the one file of all digests, in the user's cache folder there; prints the tool's exit code, then the path of
/// the file, its name in a cache, and its checksum. If the path is a digest, it is that file.
std::string makeScript(const RemotePath& remote, const std::optional<Checksum>& tool) {
    return "echo " + std::string(RemoteShell::kBegin) + "; p=" + pathWord(remote) +
           "; k=$(printf %s \"$p\" | cksum | tr ' ' -); " +
           (isDigestPath(remote) ? "m=$p; s=0\n"
                                 : (tool ? takeTool(*tool) : "tool=rankscope-cli; ") +
                                       "c=${XDG_CACHE_HOME:-$HOME/.cache}/rankscope/digests; umask 077; "
                                       "mkdir -p \"$c\" || exit 1; d=$c/$k; m=$c/$k.digest" +
                                       kMakeAndMerge) +
           "echo $s; echo \"$m\"; echo \"$k\"; cksum <\"$m\"";
}

/// The one file that was made there.
struct Made {
    std::string path;  ///< there
    std::string key;   ///< the remote path, for names of files
    Checksum sum;
    std::string remark;
};

/// Why the script of makeScript() ended early, from its first line and its error output.
std::string whyNotMade(const RemotePath& remote, const std::vector<std::string>& lines, const std::string& printed) {
    const std::string said = complaintIn(printed);
    const std::string first = lines.empty() ? std::string() : lines.front();
    if (first == kNotRun) {
        return "the static rankscope-cli does not run on " + remote.host +
               " (is its temporary folder mounted noexec? Set TMPDIR to another)" + (said.empty() ? "" : ": " + said);
    }
    return "rankscope-cli on " + remote.host + " made no digests of " + remote.path + (said.empty() ? "" : ": " + said);
}

/// One attempt to make the digests; nothing if sending the tool was interrupted.
Result<std::optional<Made>> makeOnce(const RemoteShell& shell, const RemotePath& remote, const RemoteOptions& options,
                                     const std::optional<Checksum>& tool) {
    RemoteShell::Streams streams;
    streams.input_file = tool ? options.static_tool : std::string();
    streams.on_error_line = options.on_progress;
    const ChildResult result = shell.run(makeScript(remote, tool), streams);
    const auto lines = RemoteShell::linesBehindBegin(result.out);
    const bool was_cut = lines && !lines->empty() && lines->front() == kCutOff;
    const auto why = whySshFailed(remote, result.code, result.err);
    // If it breaks off early, the script may not have announced its start yet.
    const bool was_early = lines ? lines->empty() : brokeOff(result.code, result.err);
    if (was_cut || (why && tool && was_early)) {
        return std::optional<Made>();
    }
    if (why) {
        return shell.error(*why + (lines ? ". What was made is kept there. Open the path again to continue" : ""));
    }
    const auto sum = lines && lines->size() == 4 ? checksumOf(lines->back()) : std::nullopt;
    if (!sum) {
        return shell.error(whyNotMade(remote, lines.value_or(std::vector<std::string>()), result.err));
    }
    const bool some_unreadable = (*lines)[0] == std::to_string(kSomeUnreadable);
    return std::optional(
        Made{(*lines)[1], (*lines)[2], *sum, some_unreadable ? complaintIn(result.err) : std::string()});
}

Result<Made> make(const RemoteShell& shell, const RemotePath& remote, const RemoteOptions& options, bool send_tool) {
    const std::optional<Checksum> tool = send_tool ? checksumOfFile(options.static_tool) : std::nullopt;
    if (send_tool && !tool) {
        return shell.error(options.static_tool + " cannot be read");
    }
    for (int i = 0; i < options.tries; ++i) {
        auto made = makeOnce(shell, remote, options, tool);
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

/// A name for a file or folder of the cache, without anything that leads elsewhere.
std::string plainName(std::string text) {
    std::ranges::replace(text, '/', '_');
    std::ranges::replace(text, ':', '_');
    return text.empty() || text.front() == '.' ? "_" + text : text;
}

/// The local path of the file: a folder per content, so that a changed run gets another.
std::filesystem::path placeInCache(const RemotePath& remote, const Made& made, const RemoteOptions& options) {
    std::filesystem::path name = std::filesystem::path(remote.path);
    name = name.has_filename() ? name.filename() : name.parent_path().filename();
    const std::string host = remote.destination() + (remote.port ? "-" + std::to_string(*remote.port) : "");
    std::string content = made.sum.text;
    std::ranges::replace(content, ' ', '-');
    return std::filesystem::path(options.cache_folder) / plainName(host) / plainName(made.key) / content /
           (plainName(name.string() == "~" ? "home" : name.string()) + (isDigestPath(remote) ? "" : ".digest"));
}

std::uint64_t sizeOf(const std::filesystem::path& path) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    return error ? 0 : size;
}

using Say = std::function<void(const std::string&)>;

/// Copies what is missing after the end of `part`; returns why that failed, or nothing. Reports progress.
std::optional<std::string> copyRest(const RemoteShell& shell, const RemotePath& remote, const Made& made,
                                    const std::filesystem::path& part, const Say& say) {
    RemoteShell::Streams streams;
    streams.output_file = part.string();
    streams.on_tick = [&] {
        say("copying " + formatBytes(sizeOf(part)) + " of " + formatBytes(made.sum.bytes) + " from " + remote.host);
    };
    const ChildResult result =
        shell.run("exec tail -c +" + std::to_string(sizeOf(part) + 1) + " " + shellWord(made.path), streams);
    if (auto why = whySshFailed(remote, result.code, result.err)) {
        return why;
    }
    return result.code == 0 ? std::nullopt : std::optional("the copy failed: " + std::string(lastLine(result.err)));
}

/// Copies the file into `part`, from where an earlier copy was interrupted.
std::optional<std::string> copyWhole(const RemoteShell& shell, const RemotePath& remote, const Made& made,
                                     const std::filesystem::path& part, int tries, const Say& say) {
    std::optional<std::string> why;
    for (int i = 0; i <= tries && sizeOf(part) < made.sum.bytes; ++i) {  // the copy, and this many retries
        why = copyRest(shell, remote, made, part, say);
    }
    const auto sum = checksumOfFile(part.string());
    if (sum && sum->text == made.sum.text) {
        return std::nullopt;
    }
    if (sizeOf(part) < made.sum.bytes) {
        return why.value_or("the connection ended early") + ", with " + std::to_string(sizeOf(part)) + " of " +
               std::to_string(made.sum.bytes) + " bytes copied. Open the path again to continue";
    }
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    return "the copy differs from the file on " + remote.host +
           ". Was the file made again during the copy, or does the shell there print text at start?";
}

/// Removes older content of the same remote path.
void removeOlder(const std::filesystem::path& file) {
    std::error_code ignored;
    const std::filesystem::path kept = file.parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(kept.parent_path(), ignored)) {
        if (entry.path() != kept) {
            std::filesystem::remove_all(entry.path(), ignored);
        }
    }
}

Result<FetchedDigests> copyHere(const RemoteShell& shell, const RemotePath& remote, const Made& made,
                                const RemoteOptions& options, const Say& say) {
    const std::filesystem::path file = placeInCache(remote, made, options);
    if (sizeOf(file) == made.sum.bytes && made.sum.bytes > 0) {
        return FetchedDigests{file.string(), made.sum.bytes, 0, made.remark};
    }
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) {
        return Error{file.parent_path().string(), {}, "cannot be created: " + error.message()};
    }
    const std::filesystem::path part = file.string() + ".part";
    const std::uint64_t had = sizeOf(part);
    if (auto why = copyWhole(shell, remote, made, part, options.tries, say)) {
        return shell.error(std::move(*why));
    }
    std::filesystem::rename(part, file, error);
    if (error) {
        return Error{file.string(), {}, "cannot be written: " + error.message()};
    }
    removeOlder(file);
    return FetchedDigests{file.string(), made.sum.bytes, made.sum.bytes - std::min(had, made.sum.bytes), made.remark};
}

Result<FetchedDigests> makeAndCopy(const RemotePath& remote, const RemoteOptions& options) {
    const auto say = [&options](const std::string& words) {
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
    say((send_tool ? "sending rankscope-cli to " : "making digests on ") + remote.host);
    const Result<Made> made = make(shell, remote, options, send_tool);
    if (!made.ok()) {
        return made.error();
    }
    say("copying " + formatBytes(made.value().sum.bytes) + " from " + remote.host);
    return copyHere(shell, remote, made.value(), options, say);
}

}  // namespace

Result<FetchedDigests> fetchDigests(const RemotePath& remote, const RemoteOptions& options) {
    Result<FetchedDigests> fetched = makeAndCopy(remote, options);
    if (!fetched.ok() && options.stop.stop_requested()) {
        return Cancelled{};
    }
    return fetched;
}

}  // namespace rankscope
