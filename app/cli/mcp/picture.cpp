// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp/picture.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "core/remote/child_process.h"

namespace rankscope::cli {
namespace {

constexpr int kNotFound = 127;

/// A folder of our own that is removed at the end.
class PictureFolder {
  public:
    PictureFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "rankscope-picture-XXXXXX").string();
        path_ = mkdtemp(pattern.data()) == nullptr ? std::filesystem::path() : std::filesystem::path(pattern);
    }
    PictureFolder(const PictureFolder&) = delete;
    PictureFolder& operator=(const PictureFolder&) = delete;
    ~PictureFolder() {
        std::error_code error;
        if (!path_.empty()) {
            std::filesystem::remove_all(path_, error);
        }
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// The program `rankscope` beside this one, else that on PATH.
std::string windowProgram() {
    std::error_code error;
    const auto beside = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "rankscope";
    return std::filesystem::exists(beside, error) ? beside.string() : std::string("rankscope");
}

std::string bytesOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Result<std::string> pictureOf(const Run& run, const TimeSpan& span, const std::stop_token& stop) {
    const PictureFolder folder;
    if (folder.path().empty()) {
        return Error{"picture", {}, "no temporary folder can be made"};
    }
    const std::filesystem::path file = folder.path() / "picture.png";
    std::set<std::string> paths;
    for (const auto& rank : run.ranks) {
        for (const TraceFile& read : rank->files) {
            paths.insert(read.path);
        }
    }
    ChildRequest request;
    request.arguments = {windowProgram(),
                         "--screenshot",
                         file.string(),
                         "--size",
                         fmt::format("{}x{}", kPictureWidth, kPictureHeight),
                         "--theme",
                         "light",
                         "--place",
                         fmt::format("{}:{}", span.start_ns, span.end_ns)};
    request.arguments.insert(request.arguments.end(), paths.begin(), paths.end());
    request.stop = stop;
    const ChildResult result = runChild(request);
    if (stop.stop_requested()) {
        return Cancelled();
    }
    if (result.code == kNotFound) {
        return Error{"picture",
                     {},
                     "needs the program rankscope, which is neither beside rankscope-cli nor on PATH; "
                     "query shows the same slices as rows"};
    }
    std::string png = bytesOf(file);
    if (result.code != 0 || png.empty()) {
        return Error{"picture", {}, fmt::format("rankscope ended with code {}: {}", result.code, result.err)};
    }
    return png;
}

std::string base64(std::string_view bytes) {
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::size_t kGroup = 3;
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += kGroup) {
        const std::string_view group = bytes.substr(at, kGroup);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < kGroup; ++i) {
            bits = (bits << 8U) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
        }
        for (std::size_t i = 0; i <= kGroup; ++i) {
            out += i <= group.size() ? kDigits[(bits >> (18U - 6U * static_cast<unsigned>(i))) & 0x3FU] : '=';
        }
    }
    return out;
}

}  // namespace rankscope::cli
