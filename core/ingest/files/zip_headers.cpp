// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/zip_headers.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

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

/// A zip64 extra field's second number, the packed size, where the header leaves it to that.
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

    std::vector<ZipMember> run() {
        std::vector<ZipMember> members;
        ZipMember* unended = nullptr;  // the member before, where its header does not say how long it is
        for (std::uint64_t at = 0; at < archive_bytes_;) {
            at = nextHeader(at);
            if (unended != nullptr) {
                unended->data_end = at;
                unended->packed_bytes = at - unended->data_start;
                unended = nullptr;
            }
            std::optional<ZipMember> member = memberAt(at);
            if (!member) {  // no more, or one that is cut in its header
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

    /// The next header that looks like one at or after `at`; the end of the members where there is none.
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

    /// Whether compressed data that happens to hold the signature is unlikely to look so.
    static bool looksLikeMember(std::string_view header) {
        constexpr std::uint64_t kNewestVersion = 63;
        constexpr std::uint64_t kMethods = 100;
        return header.size() >= kHeaderBytes && header.starts_with(kMemberSignature) &&
               littleEndian(header, 4, 2) <= kNewestVersion && littleEndian(header, 8, 2) < kMethods &&
               littleEndian(header, 26, 2) > 0;
    }

    /// The member whose header stands at `at`, with `data_end` 0 where the header does not say it.
    std::optional<ZipMember> memberAt(std::uint64_t at) {
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
        ZipMember member;
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

}  // namespace

std::vector<ZipMember> membersByHeaders(InputFile& archive, std::uint64_t archive_bytes) {
    return HeaderWalk(archive, archive_bytes).run();
}

}  // namespace rankscope
