// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/byte_stream.h"

namespace rankscope {

/// A file inside a zip.
struct ZipMember {
    std::string name;
    std::uint64_t packed_bytes = 0;
};

/// The files inside a zip, in the archive's order; no folders.
[[nodiscard]] Result<std::vector<ZipMember>> listZip(const std::string& path);

/// Opens a member that is stored or deflated. Fails for encrypted members and other methods.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openZipMember(const std::string& path, const std::string& member);

}  // namespace rankscope
