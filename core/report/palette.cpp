// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/palette.h"

#include <array>

namespace rankscope::report {
namespace {

constexpr auto kPalette = std::to_array<PaletteColour>({
    {"window", 0xf2f4f7, 0x0f1217},
    {"surface", 0xffffff, 0x161a21},
    {"raised", 0xe9eef5, 0x20262f},
    {"border", 0xd9dfe7, 0x2a313c},
    {"grid", 0xe1e6ed, 0x242b35},
    {"text", 0x1a212b, 0xe6e9ef},
    {"text-dim", 0x586373, 0x96a0af},
    {"accent", 0x1860d0, 0x79b0ff},
    {"severity-high", 0xd3281c, 0xff6f61},
    {"severity-medium", 0xb86e00, 0xf0b03c},
    {"severity-low", 0x1860d0, 0x79b0ff},
    {"good", 0x1c7a45, 0x74d89a},
    {"compute", 0x67aee2, 0x509bd1},
    {"communication", 0xba7dd5, 0xbb79d7},
    {"communication-unsplit", 0x855998, 0xd2b6e4},
    {"copy", 0x60cc89, 0x74d89a},
    {"pass-forward", 0x67aee2, 0x509bd1},
    {"pass-backward", 0x386b93, 0x2f5f82},
    {"pass-weight-gradient", 0x7fc0b2, 0x4f9188},
    {"cause-dataloader", 0xe19b1b, 0xf5ae39},
    {"cause-host-sync", 0xe4762c, 0xeb7c33},
    {"cause-blocking-copy", 0xca5843, 0xd8644f},
    {"cause-allocator", 0xbeb548, 0xc4bc4f},
    {"cause-launch", 0xd4bc79, 0xbaa260},
    {"cause-launch-latency", 0xe0d0a5, 0x94855c},
    {"cause-operator", 0xbf9572, 0x99714f},
    {"cause-python", 0x9f7562, 0x865e4c},
    {"cause-host-stall", 0xb0413e, 0xc65a50},
    {"cause-unrecorded", 0xbbbec3, 0x55585d},
    {"cause-queued", 0x979fab, 0x6e7581},
    {"cause-kernel-to-kernel", 0xd0d4dc, 0x44484e},
    {"cause-inside-graph", 0xb7b9d9, 0x565a78},
    {"cause-device-shared", 0x8a5fb8, 0x9a74c9},
    {"cause-late-answer", 0x6d74b8, 0x7b82c4},
    {"cause-warm-up", 0x8f9a4a, 0x9aa552},
    {"cause-other-rank", 0xd14a5f, 0xe75e70},
});

std::string hex(std::uint32_t colour) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out = "#";
    for (unsigned shift = 24; shift > 0; shift -= 4) {
        out += kDigits[(colour >> (shift - 4)) & 0xfU];
    }
    return out;
}

std::string variables(std::uint32_t PaletteColour::*side) {
    std::string out = ":root{";
    for (const PaletteColour& colour : kPalette) {
        out += "--" + std::string(colour.name) + ":" + hex(colour.*side) + ";";
    }
    return out + "}";
}

}  // namespace

std::span<const PaletteColour> palette() {
    return kPalette;
}

std::string paletteCss() {
    std::string out = variables(&PaletteColour::light) + "\n@media screen and (prefers-color-scheme:dark){" +
                      variables(&PaletteColour::dark) + "}\n";
    for (const PaletteColour& colour : kPalette) {
        const std::string value = "var(--" + std::string(colour.name) + ")";
        out.append(".f-").append(colour.name).append("{fill:").append(value).append(";background:").append(value);
        out += '}';
    }
    return out + "\n";
}

}  // namespace rankscope::report
