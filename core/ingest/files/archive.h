// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/load.h"

namespace rankscope {

class TextPool;  // core/ingest/files/text_pool.h

/// A file inside an archive, and where its data is.
struct ArchiveMember {
    std::string name;                ///< as in the archive: a name, never a path on this disk
    std::uint64_t packed_bytes = 0;  ///< its size in the archive, or in the text of a compressed tar
    std::uint64_t data_start = 0;    ///< in the archive, or in the text of a compressed tar
    std::uint64_t data_end = 0;      ///< up to the archive's end
    Packing packing = Packing::Stored;
    bool supported = true;  ///< false: encrypted, sparse, or packed in another way than Stored and Deflate
    /// For a compressed tar: how to find bytes of its text again. Null if the data is in the file itself.
    std::shared_ptr<const SeekIndex> around = nullptr;
    std::shared_ptr<TextPool> pool = nullptr;  ///< shared texts of `around`, if many members are opened (shareTexts())
};

/// The content of an archive.
struct ArchiveDirectory {
    std::vector<ArchiveMember> members;  ///< in the archive's order; files only. A name may occur more than once
    /// What is wrong with the archive, for example an interrupted download: the members are those before that place,
    /// and the last of them may be cut. Empty if nothing is.
    std::string damage;
};

/// Whether a file of that name is an archive with members: .zip, .tar, .tar.gz, .tgz or .tar.zst.
[[nodiscard]] bool isArchiveName(std::string_view name);

/// Reads the directory of an archive: linear in its members for a zip and a plain tar. A compressed tar is unpacked
/// once. Fails if it is not a regular file, if no members can be found, or if it unpacks to more than is accepted
/// (core/ingest/bounds.h).
[[nodiscard]] Result<ArchiveDirectory> readArchiveDirectory(const std::string& path);

/// The same for a zip: by its directory or, if that is missing or damaged, by the headers before the data.
[[nodiscard]] Result<ArchiveDirectory> readZipDirectory(const std::string& path);
/// The same for a tar (ustar, pax, GNU, v7), plain or packed with gzip or zstd, as its first bytes show. For a plain
/// one only the headers are read. Links are left out.
[[nodiscard]] Result<ArchiveDirectory> readTarDirectory(const std::string& path);

/// Opens a member, and unpacks it once more if it is a gzip or zstd itself. Uses `file.place`, or else reads the
/// directory, and takes the last member of that name. Fails for unsupported members, with the member in the error's
/// path.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openArchiveMember(const FileSource& file);

/// Makes those of `files` that are members of one compressed tar share its unpacked streams, as long as these files
/// exist. Returns the order in which opening them is fastest: that of the archives' text.
[[nodiscard]] std::vector<std::size_t> shareTexts(std::vector<FileSource>& files);

/// The bytes of a member as stored in the archive, or in the text of a compressed tar.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openPackedMember(const std::string& path,
                                                                   const ArchiveMember& member);

}  // namespace rankscope
