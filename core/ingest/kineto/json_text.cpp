// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/json_text.h"

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

constexpr std::string_view kArrayKey = "\"traceEvents\"";

/// Whether an object at `at` begins with a key that events have.
bool beginsLikeEvent(std::string_view text, std::size_t at) {
    const std::size_t key = skipSpace(text, at + 1);
    const std::string_view rest = text.substr(std::min(key, text.size()));
    return std::ranges::any_of(kEventKeys, [&](std::string_view k) { return rest.starts_with(k); });
}

/// The last position before `at` that is not white space; kNowhere if there is none.
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

EventSearch::EventSearch(std::string_view text)
    : text_(text), object_(text, "{"), end_(text, "}"), phase_(text, "\"ph\""), array_(text, kArrayKey) {}

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

std::size_t EventSearch::nextEvent(std::size_t at) {
    if (event_.holdsAt(at)) {
        return event_.found;
    }
    std::size_t found = object_.from(at);
    while (found != kNowhere && !(beginsLikeEvent(text_, found) && phase_.from(found) < end_.from(found))) {
        found = object_.from(found + 1);
    }
    event_ = {at, found, true};
    return found;
}

std::size_t EventSearch::nextArray(std::size_t at) {
    if (key_.holdsAt(at)) {
        return bracket_;
    }
    bracket_ = kNowhere;
    std::size_t key = array_.from(at);
    for (; key != kNowhere; key = array_.from(key + 1)) {
        const std::size_t colon = skipSpace(text_, key + kArrayKey.size());
        const std::size_t value = skipSpace(text_, colon + 1);
        if (colon < text_.size() && text_[colon] == ':' && value < text_.size() && text_[value] == '[') {
            bracket_ = value + 1;
            break;
        }
    }
    key_ = {at, key, true};
    return bracket_;
}

std::size_t nextEventStart(std::string_view text, std::size_t at) {
    return EventSearch(text).nextEvent(at);
}

std::size_t behindTraceEvents(std::string_view text, std::size_t at) {
    return EventSearch(text).nextArray(at);
}

std::vector<std::pair<std::string, std::string>> topLevelKeys(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> keys;
    std::size_t at = 0;
    std::size_t broken = 0;
    while (keys.size() < kTopLevelKeys && broken < kBrokenValues && (at = text.find('"', at)) != kNowhere) {
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
            at = value + 1;  // broken: search for the next key inside it
            ++broken;
            continue;
        }
        keys.emplace_back(text.substr(at + 1, key_end - at - 2), text.substr(value, end - value));
        at = std::max(end, value + 1);
    }
    return keys;
}

}  // namespace rankscope
