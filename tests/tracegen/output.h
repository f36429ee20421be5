// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace rankscope::tracegen {

/// Where a file's bytes go. Errors throw std::runtime_error.
class Output {
  public:
    Output() = default;
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    virtual ~Output() = default;
    virtual void write(std::string_view bytes) = 0;
    /// Must be the last call.
    virtual void close() = 0;
};

/// Keeps the bytes.
class StringOutput : public Output {
  public:
    void write(std::string_view bytes) override { text_.append(bytes); }
    void close() override {}
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
};

/// A file, compressed where its name ends in `.gz` (without a time in its header); `-` is standard output.
[[nodiscard]] std::unique_ptr<Output> openOutput(const std::filesystem::path& path);
/// What is in a file that openOutput() wrote, uncompressed.
[[nodiscard]] std::string readOutput(const std::filesystem::path& path);

}  // namespace rankscope::tracegen
