// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/files/byte_stream.h"

namespace rankscope {

/// A file inside a zip, and where its data are.
struct ZipMember {
    std::string name;
    std::uint64_t packed_bytes = 0;
    std::uint64_t data_start = 0;  ///< in the archive
    std::uint64_t data_end = 0;    ///< no farther than the archive's end
    Packing packing = Packing::Stored;
    bool supported = true;  ///< false: encrypted, or packed in another way than Stored and Deflate
};

/// The content of a zip.
struct ZipDirectory {
    std::vector<ZipMember> members;  ///< in the archive's order; no folders. A name may occur more than once
    /// The archive's own directory is missing or damaged, as where a download broke off: the members were found by the
    /// headers in front of their data, and the last of them may be cut.
    bool rebuilt = false;
};

/// Reads the directory of a zip: linear in its members. Fails where it is no regular file, or no members can be found.
[[nodiscard]] Result<ZipDirectory> readZipDirectory(const std::string& path);

/// Opens a member that is stored or deflated, and unpacks it once more where it is a gzip or zstd itself. Uses
/// `file.place`, or else reads the directory, and takes the last member of that name. Fails for encrypted members and
/// other methods, with the member in the error's path.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openZipMember(const FileSource& file);

}  // namespace rankscope
