// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/zip_archive.h"

#include <minizip/unzip.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

#include "core/ingest/files/input_file.h"
#include "core/ingest/files/packed_streams.h"
#include "core/ingest/files/zip_headers.h"

namespace rankscope {
namespace {

struct ZipCloser {
    void operator()(void* zip) const { unzClose(zip); }
};
using Zip = std::unique_ptr<void, ZipCloser>;

constexpr unsigned kEncrypted = 1;

/// The member that minizip stands at; nothing where its entry cannot be read.
std::optional<ZipMember> currentMember(void* zip, std::uint64_t archive_bytes) {
    unz_file_info64 info{};
    if (unzGetCurrentFileInfo64(zip, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
        return std::nullopt;
    }
    ZipMember member;
    member.name.resize(info.size_filename);
    // minizip writes a closing zero where there is room; a string has room for it.
    if (unzGetCurrentFileInfo64(zip, &info, member.name.data(), member.name.size() + 1, nullptr, 0, nullptr, 0) !=
        UNZ_OK) {
        return std::nullopt;
    }
    int method = 0;
    int level = 0;
    constexpr int kRaw = 1;
    const bool opened = unzOpenCurrentFile2(zip, &method, &level, kRaw) == UNZ_OK;
    member.data_start = opened ? std::min<std::uint64_t>(unzGetCurrentFileZStreamPos64(zip), archive_bytes) : 0;
    unzCloseCurrentFile(zip);
    member.packed_bytes = info.compressed_size;
    member.data_end =
        member.data_start + std::min<std::uint64_t>(info.compressed_size, archive_bytes - member.data_start);
    member.packing = method == 0 ? Packing::Stored : Packing::Deflate;
    member.supported = opened && (info.flag & kEncrypted) == 0 && (method == 0 || method == Z_DEFLATED);
    return member;
}

/// The members by the archive's directory; nothing where that is missing or damaged.
std::optional<std::vector<ZipMember>> listedMembers(const std::string& path, std::uint64_t archive_bytes) {
    const Zip zip(unzOpen64(path.c_str()));
    if (!zip) {
        return std::nullopt;
    }
    std::vector<ZipMember> members;
    int status = unzGoToFirstFile(zip.get());
    for (; status == UNZ_OK; status = unzGoToNextFile(zip.get())) {
        std::optional<ZipMember> member = currentMember(zip.get(), archive_bytes);
        if (!member) {
            return std::nullopt;
        }
        if (!member->name.empty() && member->name.back() != '/') {
            members.push_back(*std::move(member));
        }
    }
    return status == UNZ_END_OF_LIST_OF_FILE ? std::optional(std::move(members)) : std::nullopt;
}

/// The place of a member: as it was found before, or by its name.
Result<ZipMember> placeOf(const FileSource& file) {
    if (file.place) {
        return *file.place;
    }
    const Result<ZipDirectory> directory = readZipDirectory(file.path);
    if (!directory.ok()) {
        return directory.error();
    }
    const auto newest_first = std::views::reverse(directory.value().members);
    const auto member = std::ranges::find(newest_first, file.member, &ZipMember::name);
    if (member == newest_first.end()) {
        return Error{file.name(), std::nullopt, "is not in the archive"};
    }
    return *member;
}

/// How the text of a member is packed once more: Plain where it is not.
Packing innerPacking(InputFile file, const ZipMember& member) {
    std::array<char, 4> bytes{};
    std::string_view magic;
    if (member.packing == Packing::Stored) {
        PlainStream text(std::move(file), member.data_start, member.data_end, Packing::Stored);
        magic = {bytes.data(), text.read(bytes)};
    } else {
        InflateStream text(std::move(file), member.data_start, member.data_end, Packing::Deflate);
        magic = {bytes.data(), text.read(bytes)};
    }
    return packingOf(magic);
}

}  // namespace

Result<ZipDirectory> readZipDirectory(const std::string& path) {
    Result<InputFile> file = InputFile::open(path);
    if (!file.ok()) {
        return file.error();
    }
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    if (std::optional<std::vector<ZipMember>> members = listedMembers(path, error ? 0 : bytes)) {
        return ZipDirectory{*std::move(members), false};
    }
    std::vector<ZipMember> members = membersByHeaders(file.value(), error ? 0 : bytes);
    if (members.empty()) {
        return Error{path, std::nullopt, "is no zip archive, or a damaged one"};
    }
    return ZipDirectory{std::move(members), true};
}

Result<std::unique_ptr<ByteStream>> openZipMember(const FileSource& file) {
    const Result<ZipMember> place = placeOf(file);
    if (!place.ok()) {
        return place.error();
    }
    const ZipMember& member = place.value();
    if (!member.supported) {
        return Error{file.name(), std::nullopt, "is encrypted or packed in a way that is not supported"};
    }
    Result<InputFile> first = InputFile::open(file.path);
    Result<InputFile> input = InputFile::open(file.path);
    if (!first.ok() || !input.ok()) {
        return first.ok() ? input.error() : first.error();
    }
    const Packing inner = innerPacking(std::move(first).value(), member);
    const bool stored = member.packing == Packing::Stored;
    InputFile data = std::move(input).value();
    std::unique_ptr<ByteStream> stream;
    if (!stored && inner != Packing::Plain) {
        stream = std::make_unique<TwicePackedStream>(std::move(data), member.data_start, member.data_end, inner);
    } else if (inner == Packing::Zstd) {
        stream = std::make_unique<ZstdStream>(std::move(data), member.data_start, member.data_end);
    } else if (stored && inner == Packing::Plain) {
        stream = std::make_unique<PlainStream>(std::move(data), member.data_start, member.data_end, Packing::Stored);
    } else {
        const Packing packing = stored ? inner : Packing::Deflate;
        stream = std::make_unique<InflateStream>(std::move(data), member.data_start, member.data_end, packing);
    }
    return stream;
}

}  // namespace rankscope
