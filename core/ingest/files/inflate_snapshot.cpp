// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/inflate_snapshot.h"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <type_traits>

namespace rankscope {

static_assert(std::is_trivially_copyable_v<inflate_state>);

std::string packState(const inflate_state& state) {
    const auto copy = std::make_unique<inflate_state>(state);
    copy->next_in = nullptr;
    copy->avail_in = 0;
    copy->next_out = nullptr;
    copy->avail_out = 0;
    // The buffer holds 32 KiB to look back to, and text that nobody has asked for yet; what is around them is stale.
    unsigned char* const text = copy->tmp_out_buffer;
    std::fill(text, text + std::max(0, copy->tmp_out_processed - ISAL_DEF_HIST_SIZE), 0);
    std::fill(text + copy->tmp_out_valid, std::end(copy->tmp_out_buffer), 0);
    std::string packed(ZSTD_compressBound(sizeof(inflate_state)), '\0');
    constexpr int kFastest = 1;
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), copy.get(), sizeof(inflate_state), kFastest);
    packed.resize(ZSTD_isError(size) != 0U ? 0 : size);
    packed.shrink_to_fit();
    return packed;
}

bool unpackState(std::string_view packed, inflate_state& state) {
    return ZSTD_decompress(&state, sizeof(inflate_state), packed.data(), packed.size()) == sizeof(inflate_state);
}

}  // namespace rankscope
