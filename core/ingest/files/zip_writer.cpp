// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/zip_writer.h"

#include <minizip/zip.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace rankscope {

class ZipWriter::File {
  public:
    explicit File(std::string path) : path_(std::move(path)) {
        static std::atomic<unsigned> count = 0;
        const std::string name = ".rankscope-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + ".part";
        part_ = (std::filesystem::path(path_).parent_path() / name).string();
        errno = 0;
        zip_ = zipOpen64(part_.c_str(), APPEND_STATUS_CREATE);
    }
    ~File() {
        if (zip_ != nullptr) {
            zipClose(zip_, nullptr);
            (void)::unlink(part_.c_str());
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    File(File&&) = delete;
    File& operator=(File&&) = delete;

    [[nodiscard]] bool isOpen() const { return zip_ != nullptr; }
    [[nodiscard]] Error failed() const {
        const std::string reason = errno != 0 ? std::strerror(errno) : "unknown error";
        return {path_, std::nullopt, "cannot be written: " + reason};
    }

    std::optional<Error> add(const std::string& name, InputFile& input, std::uint64_t most) {
        zip_fileinfo info{};
        info.tmz_date.tm_year = kFirstYear;
        info.tmz_date.tm_mday = 1;
        errno = 0;
        if (zipOpenNewFileInZip64(zip_, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED,
                                  Z_DEFAULT_COMPRESSION, 1) != ZIP_OK) {
            return failed();
        }
        buffer_.resize(kPiece);
        bool is_written = true;
        for (std::uint64_t left = most; is_written && left > 0;) {
            const std::size_t got = input.read({buffer_.data(), std::min<std::uint64_t>(buffer_.size(), left)});
            if (got == 0) {
                break;
            }
            left -= got;
            is_written = zipWriteInFileInZip(zip_, buffer_.data(), static_cast<unsigned>(got)) == ZIP_OK;
        }
        is_written = zipCloseFileInZip(zip_) == ZIP_OK && is_written;
        return is_written ? std::nullopt : std::optional(failed());
    }

    Result<std::uint64_t> finish() {
        errno = 0;
        const int closed = zipClose(std::exchange(zip_, nullptr), nullptr);
        std::error_code error;
        const std::uintmax_t bytes = std::filesystem::file_size(part_, error);
        if (closed != ZIP_OK || error || std::rename(part_.c_str(), path_.c_str()) != 0) {
            const Error why = failed();
            (void)::unlink(part_.c_str());
            return why;
        }
        return static_cast<std::uint64_t>(bytes);
    }

  private:
    static constexpr int kFirstYear = 1980;  // of a zip
    static constexpr std::size_t kPiece = std::size_t{1} << 18U;

    std::string path_;
    std::string part_;
    zipFile zip_ = nullptr;
    std::vector<char> buffer_;
};

Result<ZipWriter> ZipWriter::create(const std::string& path) {
    auto file = std::make_shared<File>(path);
    return file->isOpen() ? Result(ZipWriter(file)) : Result<ZipWriter>(file->failed());
}

std::optional<Error> ZipWriter::add(const std::string& name, InputFile& input, std::uint64_t most) {
    return file_->add(name, input, most);
}

Result<std::uint64_t> ZipWriter::finish() {
    return file_->finish();
}

}  // namespace rankscope
