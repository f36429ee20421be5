// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/input_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace rankscope {

Result<InputFile> InputFile::open(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return Error{path, std::nullopt, "is a folder, not a file"};
    }
    InputFile file;
    file.file_.reset(std::fopen(path.c_str(), "rb"));
    if (!file.file_) {
        return Error{path, std::nullopt, std::string("cannot be opened: ") + std::strerror(errno)};
    }
    // We read in large pieces ourselves; a second buffer would only copy.
    std::setvbuf(file.file_.get(), nullptr, _IONBF, 0);
    return file;
}

std::size_t InputFile::read(std::span<char> to) {
    const std::size_t got = std::fread(to.data(), 1, to.size(), file_.get());
    position_ += got;
    return got;
}

void InputFile::seek(std::uint64_t offset) {
    if (offset != position_ && fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0) {
        position_ = offset;
    }
}

}  // namespace rankscope
