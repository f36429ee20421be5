// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/files/archive.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/load.h"

namespace rankscope {

/// The file with the name that FileSource::name() gives it: "logs/rank0.log", or "job.zip:rank0.log" for a member of an
/// archive that is there. Looks for the archive on disk, and reads nothing.
[[nodiscard]] FileSource fileNamed(const std::string& name);

/// The names of the files at a path: itself, the members of an archive, or what is in and below a folder, archives
/// included. Hidden files and links in folders are skipped, and archives that cannot be read.
[[nodiscard]] std::vector<std::string> filesAt(const std::string& path);

/// Opens files by their names, and reads the directory of each archive once.
class FileOpener {
  public:
    /// As openBytes().
    [[nodiscard]] Result<std::unique_ptr<ByteStream>> open(const std::string& name);

  private:
    std::map<std::string, Result<ArchiveDirectory>> archives_;
};

}  // namespace rankscope
