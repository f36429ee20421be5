// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "core/base/number_spans.h"

namespace rankscope {
namespace {

struct Unit {
    const char* name;
    std::uint64_t size;       // size of one, in the smallest unit
    std::uint64_t two_until;  // in the unit: two decimals below
    std::uint64_t one_until;  // one decimal below, none from there on
};

constexpr std::uint64_t kNever = UINT64_MAX;
constexpr std::array<Unit, 4> kTimes = {
    {{"ns", 1, 0, 0}, {"µs", 1'000, 10, 100}, {"ms", 1'000'000, 10, kNever}, {"s", 1'000'000'000, 10, kNever}}};
constexpr std::array<Unit, 5> kBytes = {{{"B", 1, 0, 0},
                                         {"kB", 1'000, 10, 100},
                                         {"MB", 1'000'000, 10, 100},
                                         {"GB", 1'000'000'000, 10, 100},
                                         {"TB", 1'000'000'000'000, 10, kNever}}};

std::uint64_t rounded(std::uint64_t value, std::uint64_t to) {
    return value / to + (value % to >= to - to / 2 ? 1 : 0);
}

std::string scaled(std::uint64_t value, std::span<const Unit> units) {
    std::size_t chosen = 0;
    // Rounding may carry to the next unit: 999.96 ms is 1.00 s, not 1000.0 ms.
    const auto rounded_up = [&](const Unit& unit) {
        const std::uint64_t step = unit.one_until == kNever ? unit.size / 10 : unit.size;
        return rounded(value, step) * step;
    };
    while (chosen + 1 < units.size() && rounded_up(units[chosen]) >= units[chosen + 1].size) {
        ++chosen;
    }
    const Unit& unit = units[chosen];
    if (unit.size > 1 && rounded(value, unit.size / 100) < unit.two_until * 100) {
        const std::uint64_t hundredths = rounded(value, unit.size / 100);
        return fmt::format("{}.{:02} {}", hundredths / 100, hundredths % 100, unit.name);
    }
    if (unit.size > 1 && (unit.one_until == kNever || rounded(value, unit.size / 10) < unit.one_until * 10)) {
        const std::uint64_t tenths = rounded(value, unit.size / 10);
        return fmt::format("{}.{} {}", tenths / 10, tenths % 10, unit.name);
    }
    return fmt::format("{} {}", rounded(value, unit.size), unit.name);
}

}  // namespace

std::string formatDuration(DurationNs ns) {
    const auto magnitude = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    return (ns < 0 ? "-" : "") + scaled(magnitude, kTimes);
}

std::string formatBytes(std::uint64_t bytes) {
    return scaled(bytes, kBytes);
}

std::string formatCount(std::uint64_t count) {
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string formatDecimal(double value, int decimals) {
    std::array<char, 352> text{};  // the largest double has 309 digits before the point
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
    return {text.data(), end};
}

std::string formatPercent(double share) {
    if (!std::isfinite(share)) {
        return "unknown";
    }
    const auto tenths = std::llround(share * 1000.0);
    if (std::llabs(tenths) >= 100) {
        return fmt::format("{} %", std::llround(share * 100.0));
    }
    const long long magnitude = std::llabs(tenths);
    return fmt::format("{}{}.{} %", tenths < 0 ? "-" : "", magnitude / 10, magnitude % 10);
}

std::string formatBandwidth(double bytes_per_second) {
    if (!std::isfinite(bytes_per_second) || bytes_per_second < 0.0) {
        return "unknown";
    }
    return scaled(static_cast<std::uint64_t>(std::llround(bytes_per_second)), kBytes) + "/s";
}

std::string formatNumberList(std::vector<std::int64_t> numbers, ListStyle style) {
    const NumberSpans all = spansOf(std::move(numbers));
    const bool sentence = style == ListStyle::Sentence;
    const auto span_text = [&](const NumberSpan& span) {
        return span.first == span.last       ? std::to_string(span.first)
               : span.last == span.first + 1 ? fmt::format("{}{}{}", span.first, sentence ? " and " : ", ", span.last)
                                             : fmt::format("{} to {}", span.first, span.last);
    };
    std::string out;
    for (const NumberSpan& span : all.named()) {
        out += out.empty() ? "" : sentence && span == all.spans.back() ? " and " : ", ";
        out += span_text(span);
    }
    return all.many() ? fmt::format("{} ... {} ({} in all)", out, span_text(all.spans.back()), formatCount(all.numbers))
                      : out;
}

std::string formatNumbered(std::string_view one, const std::vector<std::int64_t>& numbers, ListStyle style) {
    const bool several = std::ranges::any_of(numbers, [&](std::int64_t number) { return number != numbers.front(); });
    return fmt::format("{}{} {}", one, several ? "s" : "", formatNumberList(numbers, style));
}

std::string formatCounted(std::uint64_t count, std::string_view one) {
    return fmt::format("{} {}{}", formatCount(count), one, count == 1 ? "" : "s");
}

}  // namespace rankscope
