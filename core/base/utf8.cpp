// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <algorithm>

namespace rankscope {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char byteOf(char c) {
    return static_cast<unsigned char>(c);
}

bool isContinuation(char c) {
    return (byteOf(c) & 0xC0U) == 0x80U;
}

/// Whether a terminal would act on this one character of valid UTF-8 instead of displaying it.
bool isControl(std::string_view character) {
    const unsigned char lead = byteOf(character.front());
    switch (character.size()) {
        case 1: return lead < 0x20 || lead == 0x7F;
        case 2: return lead == 0xC2 && byteOf(character[1]) < 0xA0;  // C1: U+0080 to U+009F
        case 3: {
            if (lead != 0xE2) {
                return false;
            }
            const unsigned char last = byteOf(character[2]);
            return (character[1] == '\x80' && last >= 0xA8 && last <= 0xAE) ||  // U+2028 to U+202E
                   (character[1] == '\x81' && last >= 0xA6 && last <= 0xA9);    // U+2066 to U+2069
        }
        default: return false;
    }
}

}  // namespace

std::size_t utf8SequenceLength(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(std::min(at, text.size()));
    if (rest.empty()) {
        return 0;
    }
    const unsigned char lead = byteOf(rest[0]);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0 || rest.size() < length) {
        return 0;
    }
    // The second byte excludes overlong forms (E0, F0), surrogates (ED) and too large values (F4).
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byteOf(rest[1]) < low || byteOf(rest[1]) > high) {
        return 0;
    }
    return std::ranges::all_of(rest.substr(2, length - 2), isContinuation) ? length : 0;
}

std::string validUtf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8SequenceLength(text, at);
        out += length == 0 ? kReplacement : text.substr(at, length);
        at += std::max<std::size_t>(length, 1);
    }
    return out;
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8SequenceLength(text, at);
        const std::string_view character = length == 0 ? kReplacement : text.substr(at, length);
        out += isControl(character) ? std::string_view("?") : character;
        at += std::max<std::size_t>(length, 1);
    }
    return out;
}

}  // namespace rankscope
