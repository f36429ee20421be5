// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <isa-l/igzip_lib.h>

#include <string>
#include <string_view>

namespace rankscope {

/// The state of an inflation that stands between two calls, packed: with its tables and its window it is 87 KiB, for
/// every 16 MiB of text. Its places in the callers' buffers are left out.
[[nodiscard]] std::string packState(const inflate_state& state);

/// Brings `state` back to where it was packed. False where `packed` is none.
[[nodiscard]] bool unpackState(std::string_view packed, inflate_state& state);

}  // namespace rankscope
