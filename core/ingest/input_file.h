// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"

namespace rankscope {

/// A file on disk, read in order.
class InputFile {
  public:
    /// Fails with the system's reason where the file cannot be opened or is no regular file.
    [[nodiscard]] static Result<InputFile> open(const std::string& path);

    /// Fills as much of `to` as there is.
    std::size_t read(std::span<char> to);
    void seek(std::uint64_t offset);
    [[nodiscard]] std::uint64_t position() const { return position_; }

  private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Closer> file_;
    std::uint64_t position_ = 0;
};

}  // namespace rankscope
