// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/holds_digest.h"

#include <array>

#include "core/digest/digest_file.h"
#include "core/ingest/files/input_file.h"

namespace rankscope {

bool holdsDigest(const FileSource& file) {
    if (!file.member.empty()) {
        return false;
    }
    Result<InputFile> opened = InputFile::open(file.path);
    if (!opened.ok()) {
        return false;
    }
    std::array<char, kDigestMagicBytes> bytes{};
    const std::size_t got = opened.value().read(bytes);
    return isDigest({bytes.data(), got});
}

}  // namespace rankscope
