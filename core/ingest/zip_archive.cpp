// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/zip_archive.h"

#include <minizip/unzip.h>
#include <zlib.h>

#include <utility>

#include "core/ingest/input_file.h"
#include "core/ingest/packed_streams.h"

namespace rankscope {
namespace {

struct ZipCloser {
    void operator()(void* zip) const { unzClose(zip); }
};
using Zip = std::unique_ptr<void, ZipCloser>;

Error damaged(const std::string& path) {
    return {path, std::nullopt, "is no zip archive, or a damaged one"};
}

}  // namespace

Result<std::vector<ZipMember>> listZip(const std::string& path) {
    const Zip zip(unzOpen64(path.c_str()));
    if (!zip) {
        return damaged(path);
    }
    std::vector<ZipMember> members;
    for (int status = unzGoToFirstFile(zip.get()); status == UNZ_OK; status = unzGoToNextFile(zip.get())) {
        unz_file_info64 info{};
        unzGetCurrentFileInfo64(zip.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0);
        std::string name(info.size_filename, '\0');
        // minizip writes a closing zero where there is room; a string has room for it.
        if (unzGetCurrentFileInfo64(zip.get(), &info, name.data(), name.size() + 1, nullptr, 0, nullptr, 0) != UNZ_OK) {
            return damaged(path);
        }
        if (!name.empty() && name.back() != '/') {
            members.push_back({std::move(name), info.compressed_size});
        }
    }
    return members;
}

Result<std::unique_ptr<ByteStream>> openZipMember(const std::string& path, const std::string& member) {
    const Zip zip(unzOpen64(path.c_str()));
    if (!zip) {
        return damaged(path);
    }
    unz_file_info64 info{};
    int method = 0;
    int level = 0;
    constexpr int kCaseSensitive = 1;
    constexpr int kRaw = 1;
    if (unzLocateFile(zip.get(), member.c_str(), kCaseSensitive) != UNZ_OK ||
        unzGetCurrentFileInfo64(zip.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK ||
        unzOpenCurrentFile2(zip.get(), &method, &level, kRaw) != UNZ_OK) {
        return Error{path, std::nullopt, "has no readable member \"" + member + "\""};
    }
    const std::uint64_t start = unzGetCurrentFileZStreamPos64(zip.get());
    unzCloseCurrentFile(zip.get());
    constexpr uLong kEncrypted = 1;
    if ((info.flag & kEncrypted) != 0 || (method != 0 && method != Z_DEFLATED)) {
        return Error{path, std::nullopt,
                     "member \"" + member + "\" is encrypted or packed in a way that is not supported"};
    }
    Result<InputFile> file = InputFile::open(path);
    if (!file.ok()) {
        return file.error();
    }
    const std::uint64_t end = start + info.compressed_size;
    std::unique_ptr<ByteStream> stream;
    if (method == 0) {
        stream = std::make_unique<PlainStream>(std::move(file).value(), start, end, Packing::Stored);
    } else {
        stream = std::make_unique<InflateStream>(std::move(file).value(), start, end, Packing::Deflate);
    }
    return stream;
}

}  // namespace rankscope
