// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/json_text.h"

#include <algorithm>
#include <array>

namespace rankscope {
namespace {

bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

std::size_t endOfString(std::string_view text, std::size_t at) {
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == '"') {
            return at + 1;
        }
    }
    return kNowhere;
}

constexpr std::array<std::string_view, 10> kEventKeys = {"\"ph\"", "\"name\"", "\"cat\"",  "\"pid\"", "\"tid\"",
                                                         "\"ts\"", "\"dur\"",  "\"args\"", "\"id\"",  "\"s\""};

/// Whether an object that starts at `at` begins with a key that events have.
bool beginsLikeEvent(std::string_view text, std::size_t at) {
    const std::size_t key = skipSpace(text, at + 1);
    const std::string_view rest = text.substr(std::min(key, text.size()));
    return std::ranges::any_of(kEventKeys, [&](std::string_view k) { return rest.starts_with(k); });
}

/// The last place before `at` that is no white space; kNowhere where there is none.
std::size_t previousSolid(std::string_view text, std::size_t at) {
    while (at > 0) {
        --at;
        if (!isSpace(text[at])) {
            return at;
        }
    }
    return kNowhere;
}

}  // namespace

std::size_t skipSpace(std::string_view text, std::size_t at) {
    while (at < text.size() && isSpace(text[at])) {
        ++at;
    }
    return at;
}

std::size_t endOfValue(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = endOfString(text, at);
            if (at == kNowhere || depth == 0) {
                return at;
            }
            continue;
        }
        if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (depth <= 1) {
                return depth == 1 ? at + 1 : at;  // depth 0: the bracket ends a bare word
            }
            --depth;
        } else if (depth == 0 && (c == ',' || isSpace(c))) {
            return at;
        }
        ++at;
    }
    return kNowhere;
}

std::size_t lastEventStart(std::string_view text) {
    std::size_t at = text.rfind('{');
    for (; at != kNowhere && at > 0; at = text.rfind('{', at - 1)) {
        const std::size_t comma = previousSolid(text, at);
        if (comma != kNowhere && text[comma] == ',' && beginsLikeEvent(text, at)) {
            const std::size_t brace = previousSolid(text, comma);
            if (brace != kNowhere && text[brace] == '}') {
                return at;
            }
        }
    }
    return kNowhere;
}

std::size_t nextEventStart(std::string_view text, std::size_t at) {
    for (at = text.find('{', at); at != kNowhere; at = text.find('{', at + 1)) {
        if (beginsLikeEvent(text, at)) {
            const std::size_t end = text.find('}', at);
            if (text.substr(at, end == kNowhere ? kNowhere : end - at).find("\"ph\"") != kNowhere) {
                return at;
            }
        }
    }
    return kNowhere;
}

std::size_t behindTraceEvents(std::string_view text, std::size_t at) {
    constexpr std::string_view kKey = "\"traceEvents\"";
    for (at = text.find(kKey, at); at != kNowhere; at = text.find(kKey, at + 1)) {
        const std::size_t colon = skipSpace(text, at + kKey.size());
        if (colon < text.size() && text[colon] == ':') {
            const std::size_t bracket = skipSpace(text, colon + 1);
            if (bracket < text.size() && text[bracket] == '[') {
                return bracket + 1;
            }
        }
    }
    return kNowhere;
}

std::vector<std::pair<std::string, std::string>> topLevelKeys(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> keys;
    std::size_t at = 0;
    while ((at = text.find('"', at)) != kNowhere) {
        const std::size_t key_end = endOfString(text, at);
        if (key_end == kNowhere) {
            break;
        }
        const std::size_t colon = skipSpace(text, key_end);
        if (colon >= text.size() || text[colon] != ':') {
            at = key_end;
            continue;
        }
        const std::size_t value = skipSpace(text, colon + 1);
        const std::size_t end = endOfValue(text, value);
        if (end == kNowhere) {
            at = value + 1;  // broken: look for the next key inside it
            continue;
        }
        keys.emplace_back(text.substr(at + 1, key_end - at - 2), text.substr(value, end - value));
        at = std::max(end, value + 1);
    }
    return keys;
}

}  // namespace rankscope
