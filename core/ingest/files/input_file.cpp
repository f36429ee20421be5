// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/ingest/files/byte_stream.h"

namespace rankscope {
namespace {

std::string kindOf(mode_t mode) {
    switch (mode & S_IFMT) {
        case S_IFREG: return {};
        case S_IFDIR: return "is a folder, not a file";
        case S_IFIFO: return "is a pipe, not a file";
        case S_IFSOCK: return "is a socket, not a file";
        default: return "is a device, not a file";
    }
}

}  // namespace

std::string whyNoFile(const std::string& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? kindOf(info.st_mode) : std::string();
}

std::vector<std::string> filesBelow(const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code error;
    std::vector<std::string> found;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    while (!error && at != fs::recursive_directory_iterator()) {
        std::error_code ignored;
        if (at->path().filename().string().starts_with('.')) {
            at.disable_recursion_pending();
        } else if (!at->is_symlink(ignored) && at->is_regular_file(ignored)) {
            found.push_back(at->path().string());
        }
        at.increment(error);
    }
    std::ranges::sort(found);
    return found;
}

InputFile::InputFile() = default;
InputFile::InputFile(InputFile&&) noexcept = default;
InputFile& InputFile::operator=(InputFile&&) noexcept = default;
InputFile::~InputFile() = default;

Result<InputFile> InputFile::open(const std::string& path) {
    // So as not to wait for the other end of a pipe; it has no effect on a regular file.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) {
        const std::string reason = std::strerror(errno);
        const std::string kind = whyNoFile(path);
        return Error{path, std::nullopt, kind.empty() ? "cannot be opened: " + reason : kind};
    }
    struct stat info {};
    const std::string kind = ::fstat(descriptor, &info) == 0 ? kindOf(info.st_mode) : std::string();
    InputFile file;
    if (kind.empty()) {
        file.file_.reset(::fdopen(descriptor, "rb"));
    }
    if (!file.file_) {
        const std::string reason = std::strerror(errno);
        ::close(descriptor);
        return Error{path, std::nullopt, kind.empty() ? "cannot be opened: " + reason : kind};
    }
    // We read in large pieces ourselves; a second buffer would only copy.
    std::setvbuf(file.file_.get(), nullptr, _IONBF, 0);
    return file;
}

InputFile InputFile::over(std::unique_ptr<ByteStream> stream) {
    InputFile file;
    file.stream_ = std::move(stream);
    return file;
}

std::size_t InputFile::read(std::span<char> to) {
    const std::size_t got = stream_ ? stream_->read(to) : std::fread(to.data(), 1, to.size(), file_.get());
    position_ += got;
    return got;
}

void InputFile::seek(std::uint64_t offset) {
    if (file_ && offset != position_ && fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0) {
        position_ = offset;
    }
}

std::uint64_t InputFile::diskPosition() const {
    return stream_ ? stream_->diskPosition() : position_;
}

}  // namespace rankscope
