// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/deflate_window.h"

#include <zlib.h>

namespace rankscope {

std::string packWindow(std::string_view window) {
    uLongf size = compressBound(window.size());
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(window.data()),
              window.size(), Z_BEST_SPEED);
    packed.resize(size);
    packed.shrink_to_fit();
    return packed;
}

std::string unpackWindow(std::string_view packed) {
    std::string window(kDeflateWindow, '\0');
    uLongf size = window.size();
    const int status = uncompress(reinterpret_cast<Bytef*>(window.data()), &size,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    window.resize(status == Z_OK ? size : 0);
    return window;
}

}  // namespace rankscope
