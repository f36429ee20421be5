// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/content_hash.h"

#include <isa-l/crc64.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "core/ingest/files/archive.h"
#include "core/ingest/files/byte_stream.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

using MembersByName = std::map<std::string, std::shared_ptr<const ArchiveMember>>;

/// The members of an archive; of several with one name the last one, as when unpacking. The last archive is cached: all
/// of its members are requested one after the other.
std::shared_ptr<const MembersByName> membersOf(const std::string& path, std::uint64_t bytes) {
    static std::mutex mutex;
    static std::tuple<std::string, std::uint64_t, std::int64_t> known_key;
    static std::shared_ptr<const MembersByName> known;
    const std::tuple key(path, bytes, modifiedAt(path));
    const std::scoped_lock lock(mutex);
    if (!known || known_key != key) {
        auto members = std::make_shared<MembersByName>();
        const Result<ArchiveDirectory> archive = readArchiveDirectory(path);
        for (const ArchiveMember& member : archive.ok() ? archive.value().members : std::vector<ArchiveMember>()) {
            (*members)[member.name] = std::make_shared<const ArchiveMember>(member);
        }
        known = std::move(members);
        known_key = key;
    }
    return known;
}

/// The file, and the place of its member in an archive; nothing if there is none.
std::optional<FileSource> sourceAt(const std::string& path, const std::string& member) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    if (error) {
        return std::nullopt;
    }
    if (member.empty()) {
        return FileSource{path, "", bytes};
    }
    const std::shared_ptr<const MembersByName> members = membersOf(path, bytes);
    const auto found = members->find(member);
    return found == members->end()
               ? std::nullopt
               : std::optional(FileSource{path, member, found->second->packed_bytes, found->second});
}

/// The hash of the current content of a file. Each is read once: files may be huge, and each slice needs it.
std::optional<std::uint64_t> rememberedHash(const FileSource& file, std::int64_t modified_ns) {
    static std::mutex mutex;
    static std::map<std::tuple<std::string, std::string, std::uint64_t, std::int64_t>, std::uint64_t> known;
    const std::tuple key(file.path, file.member, file.bytes, modified_ns);
    {
        const std::scoped_lock lock(mutex);
        if (const auto at = known.find(key); at != known.end()) {
            return at->second;
        }
    }
    const Result<std::uint64_t> hash = contentHash(file);
    if (!hash.ok()) {
        return std::nullopt;
    }
    const std::scoped_lock lock(mutex);
    return known.try_emplace(key, hash.value()).first->second;
}

}  // namespace

Result<std::uint64_t> contentHash(const FileSource& file) {
    const Result<std::unique_ptr<ByteStream>> opened =
        file.place ? openPackedMember(file.path, *file.place) : SeekIndex().openAt(file.path, 0);
    if (!opened.ok()) {
        return opened.error();
    }
    std::vector<char> piece(std::size_t{1} << 20U);
    std::uint64_t hash = 0;
    while (const std::size_t got = opened.value()->read(piece)) {
        hash = crc64_ecma_refl(hash, reinterpret_cast<const unsigned char*>(piece.data()), got);
    }
    return hash;
}

std::int64_t modifiedAt(const std::string& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    const auto unix_time = std::chrono::file_clock::to_sys(time).time_since_epoch();
    return error ? 0 : std::chrono::duration_cast<std::chrono::nanoseconds>(unix_time).count();
}

bool hasSizeOf(const std::string& path, const TraceFile& file) {
    const std::optional<FileSource> there = sourceAt(path, file.member);
    return there && (file.bytes == 0 || there->bytes == file.bytes);  // 0: unknown
}

bool hasChanged(const TraceFile& file) {
    const std::int64_t modified_ns = modifiedAt(file.path);
    const std::optional<FileSource> there = sourceAt(file.path, file.member);
    if (!there || (file.bytes != 0 && there->bytes != file.bytes)) {
        return true;
    }
    if (modified_ns == file.modified_ns) {
        return false;
    }
    return !file.content_hash || rememberedHash(*there, modified_ns) != file.content_hash;
}

}  // namespace rankscope
