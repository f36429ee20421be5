// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/decimal_time.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>

namespace rankscope {
namespace {

constexpr std::uint32_t kRestPerNs = 1'000'000'000;
constexpr int kDecimalsOfRest = 12;  // decimals of a microsecond that DecimalTime holds: 3 of ns, 9 of the rest

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Reads eight digits at once if there are eight at `text`: times are the most frequent numbers of a trace, and have
/// sixteen digits. The digits are read as one little-endian word, and combined in pairs, fours and eights.
bool eightDigits(const char* text, std::uint64_t& value) {
    std::uint64_t word = 0;
    std::memcpy(&word, text, sizeof(word));
    constexpr std::uint64_t kZeros = 0x3030303030303030;
    constexpr std::uint64_t kHighNibbles = 0xf0f0f0f0f0f0f0f0;
    constexpr std::uint64_t kSixes = 0x0606060606060606;  // carries ':' to '?' out of the digits' nibble
    if ((word & kHighNibbles) != kZeros || ((word + kSixes) & kHighNibbles) != kZeros) {
        return false;
    }
    word -= kZeros;
    word = word * 10 + (word >> 8U);
    constexpr std::uint64_t kEveryFourth = 0x000000ff000000ff;
    constexpr std::uint64_t kFirstPairs = 100 + (1'000'000ULL << 32U);
    constexpr std::uint64_t kSecondPairs = 1 + (10'000ULL << 32U);
    value = ((word & kEveryFourth) * kFirstPairs + ((word >> 16U) & kEveryFourth) * kSecondPairs) >> 32U;
    return true;
}

/// Appends the digits at `at` to `value`; returns the position after them. More than 18 digits overflow.
std::size_t readDigits(std::string_view text, std::size_t at, std::uint64_t& value) {
    if constexpr (std::endian::native == std::endian::little) {
        std::uint64_t eight = 0;
        while (at + 8 <= text.size() && eightDigits(text.data() + at, eight)) {
            value = value * 100'000'000 + eight;
            at += 8;
        }
    }
    for (; at < text.size() && isDigit(text[at]); ++at) {
        value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
    }
    return at;
}

std::string_view withoutQuotes(std::string_view token) {
    if (token.size() >= 2 && token.front() == '"' && token.back() == '"') {
        token = token.substr(1, token.size() - 2);
    }
    return token;
}

/// Unsigned microseconds and their twelve decimals as a signed time.
std::optional<DecimalTime> combine(bool negative, std::uint64_t us, std::uint64_t picos_and_less) {
    constexpr std::uint64_t kMaxUs = static_cast<std::uint64_t>(std::numeric_limits<TimeNs>::max()) / 1000 - 1;
    if (us > kMaxUs) {
        return std::nullopt;
    }
    DecimalTime time{static_cast<TimeNs>(us * 1000 + picos_and_less / kRestPerNs),
                     static_cast<std::uint32_t>(picos_and_less % kRestPerNs)};
    if (negative) {
        time.ns = -time.ns;
        if (time.rest != 0) {
            time.ns -= 1;
            time.rest = kRestPerNs - time.rest;
        }
    }
    return time;
}

/// A number in scientific notation, rewritten without its exponent.
std::optional<std::string> withoutExponent(std::string_view text) {
    const std::size_t e = text.find_first_of("eE");
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with('+')) {
        digits.remove_prefix(1);
    }
    int exponent = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (error != std::errc() || end != digits.data() + digits.size() || exponent > 30 || exponent < -30) {
        return std::nullopt;
    }
    std::string out;
    std::string_view mantissa = text.substr(0, e);
    if (mantissa.starts_with('-')) {
        out = "-";
        mantissa.remove_prefix(1);
    }
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    std::string all(mantissa.substr(0, point));
    if (point < mantissa.size()) {
        all += mantissa.substr(point + 1);
    }
    const int whole = static_cast<int>(point) + exponent;
    if (whole <= 0) {
        return out + "0." + std::string(static_cast<std::size_t>(-whole), '0') + all;
    }
    const auto count = static_cast<std::size_t>(whole);
    if (all.size() < count) {
        all.append(count - all.size(), '0');
    }
    return out + all.substr(0, count) + "." + all.substr(count);
}

}  // namespace

std::optional<TimeNs> DecimalTime::floorOfSum(const DecimalTime& a, const DecimalTime& b) {
    TimeNs sum = 0;
    const TimeNs carry = static_cast<std::uint64_t>(a.rest) + b.rest >= kRestPerNs ? 1 : 0;
    if (__builtin_add_overflow(a.ns, b.ns, &sum) || __builtin_add_overflow(sum, carry, &sum)) {
        return std::nullopt;
    }
    return sum;
}

std::optional<DecimalTime> parseMicroseconds(std::string_view token) {
    token = withoutQuotes(token);
    const bool negative = token.starts_with('-');
    std::size_t at = negative ? 1 : 0;
    const std::size_t first = at;
    std::uint64_t us = 0;
    at = readDigits(token, at, us);
    if (at == first || at - first > 18) {  // 19 digits of microseconds never fit 64-bit nanoseconds
        return std::nullopt;
    }
    if (at == token.size()) {
        return combine(negative, us, 0);
    }
    constexpr std::uint64_t kPlainUs = 9'000'000'000'000'000;
    if (at + 4 == token.size() && token[at] == '.' && us < kPlainUs && !negative && isDigit(token[at + 1]) &&
        isDigit(token[at + 2]) && isDigit(token[at + 3])) {  // as Kineto writes them: three decimals
        const int ns = (token[at + 1] - '0') * 100 + (token[at + 2] - '0') * 10 + (token[at + 3] - '0');
        return DecimalTime{static_cast<TimeNs>(us * 1000) + ns, 0};
    }
    std::uint64_t decimals = 0;
    int places = 0;
    if (token[at] == '.') {
        for (++at; at < token.size() && isDigit(token[at]); ++at) {
            if (places < kDecimalsOfRest) {
                decimals = decimals * 10 + static_cast<std::uint64_t>(token[at] - '0');
                ++places;
            }
        }
    }
    if (at < token.size()) {
        if (token[at] != 'e' && token[at] != 'E') {
            return std::nullopt;
        }
        const std::optional<std::string> plain = withoutExponent(token);
        return plain ? parseMicroseconds(*plain) : std::nullopt;
    }
    static constexpr std::array<std::uint64_t, kDecimalsOfRest + 1> kScale = {
        1'000'000'000'000, 100'000'000'000, 10'000'000'000, 1'000'000'000, 100'000'000, 10'000'000, 1'000'000,
        100'000,           10'000,          1'000,          100,           10,          1};
    return combine(negative, us, decimals * kScale[static_cast<std::size_t>(places)]);
}

std::optional<std::int64_t> parseInteger(std::string_view token) {
    token = withoutQuotes(token);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    return error == std::errc() && end == token.data() + token.size() ? std::optional(value) : std::nullopt;
}

}  // namespace rankscope
