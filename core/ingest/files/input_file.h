// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace rankscope {

class ByteStream;

/// What `path` is, if it is not a regular file: "is a pipe, not a file". Empty if it is one, or if it does not exist.
/// Follows links; opens nothing.
[[nodiscard]] std::string whyNoFile(const std::string& path);

/// The regular files in and below a folder, sorted by path. Hidden files and folders, and links, are skipped, and what
/// cannot be read.
[[nodiscard]] std::vector<std::string> filesBelow(const std::string& folder);

/// Follows the reading of several files, and may end it.
struct ReadingOfFiles {
    std::stop_token stop = {};  ///< ends it early: what was read by then is incomplete
    /// More of a file was read: its index, and its bytes on disk so far. Called on the thread that reads.
    std::function<void(std::size_t file, std::uint64_t done)> progressed = {};
};

/// Bytes that are read in order: of a file on disk, or from another stream.
class InputFile {
  public:
    /// Fails with the system's reason if the file cannot be opened, and with its kind if it is not a regular file: a
    /// pipe or a device might never end, and opening one may wait forever.
    [[nodiscard]] static Result<InputFile> open(const std::string& path);
    /// The text of `stream`, from its start. It cannot seek.
    [[nodiscard]] static InputFile over(std::unique_ptr<ByteStream> stream);

    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&& other) noexcept;
    ~InputFile();

    /// Fills `to` with the next bytes; fewer only at the end.
    std::size_t read(std::span<char> to);
    void seek(std::uint64_t offset);
    [[nodiscard]] bool seekable() const { return file_ != nullptr; }
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// Bytes of the file on disk consumed so far.
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
