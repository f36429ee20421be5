// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/condense/content_hash.h"

#include <isa-l/crc64.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/zip_archive.h"

namespace rankscope {

Result<std::uint64_t> contentHash(const FileSource& file) {
    Result<InputFile> opened = InputFile::open(file.path);
    if (!opened.ok()) {
        return opened.error();
    }
    InputFile input = std::move(opened).value();
    std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
    if (file.place) {
        input.seek(file.place->data_start);
        left = file.place->data_end - file.place->data_start;
    }
    std::vector<char> piece(std::size_t{1} << 20U);
    std::uint64_t hash = 0;
    while (left > 0) {
        const std::size_t got = input.read({piece.data(), std::min<std::size_t>(piece.size(), left)});
        if (got == 0) {
            break;
        }
        hash = crc64_ecma_refl(hash, reinterpret_cast<const unsigned char*>(piece.data()), got);
        left -= got;
    }
    return hash;
}

}  // namespace rankscope
