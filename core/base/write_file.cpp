// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// A file descriptor that the destructor closes.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { (void)close(); }

    [[nodiscard]] int number() const { return number_; }
    /// False if an earlier write turns out to have failed only now (network file systems).
    [[nodiscard]] bool close() {
        const int number = std::exchange(number_, -1);
        return number < 0 || ::close(number) == 0 || errno == EINTR;
    }

  private:
    int number_;
};

Error writeError(const std::string& path, int number) {
    return {path, std::nullopt, "cannot be written: " + std::generic_category().message(number)};
}

/// False, with the reason in errno, if not everything could be written.
bool writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
}

bool flushed(int descriptor) {
    // Some file systems have nothing to flush and say so.
    return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/// Standard output or error, if `path` leads to it: a replaced file would not be the one that the shell opened. Else
/// -1.
int standardStream(const std::string& path) {
    struct stat of_path {};
    if (path == "-") {
        return STDOUT_FILENO;
    }
    if (::stat(path.c_str(), &of_path) != 0) {
        return -1;
    }
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat of_stream {};
        if (::fstat(stream, &of_stream) == 0 && of_stream.st_dev == of_path.st_dev &&
            of_stream.st_ino == of_path.st_ino) {
            return stream;
        }
    }
    return -1;
}

std::optional<Error> writeThrough(const std::string& path, std::string_view text) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.number() < 0 || !writeAll(file.number(), text) || !file.close()) {
        return writeError(path, errno);
    }
    return std::nullopt;
}

/// Where `path` leads through symbolic links, which stay; also if nothing exists there yet.
fs::path linkTarget(const std::string& path) {
    std::error_code error;
    fs::path target = fs::canonical(path, error);
    if (!error) {
        return target;
    }
    target = fs::read_symlink(path, error);
    return error ? fs::path(path) : fs::path(path).parent_path() / target;
}

/// A new name in the folder of `target`: short, since the target's name may have the maximum length.
std::string nameBeside(const fs::path& target) {
    static std::atomic<unsigned> count = 0;
    return (target.parent_path() /
            (".rankscope-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + ".part"))
        .string();
}

/// Makes the rename survive a power failure. Best effort: not all file systems can.
void flushFolder(const fs::path& folder) {
    const Descriptor opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.number() >= 0) {
        (void)::fsync(opened.number());
    }
}

}  // namespace

std::optional<Error> writeFileAtomically(const std::string& path, std::string_view text) {
    if (const int stream = standardStream(path); stream >= 0) {
        (void)std::fflush(stream == STDOUT_FILENO ? stdout : stderr);
        return writeAll(stream, text) ? std::nullopt : std::optional(writeError(path, errno));
    }
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)) {
        return writeThrough(path, text);
    }
    if (exists && S_ISDIR(old.st_mode)) {
        return writeError(path, EISDIR);
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) {
        return writeError(path, errno);  // the folder would allow the rename, but the file itself is protected
    }
    const fs::path target = linkTarget(path);
    const std::string beside = nameBeside(target);
    constexpr mode_t kLikeAnyNewFile = 0666;  // minus the umask
    Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kLikeAnyNewFile));
    if (file.number() < 0) {
        return writeError(path, errno);
    }
    if ((exists && ::fchmod(file.number(), old.st_mode & 07777U) != 0) || !writeAll(file.number(), text) ||
        !flushed(file.number()) || !file.close() || ::rename(beside.c_str(), target.c_str()) != 0) {
        const int reason = errno;
        (void)::unlink(beside.c_str());
        return writeError(path, reason);
    }
    flushFolder(target.parent_path());
    return std::nullopt;
}

}  // namespace rankscope
