// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_script.h"

#include <charconv>
#include <utility>

#include "core/remote/child_process.h"
#include "core/remote/remote_shell.h"
#include "core/remote/ssh_words.h"

namespace rankscope {
namespace {

// Exit codes of rankscope-cli.
constexpr std::string_view kDoneCode = "0";
constexpr std::string_view kNothingCode = "3";
// Why there is no exit code.
constexpr std::string_view kNotWanted = "not-wanted";
constexpr std::string_view kTooOld = "too-old";

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
if [ $s -eq 0 ] || [ $s -eq 4 ]; then
    "$tool" merge "$@" -o "$m" >&2; e=$?
    [ $e -ne 4 ] || s=4
    [ $e -eq 0 ] || [ $e -eq 4 ] || s=$e
fi
)sh";

/// The part of the script that packs the companions of $p into $a. No name of a file gets into the script: the tool
/// finds them and writes the archive. Sets $e to its exit code, and $w to its complaints.
constexpr const char* kPack = R"sh(
rm -f "$a"
if "$tool" --help 2>/dev/null | grep -q '^ *companions '; then
    w=$("$tool" companions "$p" -o "$a" 2>&1 >/dev/null); e=$?
else
    e=too-old
fi
)sh";

/// The part of the script that prints what was made.
constexpr const char* kPrint = R"sh(
made() {
    echo "$1"
    if [ -f "$2" ]; then printf '%s\n' "$2"; cksum <"$2" || echo; else echo; echo; fi
}
case $s in 0|4) ;; *) m= ;; esac
echo "$k"; made "$s" "$m"; made "$e" "$a"
[ -z "$w" ] || printf '%s\n' "$w"
)sh";

/// Lines of kPrint.
enum Line : std::size_t { kKey, kDigestCode, kDigest, kDigestSum, kPackCode, kArchive, kArchiveSum, kComplaints };

std::optional<RemoteFile> fileIn(const std::string& path, const std::string& sum) {
    const std::optional<Checksum> checksum = checksumOf(sum);
    return checksum && !path.empty() ? std::optional(RemoteFile{path, *checksum}) : std::nullopt;
}

/// What is to be said of the companions.
void remarkOnPacking(const RemotePath& remote, const std::vector<std::string>& lines, Made& made) {
    const std::string& code = lines[kPackCode];
    if (code == kTooOld) {
        made.remarks.push_back("logs, dumps and snapshots are not fetched: the rankscope-cli on " + remote.host +
                               " is too old to pack them");
    }
    if (code == kTooOld || code == kNotWanted || code == kNothingCode) {
        return;
    }
    for (std::size_t i = kComplaints; i < lines.size(); ++i) {
        made.remarks.push_back(complaintIn(lines[i]));
    }
}

}  // namespace

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

bool isDigestPath(const RemotePath& remote) {
    return remote.path.ends_with(".digest");
}

std::string makeScript(const RemotePath& remote, const Wanted& wanted) {
    std::string script = "echo " + std::string(RemoteShell::kBegin) + "; p=" + pathWord(remote) +
                         "; k=$(printf %s \"$p\" | cksum | tr ' ' -); w=; a=; e=" + std::string(kNotWanted) + "; ";
    if (isDigestPath(remote)) {
        // An archive that was packed next to the merged digest has its name.
        script += wanted.digests ? "m=$p; s=0" : "m=; s=" + std::string(kNotWanted);
        script += wanted.companions ? "; a=${p%.digest}.companions.zip\n" : "\n";
    } else {
        script += (wanted.tool ? takeTool(*wanted.tool) : "tool=rankscope-cli; ") +
                  "c=${XDG_CACHE_HOME:-$HOME/.cache}/rankscope/digests; umask 077; "
                  "mkdir -p \"$c\" || exit 1; ";
        script += wanted.digests ? std::string("d=$c/$k; m=$c/$k.digest") + kMakeAndMerge
                                 : "m=; s=" + std::string(kNotWanted) + "\n";
        script += wanted.companions ? std::string("a=$c/$k.companions.zip; e=0") + kPack : std::string();
    }
    return script + kPrint;
}

std::optional<Made> madeIn(const RemotePath& remote, const std::vector<std::string>& lines, std::string_view errors) {
    if (lines.size() < kComplaints) {
        return std::nullopt;
    }
    Made made;
    made.key = lines[kKey];
    made.digest = fileIn(lines[kDigest], lines[kDigestSum]);
    made.companions = fileIn(lines[kArchive], lines[kArchiveSum]);
    if (!made.digest && !made.companions) {
        return std::nullopt;
    }
    const std::string& code = lines[kDigestCode];
    if (code == kNothingCode) {  // there may be companions alone
        if (auto said = firstComplaintIn(errors)) {
            made.remarks.push_back(*std::move(said));
        }
    } else if (code != kDoneCode && code != kNotWanted) {
        made.remarks.push_back(complaintIn(errors));
    }
    remarkOnPacking(remote, lines, made);
    return made;
}

}  // namespace rankscope
