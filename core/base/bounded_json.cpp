// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bounded_json.h"

#include <string>

namespace rankscope {

bool nestedDeeperThan(std::string_view text, std::size_t max_depth) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string) {
            at += c == '\\' ? 1U : 0U;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > max_depth) {
                return true;
            }
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
    return false;
}

Result<nlohmann::json> parseBoundedJson(std::string_view text, std::size_t max_depth) {
    if (nestedDeeperThan(text, max_depth)) {
        return Error{"", std::nullopt, "is nested deeper than " + std::to_string(max_depth) + " levels"};
    }
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        return Error{"", error.byte, "is not valid JSON"};
    } catch (const nlohmann::json::exception& error) {  // a number outside the range of doubles
        return Error{"", std::nullopt, std::string("is not valid JSON: ") + error.what()};
    }
}

}  // namespace rankscope
