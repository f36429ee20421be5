// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"

namespace rankscope {

class ByteStream;

/// What `path` names, where it is no regular file: "is a pipe, not a file". Empty if it is one, or is not there.
/// Follows links; opens nothing.
[[nodiscard]] std::string whyNoFile(const std::string& path);

/// Bytes that are read in order: those of a file on disk, or what another stream unpacks.
class InputFile {
  public:
    /// Fails with the system's reason where the file cannot be opened, and with what it is where it is no regular file:
    /// a pipe or a device might never end, and opening one may wait for ever.
    [[nodiscard]] static Result<InputFile> open(const std::string& path);
    /// The text of `stream`, from its start on. It cannot be sought.
    [[nodiscard]] static InputFile over(std::unique_ptr<ByteStream> stream);

    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    InputFile(InputFile&&) noexcept;
    InputFile& operator=(InputFile&&) noexcept;
    ~InputFile();

    /// Fills as much of `to` as there is.
    std::size_t read(std::span<char> to);
    void seek(std::uint64_t offset);
    [[nodiscard]] bool seekable() const { return file_ != nullptr; }
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// Bytes of the file on disk that were used so far.
    [[nodiscard]] std::uint64_t diskPosition() const;

  private:
    InputFile();

    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Closer> file_;
    std::unique_ptr<ByteStream> stream_;
    std::uint64_t position_ = 0;
};

}  // namespace rankscope
