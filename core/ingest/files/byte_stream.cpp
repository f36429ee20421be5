// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/byte_stream.h"

#include <array>
#include <string_view>
#include <utility>

#include "core/ingest/files/archive.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/packed_streams.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMagicBytes = 64;

/// Files that people drop by mistake, and what to tell them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kForeign = {{
    {"SQLite format 3\0"sv, "is an SQLite database (an Nsight Systems or rocprof export?); these cannot be opened yet"},
    {"\x0a\x04NSYS"sv, "is an Nsight Systems report; export it from there, or record with torch.profiler"},
    {"PAR1"sv, "is a Parquet file, not a profiler trace"},
    {"\x89PNG"sv, "is a picture, not a profiler trace"},
    {"%PDF"sv, "is a PDF, not a profiler trace"},
    {"\x7f"
     "ELF"sv,
     "is a program, not a profiler trace"},
    {"BZh"sv, "is compressed with bzip2; use gzip or zstd"},
}};

/// A Perfetto trace is a protobuf whose field 1 repeats: 0x0a, a length, then a TracePacket.
bool looksLikePerfetto(std::string_view magic, const std::string& path) {
    return path.ends_with(".pftrace") || path.ends_with(".perfetto-trace") || path.ends_with(".pftrace.gz") ||
           (magic.starts_with('\x0a') && magic.size() > 2 && magic.find_first_of("{[") == std::string_view::npos &&
            magic.find_first_not_of(" \n\r\t") != std::string_view::npos);
}

std::optional<Error> foreign(std::string_view magic, const std::string& path) {
    for (const auto& [signature, cause] : kForeign) {
        if (magic.starts_with(signature)) {
            return Error{path, std::nullopt, std::string(cause)};
        }
    }
    if (magic.size() >= 2 && magic[0] == '\x80' && magic[1] >= 2 && magic[1] <= 5) {
        return Error{path, std::nullopt,
                     "is a Python pickle, not a profiler trace; rankscope-cli info reads memory snapshots"};
    }
    if (looksLikePerfetto(magic, path)) {
        return Error{path, std::nullopt,
                     "is a Perfetto trace (.pftrace); these cannot be opened yet: export with "
                     "export_chrome_trace(\"trace.json.gz\")"};
    }
    return std::nullopt;
}

/// Opens a file unless `refuse` gives a reason not to, from its first bytes.
template <class Refuse>
Result<std::unique_ptr<ByteStream>> open(const std::string& path, Refuse refuse) {
    Result<InputFile> opened = InputFile::open(path);
    if (!opened.ok()) {
        return opened.error();
    }
    InputFile input = std::move(opened).value();
    std::array<char, kMagicBytes> bytes{};
    const std::string_view magic(bytes.data(), input.read(bytes));
    if (magic.empty()) {
        return Error{path, std::nullopt, "is empty"};
    }
    if (const std::optional<Error> error = refuse(magic)) {
        return *error;
    }
    std::unique_ptr<ByteStream> stream;
    const Packing packing = packingOf(magic);
    if (packing == Packing::Gzip) {
        stream = std::make_unique<InflateStream>(std::move(input), 0, 0, Packing::Gzip);
    } else if (packing == Packing::Zstd) {
        stream = std::make_unique<ZstdStream>(std::move(input), 0, 0);
    } else {
        stream = std::make_unique<PlainStream>(std::move(input), 0, 0, Packing::Plain);
    }
    return stream;
}

}  // namespace

Packing packingOf(std::string_view magic) {
    if (magic.starts_with("\x1f\x8b")) {
        return Packing::Gzip;
    }
    const bool zstd = magic.starts_with("\x28\xb5\x2f\xfd") || magic.starts_with("\x50\x2a\x4d\x18");
    return zstd ? Packing::Zstd : Packing::Plain;
}

Result<std::unique_ptr<ByteStream>> openBytes(const std::string& path) {
    return open(path, [](std::string_view) { return std::optional<Error>(); });
}

Result<std::unique_ptr<ByteStream>> openByteStream(const FileSource& file) {
    if (!file.member.empty()) {
        return openArchiveMember(file);
    }
    return open(file.path, [&](std::string_view magic) { return foreign(magic, file.path); });
}

}  // namespace rankscope
