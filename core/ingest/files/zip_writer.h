// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/ingest/files/input_file.h"

namespace rankscope {

/// Writes a zip next to its final place, and renames it when it is complete. What is not finished is removed. The same
/// members give the same bytes: times are not stored.
class ZipWriter {
  public:
    /// Fails with the system's reason if nothing can be written there.
    [[nodiscard]] static Result<ZipWriter> create(const std::string& path);

    /// Adds a member with the next bytes of `input`: up to `most`, or to its end. Returns why that failed, or nothing.
    /// Any name is stored as it is.
    [[nodiscard]] std::optional<Error> add(const std::string& name, InputFile& input, std::uint64_t most);
    /// Completes the zip at its place, and returns its size. Nothing can be added after it.
    [[nodiscard]] Result<std::uint64_t> finish();

  private:
    class File;
    explicit ZipWriter(std::shared_ptr<File> file) : file_(std::move(file)) {}

    std::shared_ptr<File> file_;
};

}  // namespace rankscope
