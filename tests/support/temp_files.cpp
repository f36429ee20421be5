// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/temp_files.h"

#define ZLIB_CONST  // zlib does not write to what it compresses
#include <minizip/zip.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace rankscope::test {

TempFolder::TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rankscope-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("no temporary folder");
    }
    path_ = pattern;
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::write(const std::string& name, std::string_view bytes) const {
    const std::filesystem::path path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path.string();
}

std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string gzip(std::string_view text) {
    constexpr int kGzip = 15 + 16;
    z_stream zip{};
    deflateInit2(&zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&zip, text.size()) + 64, '\0');
    zip.next_in = reinterpret_cast<const Bytef*>(text.data());
    zip.avail_in = static_cast<uInt>(text.size());
    zip.next_out = reinterpret_cast<Bytef*>(out.data());
    zip.avail_out = static_cast<uInt>(out.size());
    deflate(&zip, Z_FINISH);
    out.resize(zip.total_out);
    deflateEnd(&zip);
    return out;
}

std::string zstd(std::string_view text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

std::string zstdLong(std::string_view text, int window_log) {
    ZSTD_CCtx* const packer = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(packer, ZSTD_c_windowLog, window_log);
    std::string out(ZSTD_compressBound(text.size()) + 64, '\0');
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    ZSTD_outBuffer packed{out.data(), out.size(), 0};
    // What is given bit by bit, as from a pipe, is packed without knowing its size: the window is not made smaller.
    ZSTD_compressStream2(packer, &packed, &in, ZSTD_e_flush);
    ZSTD_compressStream2(packer, &packed, &in, ZSTD_e_end);
    ZSTD_freeCCtx(packer);
    out.resize(packed.pos);
    return out;
}

std::string tarEntry(const std::string& name, std::string_view text, char type, const std::string& link) {
    constexpr std::size_t kBlock = 512;
    std::string header(kBlock, '\0');
    const auto put = [&header](std::size_t at, std::size_t size, const std::string& value) {
        header.replace(at, std::min(size, value.size()), value, 0, size);
    };
    const auto octal = [](std::uint64_t value, std::size_t digits) {
        std::string out(digits, '0');
        for (std::size_t i = digits; i > 0; --i, value /= 8) {
            out[i - 1] = static_cast<char>('0' + value % 8);
        }
        return out;
    };
    put(0, 100, name);
    put(100, 8, "0000644");
    put(124, 12, octal(text.size(), 11));
    put(136, 12, octal(0, 11));
    put(148, 8, std::string(8, ' '));
    header[156] = type;
    put(157, 100, link);
    put(257, 6, "ustar");
    put(263, 2, "00");
    std::uint64_t sum = 0;
    for (const char byte : header) {
        sum += static_cast<unsigned char>(byte);
    }
    put(148, 7, octal(sum, 6) + std::string(1, '\0'));
    std::string entry = header + std::string(text);
    entry.resize((entry.size() + kBlock - 1) / kBlock * kBlock, '\0');
    return entry;
}

std::string tar(const std::vector<std::pair<std::string, std::string>>& members) {
    std::string out;
    for (const auto& [name, text] : members) {
        out += tarEntry(name, text);
    }
    return out + std::string(1024, '\0');
}

void writeZip(const std::filesystem::path& path, const std::vector<std::pair<std::string, std::string>>& members) {
    zipFile zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
    for (const auto& [name, text] : members) {
        const zip_fileinfo info{};
        zipOpenNewFileInZip64(zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED,
                              Z_DEFAULT_COMPRESSION, 0);
        zipWriteInFileInZip(zip, text.data(), static_cast<unsigned>(text.size()));
        zipCloseFileInZip(zip);
    }
    zipClose(zip, nullptr);
}

}  // namespace rankscope::test
