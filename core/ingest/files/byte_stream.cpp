// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/byte_stream.h"

#include <array>
#include <string_view>
#include <utility>

#include "core/ingest/files/archive.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/named_file.h"
#include "core/ingest/files/packed_streams.h"
#include "core/ingest/pickle/read_pickle.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMagicBytes = 64;

/// Files that people drop by mistake, and what to tell them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kForeign = {{
    {"SQLite format 3\0"sv, kPackedDatabase},
    {"PAR1"sv, "is a Parquet file, not a profiler trace"},
    {"\x89PNG"sv, "is a picture, not a profiler trace"},
    {"%PDF"sv, "is a PDF, not a profiler trace"},
    {"\x7f"
     "ELF"sv,
     "is a program, not a profiler trace"},
    {"BZh"sv, "is compressed with bzip2; use gzip or zstd"},
}};

std::optional<Error> foreign(std::string_view magic, const std::string& path) {
    if (isNsightReportName(path)) {
        return Error{path, std::nullopt, std::string(kNsightReport)};
    }
    if (magic.find("brain.Event:") != std::string_view::npos) {
        return Error{path, std::nullopt,
                     "is an event file of TensorBoard (scalars and graphs), not a profiler trace; the traces that it "
                     "shows are files of their own: *.pt.trace.json"};
    }
    for (const auto& [signature, cause] : kForeign) {
        if (magic.starts_with(signature)) {
            return Error{path, std::nullopt, std::string(cause)};
        }
    }
    if (beginsLikePickle(magic)) {
        return Error{path, std::nullopt, std::string(kPickle)};
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

bool isNsightReportName(std::string_view name) {
    return name.ends_with(".nsys-rep") || name.ends_with(".qdrep");
}

Packing packingOf(std::string_view magic) {
    if (magic.starts_with("\x1f\x8b")) {
        return Packing::Gzip;
    }
    const bool zstd = magic.starts_with("\x28\xb5\x2f\xfd") || magic.starts_with("\x50\x2a\x4d\x18");
    return zstd ? Packing::Zstd : Packing::Plain;
}

Result<std::unique_ptr<ByteStream>> openBytes(const FileSource& file) {
    return file.member.empty() ? open(file.path, [](std::string_view) { return std::optional<Error>(); })
                               : openArchiveMember(file);
}

Result<std::unique_ptr<ByteStream>> openBytes(const std::string& name) {
    return openBytes(fileNamed(name));
}

Result<std::unique_ptr<ByteStream>> openByteStream(const FileSource& file) {
    if (!file.member.empty()) {
        return openArchiveMember(file);
    }
    return open(file.path, [&](std::string_view magic) { return foreign(magic, file.path); });
}

std::string frontOf(const std::string& name, std::size_t bytes) {
    const Result<std::unique_ptr<ByteStream>> stream = openBytes(name);
    std::string front(stream.ok() ? bytes : 0, '\0');
    front.resize(stream.ok() ? stream.value()->read(front) : 0);
    return front;
}

}  // namespace rankscope
