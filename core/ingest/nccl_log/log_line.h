// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

/// How a line of NCCL's log is written. Private to core/ingest/nccl_log.
namespace rankscope::nccl {

/// "HOST:PID:TID [DEV] NCCL INFO TEXT", where anything may stand in front: a time, the label of a launcher, or the
/// start of a line that this one cut.
struct PrefixedLine {
    std::string_view process;  ///< "HOST:PID"
    std::string_view host;
    std::int64_t pid = 0;
    std::int64_t tid = 0;
    std::string_view level;  ///< "INFO", "WARN"
    std::string_view text;
    bool has_cut = false;  ///< an earlier line of NCCL ends in it
};

/// The last line of NCCL in a line of a file; nothing if it has none. Linear.
[[nodiscard]] std::optional<PrefixedLine> splitLine(std::string_view line);

/// The whole number that is all of a text; nothing if it is none or too large.
template <class T>
[[nodiscard]] std::optional<T> numberOf(std::string_view text, int base = 10) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The number of "0x55a1"; nothing if it is none.
[[nodiscard]] std::optional<std::uint64_t> pointerOf(std::string_view text);

/// The word behind " KEY ", or behind "KEY " at the start; empty if there is none.
[[nodiscard]] std::string_view wordBehind(std::string_view text, std::string_view key);

/// The number behind " KEY ", from 0 to 2^31 - 1.
[[nodiscard]] std::optional<std::int32_t> numberBehind(std::string_view text, std::string_view key);

}  // namespace rankscope::nccl
