// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/column.h"

#include <zstd.h>

#include <memory>
#include <new>

namespace rankscope {
namespace {

/// Above this, packing the columns of a rank takes longer than reading its trace, for one per cent less.
constexpr int kLevel = 15;

/// No column is longer: one of a trace of 100 GB would be this long.
constexpr std::uint64_t kLongestColumn = std::uint64_t{1} << 32U;

/// Whether zstd can pack this many bytes into so few: a block has at most 128 KiB and takes at least 4 bytes (RFC 8878,
/// 3.1.1.2). Larger sizes are rejected, so no memory is allocated for them.
constexpr bool canBePacked(std::uint64_t size, std::uint64_t packed_size) {
    constexpr std::uint64_t kMostOfABlock = std::uint64_t{128} * 1024;
    constexpr std::uint64_t kLeastOfABlock = 4;
    return size / kMostOfABlock <= packed_size / kLeastOfABlock;
}

}  // namespace

void ColumnReader::fail(const std::string& why) const {
    throw DigestFault("its column " + std::string(name_) + " " + why);
}

std::uint64_t ColumnReader::getLong() {
    constexpr unsigned kBits = 64;
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < kBits && !bytes_.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes_.front());
        bytes_.remove_prefix(1);
        const std::uint64_t part = byte & 127U;
        if (shift == 63 && part > 1) {
            fail("contains a number of more than 64 bits");
        }
        number |= part << shift;
        if (byte < 128) {
            return number;
        }
    }
    fail(bytes_.empty() ? "ends too early" : "contains a number of more than 64 bits");
}

std::string_view ColumnReader::getText() {
    const std::size_t length = getCount();
    const std::string_view text = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return text;
}

std::size_t ColumnReader::getCount() {
    const std::uint64_t count = get();
    if (count > bytes_.size()) {
        fail("ends too early");
    }
    return static_cast<std::size_t>(count);
}

void ColumnReader::expectAtLeast(std::uint64_t count) const {
    if (count > bytes_.size()) {
        fail("ends too early");
    }
}

void ColumnReader::expectEnd() const {
    if (!bytes_.empty()) {
        fail("contains more than it should");
    }
}

std::string packBytes(std::string_view bytes) {
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    const std::size_t size = ZSTD_compress2(context.get(), packed.data(), packed.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0U) {
        throw DigestFault(std::string("a column cannot be compressed: ") + ZSTD_getErrorName(size));
    }
    packed.resize(size);
    return packed;
}

void Unpacker::Free::operator()(ZSTD_DCtx_s* state) const {
    ZSTD_freeDCtx(state);
}

Unpacker::Unpacker() : state_(ZSTD_createDCtx()) {
    if (!state_) {
        throw std::bad_alloc();
    }
}

std::string Unpacker::unpack(std::string_view name, std::string_view packed, std::uint64_t size) {
    const auto fail = [&](const std::string& why) -> std::string {
        throw DigestFault("its column " + std::string(name) + " is damaged (" + why + ")");
    };
    if (size > kLongestColumn || !canBePacked(size, packed.size()) ||
        ZSTD_getFrameContentSize(packed.data(), packed.size()) != size) {
        return fail("it has the wrong length");
    }
    std::string bytes(size, '\0');
    const std::size_t got = ZSTD_decompressDCtx(state_.get(), bytes.data(), bytes.size(), packed.data(), packed.size());
    if (ZSTD_isError(got) != 0U) {
        return fail(ZSTD_getErrorName(got));
    }
    return got == size ? bytes : fail("it ends too early");
}

}  // namespace rankscope
