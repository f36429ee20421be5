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

/// A file inside an archive, and where its data are.
struct ArchiveMember {
    std::string name;                ///< as the archive has it: a name, and never a place on this disk
    std::uint64_t packed_bytes = 0;  ///< what it takes in the archive, or in the text of a compressed tar
    std::uint64_t data_start = 0;    ///< in the archive, or in the text of a compressed tar
    std::uint64_t data_end = 0;      ///< no farther than the archive's end
    Packing packing = Packing::Stored;
    bool supported = true;  ///< false: encrypted, sparse, or packed in another way than Stored and Deflate
    /// Of a compressed tar: how to find bytes of its text again. Null where the data are in the file itself.
    std::shared_ptr<const SeekIndex> around = nullptr;
    std::shared_ptr<TextPool> pool = nullptr;  ///< of `around`, where many members are opened (shareTexts)
};

/// The content of an archive.
struct ArchiveDirectory {
    std::vector<ArchiveMember> members;  ///< in the archive's order; files only. A name may occur more than once
    /// What is wrong with the archive, as where a download broke off: the members are those before that place, and the
    /// last of them may be cut. Empty if nothing is.
    std::string damage;
};

/// Whether a file of that name is an archive with members: .zip, .tar, .tar.gz, .tgz or .tar.zst.
[[nodiscard]] bool isArchiveName(std::string_view name);

/// Reads the directory of an archive: linear in its members for a zip and a plain tar. A compressed tar is unpacked
/// once. Fails where it is no regular file, where no members can be found, and where it unpacks to more than is
/// believed (core/ingest/bounds.h).
[[nodiscard]] Result<ArchiveDirectory> readArchiveDirectory(const std::string& path);

/// The same of a zip: by its directory, or, where that is missing or damaged, by the headers in front of the data.
[[nodiscard]] Result<ArchiveDirectory> readZipDirectory(const std::string& path);
/// The same of a tar (ustar, pax, GNU, v7), plain or packed with gzip or zstd, which its first bytes say. Of a plain
/// one only the headers are read. Links are left out.
[[nodiscard]] Result<ArchiveDirectory> readTarDirectory(const std::string& path);

/// Opens a member, and unpacks it once more where it is a gzip or zstd itself. Uses `file.place`, or else reads the
/// directory, and takes the last member of that name. Fails for members that are not supported, with the member in the
/// error's path.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openArchiveMember(const FileSource& file);

/// Makes the members of one compressed tar that are among `files` share what unpacks it, as long as these files live.
/// The order to open them in so that this is of most use: that of the archives' text.
[[nodiscard]] std::vector<std::size_t> shareTexts(std::vector<FileSource>& files);

/// The bytes of a member as they are in the archive, or in the text of a compressed tar.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openPackedMember(const std::string& path,
                                                                   const ArchiveMember& member);

}  // namespace rankscope
