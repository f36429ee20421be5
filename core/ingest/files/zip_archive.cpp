// SPDX-License-Identifier: GPL-3.0-or-later
#include <minizip/unzip.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ingest/files/archive.h"
#include "core/ingest/files/input_file.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMemberSignature = "PK\x03\x04"sv;
constexpr std::string_view kDirectorySignature = "PK\x01\x02"sv;
constexpr std::size_t kHeaderBytes = 30;
constexpr std::size_t kScannedAtOnce = std::size_t{64} * 1024;
constexpr std::uint32_t kInExtraField = 0xffffffff;

std::uint64_t littleEndian(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = count; i > 0; --i) {
        value = (value << 8U) | static_cast<unsigned char>(bytes[at + i - 1]);
    }
    return value;
}

/// The second number of a zip64 extra field, the packed size, if the header refers to it.
std::optional<std::uint64_t> sizeInExtra(std::string_view extra) {
    constexpr std::uint64_t kZip64 = 1;
    while (extra.size() >= 4) {
        const std::uint64_t id = littleEndian(extra, 0, 2);
        const std::size_t size = std::min<std::size_t>(littleEndian(extra, 2, 2), extra.size() - 4);
        if (id == kZip64 && size >= 16) {
            return littleEndian(extra, 4 + 8, 8);
        }
        extra.remove_prefix(4 + size);
    }
    return std::nullopt;
}

class HeaderWalk {
  public:
    HeaderWalk(InputFile& archive, std::uint64_t archive_bytes) : archive_(archive), archive_bytes_(archive_bytes) {}

    std::vector<ArchiveMember> run() {
        std::vector<ArchiveMember> members;
        ArchiveMember* unended = nullptr;  // the previous member, if its header does not have its length
        for (std::uint64_t at = 0; at < archive_bytes_;) {
            at = nextHeader(at);
            if (unended != nullptr) {
                unended->data_end = at;
                unended->packed_bytes = at - unended->data_start;
                unended = nullptr;
            }
            std::optional<ArchiveMember> member = memberAt(at);
            if (!member) {  // no more members, or one that is cut in its header
                break;
            }
            const bool known = member->data_end != 0;
            at = known ? member->data_end : member->data_start;
            if (!member->name.ends_with('/')) {
                members.push_back(*std::move(member));
                unended = known ? nullptr : &members.back();
            }
        }
        if (unended != nullptr) {
            unended->data_end = archive_bytes_;
        }
        return members;
    }

  private:
    std::string readAt(std::uint64_t at, std::size_t count) {
        std::string bytes(count, '\0');
        archive_.seek(at);
        bytes.resize(archive_.read(bytes));
        return bytes;
    }

    /// The next header-like place at or after `at`; the end of the members if there is none.
    std::uint64_t nextHeader(std::uint64_t at) {
        if (looksLikeMember(readAt(at, kHeaderBytes))) {
            return at;
        }
        while (at < archive_bytes_) {
            const std::string piece = readAt(at, kScannedAtOnce + kHeaderBytes);
            for (std::size_t i = piece.find("PK"); i < kScannedAtOnce; i = piece.find("PK", i + 1)) {
                const std::string_view header = std::string_view(piece).substr(i);
                if (looksLikeMember(header)) {
                    return at + i;
                }
                if (header.starts_with(kDirectorySignature)) {
                    return archive_bytes_;
                }
            }
            at += kScannedAtOnce;
        }
        return archive_bytes_;
    }

    /// Whether a place with the signature looks like a header, which compressed data rarely does by chance.
    static bool looksLikeMember(std::string_view header) {
        constexpr std::uint64_t kNewestVersion = 63;
        constexpr std::uint64_t kMethods = 100;
        return header.size() >= kHeaderBytes && header.starts_with(kMemberSignature) &&
               littleEndian(header, 4, 2) <= kNewestVersion && littleEndian(header, 8, 2) < kMethods &&
               littleEndian(header, 26, 2) > 0;
    }

    /// The member whose header is at `at`, with `data_end` 0 if the header does not have it.
    std::optional<ArchiveMember> memberAt(std::uint64_t at) {
        const std::string header = readAt(at, kHeaderBytes);
        if (!looksLikeMember(header)) {
            return std::nullopt;
        }
        const std::uint64_t flags = littleEndian(header, 6, 2);
        const std::uint64_t method = littleEndian(header, 8, 2);
        const std::size_t name_size = littleEndian(header, 26, 2);
        const std::size_t extra_size = littleEndian(header, 28, 2);
        const std::string rest = readAt(at + kHeaderBytes, name_size + extra_size);
        if (rest.size() < name_size + extra_size) {
            return std::nullopt;
        }
        constexpr unsigned kEncrypted = 1;
        constexpr unsigned kSizeBehindData = 8;
        ArchiveMember member;
        member.name = rest.substr(0, name_size);
        member.data_start = at + kHeaderBytes + rest.size();
        member.packing = method == 0 ? Packing::Stored : Packing::Deflate;
        member.supported = (flags & kEncrypted) == 0 && (method == 0 || method == Z_DEFLATED);
        std::uint64_t size = littleEndian(header, 18, 4);
        if (size == kInExtraField) {
            size = sizeInExtra(std::string_view(rest).substr(name_size)).value_or(0);
        }
        if (size != 0 || (flags & kSizeBehindData) == 0) {
            member.packed_bytes = size;
            member.data_end = member.data_start + std::min(size, archive_bytes_ - member.data_start);
        }
        return member;
    }

    InputFile& archive_;
    std::uint64_t archive_bytes_;
};

/// The members of a zip without its directory, from the header before the data of each (APPNOTE.TXT 4.3.7). After
/// headers without a length, and damaged ones, it searches the next header: at worst one pass over the archive, which
/// has `archive_bytes`. Data cut off by the archive's end ends there.
std::vector<ArchiveMember> membersByHeaders(InputFile& archive, std::uint64_t archive_bytes) {
    return HeaderWalk(archive, archive_bytes).run();
}

struct ZipCloser {
    void operator()(void* zip) const { unzClose(zip); }
};
using Zip = std::unique_ptr<void, ZipCloser>;

constexpr unsigned kEncrypted = 1;

/// The current member of minizip; nothing if its entry cannot be read.
std::optional<ArchiveMember> currentMember(void* zip, std::uint64_t archive_bytes) {
    unz_file_info64 info{};
    if (unzGetCurrentFileInfo64(zip, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
        return std::nullopt;
    }
    ArchiveMember member;
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

/// The members from the archive's directory; nothing if that is missing or damaged.
std::optional<std::vector<ArchiveMember>> listedMembers(const std::string& path, std::uint64_t archive_bytes) {
    const Zip zip(unzOpen64(path.c_str()));
    if (!zip) {
        return std::nullopt;
    }
    std::vector<ArchiveMember> members;
    int status = unzGoToFirstFile(zip.get());
    for (; status == UNZ_OK; status = unzGoToNextFile(zip.get())) {
        std::optional<ArchiveMember> member = currentMember(zip.get(), archive_bytes);
        if (!member) {
            return std::nullopt;
        }
        if (!member->name.empty() && member->name.back() != '/') {
            members.push_back(*std::move(member));
        }
    }
    return status == UNZ_END_OF_LIST_OF_FILE ? std::optional(std::move(members)) : std::nullopt;
}

}  // namespace

Result<ArchiveDirectory> readZipDirectory(const std::string& path) {
    Result<InputFile> file = InputFile::open(path);
    if (!file.ok()) {
        return file.error();
    }
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    if (std::optional<std::vector<ArchiveMember>> members = listedMembers(path, error ? 0 : bytes)) {
        return ArchiveDirectory{*std::move(members), {}};
    }
    std::vector<ArchiveMember> members = membersByHeaders(file.value(), error ? 0 : bytes);
    if (members.empty()) {
        return Error{path, std::nullopt, "is not a zip archive, or is damaged"};
    }
    return ArchiveDirectory{std::move(members),
                            "is cut off or damaged: its directory is missing, and only the files before it are read"};
}

}  // namespace rankscope
