// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/name_rules.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "resources/name_rules.h"

namespace rankscope {
namespace {

/// Whether a pattern can match at the front only: it starts with ^ and has no alternative outside of brackets.
bool isAnchored(std::string_view pattern) {
    int depth = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        switch (pattern[i]) {
            case '\\': ++i; break;
            case '(': ++depth; break;
            case ')': --depth; break;
            case '[': return false;  // a class may hold any of these: not worth reading
            case '|':
                if (depth == 0) {
                    return false;
                }
                break;
            default: break;
        }
    }
    return pattern.front() == '^';
}

/// An environment variable; empty where it is not set.
std::string variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
    return value == nullptr ? std::string() : std::string(value);
}

std::string usualPath() {
    const std::string config = variable("XDG_CONFIG_HOME");
    const std::string home = variable("HOME");
    if (config.empty() && home.empty()) {
        return {};
    }
    return (config.empty() ? home + "/.config" : config) + "/rankscope/name_rules.json";
}

}  // namespace

Result<NameRules> NameRules::forUser() {
    const std::string named = variable("RANKSCOPE_NAME_RULES");
    const std::string path = named.empty() ? usualPath() : named;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return named.empty() ? Result<NameRules>(builtIn())
                             : Error{named, {}, "is named by RANKSCOPE_NAME_RULES, but cannot be opened"};
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {  // opening one succeeds, reading it throws
        return Error{path, {}, "is a folder, not a table of name rules"};
    }
    const std::string json(std::istreambuf_iterator<char>(file), {});
    Result<NameRules> own = fromJson(json, path);
    return own.ok() ? Result<NameRules>(own.value().before(builtIn())) : own;
}

NameRules NameRules::builtIn() {
    Result<NameRules> rules = fromJson(resources::name_rules, "name_rules.json");
    return rules.ok() ? std::move(rules).value() : NameRules();
}

Result<NameRules> NameRules::fromJson(std::string_view json, const std::string& path) {
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
    if (document.is_discarded()) {
        return Error{path, {}, "this is no valid JSON"};
    }
    if (!document.is_object() || !document.contains("rules") || !document["rules"].is_array()) {
        return Error{path, {}, "a table of name rules is an object with an array \"rules\""};
    }
    NameRules result;
    for (const nlohmann::json& entry : document["rules"]) {
        const auto text_or = [&entry](const char* key) {
            return entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : std::string();
        };
        if (!entry.is_object() || text_or("pattern").empty()) {
            return Error{path, {}, "rule " + std::to_string(result.rules_.size()) + " has no \"pattern\""};
        }
        Rule rule{.pattern = text_or("pattern"), .communication = true, .note = text_or("note")};
        if (entry.contains("communication")) {
            if (!entry["communication"].is_boolean()) {
                return Error{path, {}, "\"communication\" of " + rule.pattern + " is neither true nor false"};
            }
            rule.communication = entry["communication"].get<bool>();
        }
        try {
            result.matchers_.push_back(
                {.regex = std::regex(rule.pattern, std::regex::ECMAScript | std::regex::optimize),
                 .plain = rule.pattern.find_first_of("^$\\.*+?()[]{}|") == std::string::npos,
                 .anchored = isAnchored(rule.pattern)});
        } catch (const std::regex_error& error) {
            return Error{path, {}, "\"" + rule.pattern + "\" is no regular expression: " + error.what()};
        }
        result.rules_.push_back(std::move(rule));
    }
    return result;
}

NameRules NameRules::before(const NameRules& fallback) const {
    NameRules joined = *this;
    joined.rules_.insert(joined.rules_.end(), fallback.rules_.begin(), fallback.rules_.end());
    joined.matchers_.insert(joined.matchers_.end(), fallback.matchers_.begin(), fallback.matchers_.end());
    return joined;
}

bool NameRules::isCommunication(std::string_view kernel_name) const {
    // Demangled names of templates run to kilobytes, and std::regex recurses over its input: what tells a
    // communication kernel stands at the front.
    const std::string_view head = kernel_name.substr(0, kNameRead);
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        const Matcher& matcher = matchers_[i];
        const auto flags =
            matcher.anchored ? std::regex_constants::match_continuous : std::regex_constants::match_default;
        const bool found = matcher.plain ? head.find(rules_[i].pattern) != std::string_view::npos
                                         : std::regex_search(head.begin(), head.end(), matcher.regex, flags);
        if (found) {
            return rules_[i].communication;
        }
    }
    return false;
}

}  // namespace rankscope
