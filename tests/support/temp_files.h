// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankscope::test {

/// A folder that is there for one test and removed with all that is in it.
class TempFolder {
  public:
    TempFolder();
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    TempFolder(TempFolder&&) = delete;
    TempFolder& operator=(TempFolder&&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Writes a file, with the folders above it; returns its path, which not every caller wants.
    std::string write(const std::string& name, std::string_view bytes) const;  // NOLINT(modernize-use-nodiscard)

  private:
    std::filesystem::path path_;
};

/// All bytes of a file; none where it cannot be read.
[[nodiscard]] std::string contentOf(const std::filesystem::path& path);

[[nodiscard]] std::string gzip(std::string_view text);
[[nodiscard]] std::string zstd(std::string_view text);
/// The text as `zstd --long` packs it, with a window of 2^`window_log` bytes.
[[nodiscard]] std::string zstdLong(std::string_view text, int window_log);
/// One entry of a tar (ustar) with its data: '0' a file, '2' a link to `link`, 'L' the long name of the next one.
[[nodiscard]] std::string tarEntry(const std::string& name, std::string_view text, char type = '0',
                                   const std::string& link = {});
/// A tar with the given members (name, text).
[[nodiscard]] std::string tar(const std::vector<std::pair<std::string, std::string>>& members);
/// Writes a zip with the given members (name, text), deflated.
void writeZip(const std::filesystem::path& path, const std::vector<std::pair<std::string, std::string>>& members);

}  // namespace rankscope::test
