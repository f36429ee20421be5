// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <system_error>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/named_file.h"
#include "core/ingest/nccl_log/log_builder.h"
#include "core/ingest/nccl_log/nccl_log.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLogPiece = std::size_t{1} << 20;
constexpr std::size_t kFirstPiece = std::size_t{1} << 16;  // enough to see that most files are no log
/// The rest of a longer line is skipped. A ring of 30,000 ranks fits.
constexpr std::size_t kLongestLine = std::size_t{1} << 18;

/// Cuts a stream into lines, and hands each to `take` with whether it is whole, until that returns false. Calls
/// `read` after each piece, and ends if that returns false.
template <class Take, class Read>
std::uint64_t eachLine(ByteStream& stream, std::size_t most_bytes, const Take& take, const Read& read) {
    std::vector<char> buffer(kLogPiece + kLongestLine);
    std::size_t kept = 0;
    bool is_skipping = false;
    std::uint64_t bytes = 0;
    while (bytes < most_bytes) {
        const std::size_t wanted = bytes == 0 ? kFirstPiece : kLogPiece;
        const std::size_t count = stream.read(std::span(buffer).subspan(kept, wanted));
        bytes += count;
        if (!read()) {
            return bytes;
        }
        std::string_view text(buffer.data(), kept + count);
        for (std::size_t end = text.find('\n', kept); end != std::string_view::npos; end = text.find('\n')) {
            if (!is_skipping && !take(text.substr(0, std::min(end, kLongestLine)), end <= kLongestLine)) {
                return bytes;
            }
            is_skipping = false;
            text.remove_prefix(end + 1);
        }
        const bool is_end = count < wanted;
        if (!text.empty() && !is_skipping && (is_end || text.size() > kLongestLine)) {
            if (!take(text.substr(0, kLongestLine), text.size() <= kLongestLine)) {
                return bytes;
            }
            is_skipping = true;
        }
        if (is_end) {
            break;
        }
        kept = is_skipping ? 0 : text.size();
        std::copy_n(text.data(), kept, buffer.data());
    }
    return bytes;
}

template <class Read>
void readInto(nccl::LogBuilder& builder, ByteStream& stream, const std::string& path, const Read& read) {
    builder.beginFile(path);
    const auto take = [&builder](std::string_view line, bool is_whole) {
        builder.addLine(line, is_whole);
        return true;
    };
    const std::uint64_t bytes = eachLine(stream, SIZE_MAX, take, read);
    builder.endFile(bytes, stream.damage().value_or(""));
}

/// Whether a text begins like JSON. "[2026-11-28 10:00:00]" and "[rank0]:" begin like a list too.
bool beginsLikeJson(std::string_view line) {
    const std::size_t at = line.find_first_not_of(" \t\r");
    if (at == std::string_view::npos || (line[at] != '[' && line[at] != '{')) {
        return false;
    }
    const std::size_t next = line.find_first_not_of(" \t\r", at + 1);
    return line[at] == '{' || next == std::string_view::npos || line[next] == '{' || line[next] == '[';
}

}  // namespace

TextKind textKindOf(ByteStream& stream, std::size_t most_bytes) {
    bool is_first = true;
    TextKind kind = TextKind::Text;
    const auto take = [&](std::string_view line, bool) {
        const bool is_binary = line.find('\0') != std::string_view::npos;
        if (nccl::splitLine(line)) {
            kind = TextKind::Log;
        } else if (is_first && (is_binary || beginsLikeJson(line))) {
            kind = TextKind::Other;
        }
        is_first = is_first && line.empty();
        return kind == TextKind::Text;
    };
    eachLine(stream, most_bytes, take, [] { return true; });
    return kind;
}

bool isNcclLog(const std::string& path, std::size_t most_bytes) {
    const Result<std::unique_ptr<ByteStream>> stream = openBytes(path);
    return stream.ok() && textKindOf(*stream.value(), most_bytes) == TextKind::Log;
}

LoadedNcclLogs loadNcclLogs(const std::vector<std::string>& files, const ReadingOfFiles& reading) {
    LoadedNcclLogs loaded;
    nccl::LogBuilder builder;
    FileOpener opener;
    std::set<fs::path> read;
    for (std::size_t file = 0; file < files.size() && !reading.stop.stop_requested(); ++file) {
        const std::string& path = files[file];
        std::error_code error;
        if (!read.insert(fs::weakly_canonical(path, error)).second) {
            continue;
        }
        const Result<std::unique_ptr<ByteStream>> stream = opener.open(path);
        if (stream.ok()) {
            stream.value()->stopWhen(reading.stop);
            readInto(builder, *stream.value(), path, [&] {
                if (reading.progressed) {
                    reading.progressed(file, stream.value()->diskPosition());
                }
                return !reading.stop.stop_requested();
            });
        } else {
            loaded.unreadable.push_back(stream.error());
        }
    }
    loaded.logs = builder.take();
    for (const NcclLogFile& file : loaded.logs.files) {
        if (!file.damage.empty()) {
            loaded.unreadable.push_back({file.path, file.bytes, file.damage});
        } else if (file.matched == 0) {
            loaded.unreadable.push_back({file.path, {}, "has no line of NCCL's log"});
        }
    }
    return loaded;
}

NcclLogs readNcclLog(ByteStream& stream, const std::string& path) {
    nccl::LogBuilder builder;
    readInto(builder, stream, path, [] { return true; });
    return builder.take();
}

}  // namespace rankscope
