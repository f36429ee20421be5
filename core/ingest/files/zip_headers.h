// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/ingest/files/input_file.h"
#include "core/ingest/files/zip_archive.h"

namespace rankscope {

/// The members of a zip without its directory, by the header in front of the data of each (APPNOTE.TXT 4.3.7). Headers
/// that do not say how long their data are, and damaged ones, are passed over by looking for the next one: at worst one
/// pass over the archive, which has `archive_bytes`. Data that the archive is cut in end where it does.
[[nodiscard]] std::vector<ZipMember> membersByHeaders(InputFile& archive, std::uint64_t archive_bytes);

}  // namespace rankscope
