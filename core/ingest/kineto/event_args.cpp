// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/event_args.h"

#include <algorithm>

#include "core/ingest/kineto/json_text.h"

namespace rankscope {
namespace {

/// One past the end of a member's value that starts at `at`: at the comma or bracket after it, without the white space
/// before that. Only looks for the ends of values, so that text which a strict parser rejects (NaN, N/A, a truncated
/// object) is still shown.
std::size_t endOfMember(std::string_view object, std::size_t at) {
    std::size_t end = at;
    while (at < object.size() && std::string_view(",}]").find(object[at]) == std::string_view::npos) {
        end = std::min(endOfValue(object, at), object.size());
        at = skipSpace(object, end);
    }
    return end;
}

std::string unquoted(std::string_view quoted) {
    std::string out;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        const bool simple_escape =
            quoted[i] == '\\' && (quoted[i + 1] == '"' || quoted[i + 1] == '\\' || quoted[i + 1] == '/');
        i += simple_escape ? 1 : 0;
        out += quoted[i];
    }
    return out;
}

}  // namespace

std::vector<RawMember> rawMembers(std::string_view object) {
    std::vector<RawMember> members;
    const auto has = [object](std::size_t at, char c) { return at < object.size() && object[at] == c; };
    std::size_t at = skipSpace(object, 0);
    if (!has(at, '{')) {
        return members;
    }
    ++at;
    while (true) {
        at = skipSpace(object, at);
        if (has(at, ',')) {
            ++at;
            continue;
        }
        if (!has(at, '"')) {
            return members;
        }
        const std::size_t key_end = endOfValue(object, at);
        const std::size_t colon = key_end == kNowhere ? kNowhere : skipSpace(object, key_end);
        if (!has(colon, ':')) {
            return members;
        }
        const std::size_t start = skipSpace(object, colon + 1);
        const std::size_t end = endOfMember(object, start);
        members.push_back({unquoted(object.substr(at, key_end - at)), std::string(object.substr(start, end - start))});
        at = end;
    }
}

std::vector<RawMember> rawArgs(std::string_view event) {
    for (const RawMember& member : rawMembers(event)) {
        if (member.key == "args") {
            return rawMembers(member.value);
        }
    }
    return {};
}

}  // namespace rankscope
