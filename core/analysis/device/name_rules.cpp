// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/name_rules.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "resources/name_rules.h"

namespace rankscope {
namespace {

/// How deep the brackets of a pattern are nested. Brackets in classes and behind backslashes count too: this is a
/// bound, not a parser.
std::size_t depthOf(std::string_view pattern) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    for (const char c : pattern) {
        depth += c == '(' ? 1U : 0U;
        depth -= c == ')' && depth > 0 ? 1U : 0U;
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

/// The start of a pattern, for an error text of one line.
std::string shownPattern(const std::string& pattern) {
    constexpr std::size_t kShown = 60;
    return pattern.size() <= kShown ? "\"" + pattern + "\"" : "\"" + pattern.substr(0, kShown) + "...\"";
}

/// An environment variable; empty where it is not set.
std::string variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
    return value == nullptr ? std::string() : std::string(value);
}

std::string defaultPath() {
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
    const std::string path = named.empty() ? defaultPath() : named;
    std::error_code none;
    const std::filesystem::file_status status = std::filesystem::status(path, none);
    if (path.empty() || (named.empty() && !std::filesystem::exists(status))) {
        return builtIn();
    }
    // A folder opens like a file, and fails when it is read; a pipe may never end.
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        return Error{path, {}, "is no file with name rules"};
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return Error{
            path, {}, named.empty() ? "cannot be opened" : "is named by RANKSCOPE_NAME_RULES, but cannot be opened"};
    }
    if (std::filesystem::file_size(path, none) > kLargestFile) {
        return Error{path, {}, "is too large for a table of name rules"};
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
    if (document["rules"].size() > kMostRules) {
        return Error{path, {}, "has more than " + std::to_string(kMostRules) + " rules"};
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
        if (const std::optional<std::string> why_not = result.add(std::move(rule))) {
            return Error{path, {}, *why_not};
        }
    }
    return result;
}

std::optional<std::string> NameRules::add(Rule rule) {
    if (rule.pattern.size() > kLongestPattern) {
        return shownPattern(rule.pattern) + " is longer than " + std::to_string(kLongestPattern) + " bytes";
    }
    if (depthOf(rule.pattern) > kDeepestPattern) {
        return shownPattern(rule.pattern) + " has brackets nested deeper than " + std::to_string(kDeepestPattern);
    }
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_never_capture(true);  // whether it matches is all that is asked
    auto matcher = std::make_shared<const re2::RE2>(rule.pattern, options);
    if (!matcher->ok()) {
        return shownPattern(rule.pattern) + " is no regular expression: " + matcher->error();
    }
    rules_.push_back(std::move(rule));
    matchers_.push_back(std::move(matcher));
    return std::nullopt;
}

NameRules NameRules::before(const NameRules& fallback) const {
    NameRules joined = *this;
    joined.rules_.insert(joined.rules_.end(), fallback.rules_.begin(), fallback.rules_.end());
    joined.matchers_.insert(joined.matchers_.end(), fallback.matchers_.begin(), fallback.matchers_.end());
    return joined;
}

bool NameRules::isCommunication(std::string_view kernel_name) const {
    // Demangled names of templates run to kilobytes: what tells a communication kernel stands at the front.
    const std::string_view head = kernel_name.substr(0, kNameRead);
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        if (re2::RE2::PartialMatch({head.data(), head.size()}, *matchers_[i])) {
            return rules_[i].communication;
        }
    }
    return false;
}

}  // namespace rankscope
