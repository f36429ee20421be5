// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/nccl_log/log_line.h"

#include <algorithm>
#include <array>

namespace rankscope::nccl {
namespace {

constexpr std::string_view kName = " NCCL ";
constexpr std::array<std::string_view, 6> kLevels = {"INFO", "WARN", "VERSION", "ABORT", "TRACE", "CALL"};
constexpr std::string_view kSpaces = " \t\r";
/// Longer names are of no host.
constexpr std::size_t kLongestHost = 255;
/// A prefix is shorter: a host, two numbers, a device and the place of a warning.
constexpr std::size_t kLongestPrefix = 1024;

bool isOfHost(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
}

/// Takes ":123" off the end of a text.
std::optional<std::int64_t> takeNumber(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const auto number = numberOf<std::int64_t>(text.substr(colon + 1));
    text = text.substr(0, colon);
    return number && *number >= 0 ? number : std::nullopt;
}

/// Whether a text is "[0]", or "[0] file.cc:12" as warnings have it.
bool isDevice(std::string_view text) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) {
        return false;
    }
    std::string_view number = text.substr(1, close - 1);
    number.remove_prefix(number.starts_with('-') ? 1 : 0);
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Reads "HOST:PID:TID [DEV]" at the end of a text, of which it looks at the last bytes only.
std::optional<PrefixedLine> prefixOf(std::string_view head) {
    head.remove_prefix(head.size() - std::min(head.size(), kLongestPrefix));
    const std::size_t open = head.rfind(" [");
    if (open == std::string_view::npos || !isDevice(head.substr(open + 1))) {
        return std::nullopt;
    }
    std::string_view who = head.substr(0, open);
    PrefixedLine line;
    const auto tid = takeNumber(who);
    const std::string_view process = who;
    const auto pid = tid ? takeNumber(who) : std::nullopt;
    std::size_t length = 0;
    while (length < who.size() && length < kLongestHost && isOfHost(who[who.size() - 1 - length])) {
        ++length;
    }
    if (!pid || length == 0) {
        return std::nullopt;
    }
    line.tid = *tid;
    line.pid = *pid;
    line.host = who.substr(who.size() - length);
    line.process = process.substr(who.size() - length);
    return line;
}

}  // namespace

std::optional<PrefixedLine> splitLine(std::string_view line) {
    line = line.substr(0, line.find_last_not_of(kSpaces) + 1);
    std::optional<PrefixedLine> last;
    for (std::size_t at = line.find(kName); at != std::string_view::npos; at = line.find(kName, at + 1)) {
        const std::string_view rest = line.substr(at + kName.size());
        const std::string_view level = rest.substr(0, rest.find(' '));
        if (std::ranges::find(kLevels, level) == kLevels.end()) {
            continue;
        }
        std::optional<PrefixedLine> found = prefixOf(line.substr(0, at));
        if (!found) {
            continue;
        }
        found->has_cut = last.has_value();
        found->level = level;
        found->text = rest.substr(std::min(level.size() + 1, rest.size()));
        last = found;
    }
    return last;
}

std::optional<std::uint64_t> pointerOf(std::string_view text) {
    constexpr int kHexadecimal = 16;
    return text.starts_with("0x") ? numberOf<std::uint64_t>(text.substr(2), kHexadecimal) : std::nullopt;
}

std::string_view wordBehind(std::string_view text, std::string_view key) {
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        const std::size_t end = at + key.size();
        if ((at == 0 || text[at - 1] == ' ') && end < text.size() && text[end] == ' ') {
            const std::string_view rest = text.substr(end + 1);
            return rest.substr(0, rest.find(' '));
        }
    }
    return {};
}

std::optional<std::int32_t> numberBehind(std::string_view text, std::string_view key) {
    const auto number = numberOf<std::int32_t>(wordBehind(text, key));
    return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace rankscope::nccl
