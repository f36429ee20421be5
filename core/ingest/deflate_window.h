// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace rankscope {

/// How far back deflate can refer.
inline constexpr std::size_t kDeflateWindow = 32768;

/// Packs the window of a checkpoint: kept in memory, it would be 32 KiB for every 16 MiB of text.
[[nodiscard]] std::string packWindow(std::string_view window);
/// The window again; empty where `packed` is damaged.
[[nodiscard]] std::string unpackWindow(std::string_view packed);

}  // namespace rankscope
