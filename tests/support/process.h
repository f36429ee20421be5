// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rankscope::test {

/// What a program did.
struct ProcessResult {
    int code = -1;  ///< exit code; 127 where the program was not found; -1 where it was killed
    std::string out;
    std::string err;
};

/// Runs `arguments[0]`, found on the PATH, and waits for it. Standard input is empty.
[[nodiscard]] ProcessResult runProcess(const std::vector<std::string>& arguments);

/// A folder of its own that goes away with the object.
class ScratchFolder {
  public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Writes a file, its folders included, and returns its path.
    [[nodiscard]] std::string write(const std::string& name, const std::string& content) const;

  private:
    std::filesystem::path path_;
};

}  // namespace rankscope::test
