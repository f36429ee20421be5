// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/name_rules.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <variant>

#include "core/analysis/device/kernel_names.h"
#include "core/analysis/device/name_rules_file.h"
#include "core/base/bounded_json.h"
#include "core/base/write_file.h"
#include "resources/name_rules.h"

namespace rankscope {
namespace {

re2::RE2::Options patternOptions() {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_never_capture(true);  // only whether it matches is needed
    return options;
}

/// How deep the brackets of a pattern are nested. Brackets in classes and after backslashes count too: this is a bound,
/// not a parser.
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

/// An environment variable; empty if it is not set.
std::string variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
    return value == nullptr ? std::string() : std::string(value);
}

/// Reads a text, and counts the bytes read.
class CountedBytes {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountedBytes(const char* at, const char*& read) : at_(at), read_(&read) {}
    reference operator*() const { return *at_; }
    CountedBytes& operator++() {
        *read_ = ++at_;
        return *this;
    }
    friend bool operator==(const CountedBytes& a, const CountedBytes& b) { return a.at_ == b.at_; }
    friend bool operator!=(const CountedBytes& a, const CountedBytes& b) { return a.at_ != b.at_; }

  private:
    const char* at_;
    const char** read_;
};

/// The byte at which the entry `rule` of the array "rules" ends or, if it is an object, begins. `json` is a table.
std::size_t byteOfRule(std::string_view json, std::size_t rule) {
    using Event = nlohmann::json::parse_event_t;
    const char* read = json.data();
    const char* found = json.data();
    bool in_rules = false;
    std::size_t seen = 0;
    const auto look = [&](int depth, Event event, const nlohmann::json& parsed) {
        if (depth == 1 && event == Event::key) {
            in_rules = parsed == "rules";
        }
        const bool entry = event == Event::object_start || event == Event::array_start || event == Event::value;
        if (in_rules && depth == 2 && entry && seen++ == rule) {
            found = read - 1;
        }
        return true;
    };
    const CountedBytes first(json.data(), read);
    const CountedBytes last(json.data() + json.size(), read);
    const bool whole = !nlohmann::json::parse(first, last, look, false).is_discarded();
    return whole ? static_cast<std::size_t>(found - json.data()) : 0;
}

/// The error for a byte of a table, with its line.
Error wrongAt(std::string_view json, const std::string& path, std::size_t byte, const std::string& cause) {
    const auto line = 1 + std::ranges::count(json.substr(0, byte), '\n');
    return {path, byte, "line " + std::to_string(line) + ": " + cause};
}

/// Reads `key` of a rule; `fallback` if it has none. Nothing if it is neither true nor false.
std::optional<bool> flagOf(const nlohmann::json& entry, const char* key, bool fallback) {
    if (!entry.contains(key)) {
        return fallback;
    }
    return entry[key].is_boolean() ? std::optional(entry[key].get<bool>()) : std::nullopt;
}

/// One entry of a table, or why it is not a rule.
std::variant<NameRules::Rule, std::string> ruleOfEntry(const nlohmann::json& entry, std::size_t number) {
    const auto text_or = [&entry](const char* key) {
        return entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : std::string();
    };
    if (!entry.is_object() || text_or("pattern").empty()) {
        return "rule " + std::to_string(number) + " has no \"pattern\"";
    }
    NameRules::Rule rule{.pattern = text_or("pattern"), .note = text_or("note")};
    const std::optional<bool> communication = flagOf(entry, "communication", true);
    const std::optional<bool> waits = flagOf(entry, "waits", false);
    if (!communication || !waits) {
        return (communication ? "\"waits\" of " : "\"communication\" of ") + shownPattern(rule.pattern) +
               " must be true or false";
    }
    if (*waits && !*communication) {
        return shownPattern(rule.pattern) + " has \"waits\", so it must be \"communication\" too";
    }
    rule.communication = *communication;
    rule.waits = *waits;
    return rule;
}

/// The text of a table.
Result<std::string> readTable(const std::string& path) {
    std::error_code none;
    const std::filesystem::file_status status = std::filesystem::status(path, none);
    // A folder opens like a file, and fails on reading; a pipe may never end.
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        return Error{path, {}, "is not a file; name a JSON file with name rules"};
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return Error{path, {}, "cannot be opened"};
    }
    if (std::filesystem::file_size(path, none) > NameRules::kLargestFile) {
        return Error{path, {}, "is too large for a file of name rules"};
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The table of a file unchanged, after checking its rules.
Result<nlohmann::ordered_json> readOwnTable(const std::string& path) {
    const Result<std::string> json = readTable(path);
    if (!json.ok()) {
        return json.error();
    }
    if (const Result<NameRules> own = NameRules::fromJson(json.value(), path); !own.ok()) {
        return own.error();
    }
    return nlohmann::ordered_json::parse(json.value());  // bounded: fromJson() has read it already
}

void dropPattern(nlohmann::ordered_json& rules, const std::string& pattern) {
    const auto has_it = [&](const nlohmann::ordered_json& entry) { return entry.value("pattern", "") == pattern; };
    rules.erase(std::remove_if(rules.begin(), rules.end(), has_it), rules.end());
}

nlohmann::ordered_json entryOf(const NameRules::Rule& rule) {
    nlohmann::ordered_json entry = {{"pattern", rule.pattern}, {"communication", rule.communication}};
    if (rule.waits) {
        entry["waits"] = true;
    }
    if (!rule.note.empty()) {
        entry["note"] = rule.note;
    }
    return entry;
}

std::optional<Error> writeTable(const nlohmann::ordered_json& table, const std::string& path) {
    return writeFileAtomically(path,
                               table.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace

std::string NameRules::userFile() {
    std::string named = variable("RANKSCOPE_NAME_RULES");
    if (!named.empty()) {
        return named;
    }
    const std::string config = variable("XDG_CONFIG_HOME");
    const std::string home = variable("HOME");
    if (config.empty() && home.empty()) {
        return {};
    }
    return (config.empty() ? home + "/.config" : config) + "/rankscope/name_rules.json";
}

Result<NameRules> NameRules::forUser() {
    const std::string path = userFile();
    std::error_code none;
    const bool named = !variable("RANKSCOPE_NAME_RULES").empty();
    return path.empty() || (!named && !std::filesystem::exists(path, none)) ? builtIn() : fromFile(path);
}

Result<NameRules> NameRules::fromFile(const std::string& path) {
    const Result<std::string> json = readTable(path);
    if (!json.ok()) {
        return json.error();
    }
    Result<NameRules> own = fromJson(json.value(), path);
    return own.ok() ? Result<NameRules>(own.value().before(builtIn())) : own;
}

NameRules::Rule NameRules::ruleFor(std::string_view kernel_name, bool communication) {
    const std::string_view head = kernelNameWithoutArguments(kernel_name).substr(0, kNameRead);
    return {.pattern = "^" + re2::RE2::QuoteMeta({head.data(), head.size()}), .communication = communication};
}

std::optional<Error> NameRules::addToFile(const Rule& rule, const std::string& path) {
    NameRules checked;
    if (const std::optional<std::string> why_not = checked.add(rule)) {
        return Error{path, {}, *why_not};
    }
    std::error_code none;
    nlohmann::ordered_json table = {{"rules", nlohmann::ordered_json::array()}};
    if (std::filesystem::exists(path, none)) {
        Result<nlohmann::ordered_json> own = readOwnTable(path);
        if (!own.ok()) {
            return own.error();
        }
        table = std::move(own).value();
    }
    nlohmann::ordered_json& rules = table["rules"];
    rules.insert(rules.begin(), entryOf(rule));
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) {
        std::filesystem::create_directories(folder, none);  // a folder that cannot be created causes an error for the
                                                            // file
    }
    return writeTable(table, path);
}

std::optional<Error> removeRuleFromFile(const std::string& pattern, const std::string& path) {
    Result<nlohmann::ordered_json> own = readOwnTable(path);
    if (!own.ok()) {
        return own.error();
    }
    nlohmann::ordered_json table = std::move(own).value();
    dropPattern(table["rules"], pattern);
    return writeTable(table, path);
}

std::optional<NameRules::Rule> ruleInFile(const std::string& pattern, const std::string& path) {
    const Result<std::string> json = readTable(path);
    const Result<nlohmann::json> table = json.ok() ? parseBoundedJson(json.value()) : Result<nlohmann::json>(Error{});
    if (!table.ok() || !table.value().is_object() || !table.value().contains("rules")) {
        return std::nullopt;
    }
    for (const nlohmann::json& entry : table.value()["rules"]) {
        std::variant<NameRules::Rule, std::string> rule = ruleOfEntry(entry, 0);
        if (auto* const read = std::get_if<NameRules::Rule>(&rule); read != nullptr && read->pattern == pattern) {
            return std::move(*read);
        }
    }
    return std::nullopt;
}

NameRules NameRules::builtIn() {
    // Compiled once: the automata are shared by all copies, and know the names that they have read.
    static const Result<NameRules> rules = fromJson(resources::name_rules, "name_rules.json");
    return rules.ok() ? rules.value() : NameRules();
}

Result<NameRules> NameRules::fromJson(std::string_view json, const std::string& path) {
    const Result<nlohmann::json> parsed = parseBoundedJson(json);
    if (!parsed.ok()) {
        const Error& error = parsed.error();
        return error.byte_offset ? wrongAt(json, path, *error.byte_offset, error.cause) : Error{path, {}, error.cause};
    }
    const nlohmann::json& document = parsed.value();
    if (!document.is_object() || !document.contains("rules") || !document["rules"].is_array()) {
        return Error{path, {}, "name rules must be an object with an array \"rules\""};
    }
    if (document["rules"].size() > kMostRules) {
        return Error{path, {}, "has more than " + std::to_string(kMostRules) + " rules"};
    }
    NameRules result;
    for (const nlohmann::json& entry : document["rules"]) {
        const std::size_t number = result.rules_.size();
        std::variant<Rule, std::string> rule = ruleOfEntry(entry, number);
        const std::optional<std::string> why_not =
            rule.index() == 0 ? result.add(std::get<0>(std::move(rule))) : std::get<1>(std::move(rule));
        if (why_not) {
            return wrongAt(json, path, byteOfRule(json, number), *why_not);
        }
    }
    result.join();
    return result;
}

struct NameRules::Joined {
    re2::RE2::Set patterns;
};

std::optional<std::string> NameRules::add(Rule rule) {
    if (rule.pattern.size() > kLongestPattern) {
        return shownPattern(rule.pattern) + " is longer than " + std::to_string(kLongestPattern) + " bytes";
    }
    if (depthOf(rule.pattern) > kDeepestPattern) {
        return shownPattern(rule.pattern) + " has brackets nested deeper than " + std::to_string(kDeepestPattern);
    }
    auto matcher = std::make_shared<const re2::RE2>(rule.pattern, patternOptions());
    if (!matcher->ok()) {
        return shownPattern(rule.pattern) + " is not a regular expression: " + matcher->error();
    }
    rules_.push_back(std::move(rule));
    matchers_.push_back(std::move(matcher));
    return std::nullopt;
}

void NameRules::join() {
    Joined joined{re2::RE2::Set(patternOptions(), re2::RE2::UNANCHORED)};
    for (const Rule& rule : rules_) {
        joined.patterns.Add(rule.pattern, nullptr);  // it is a regular expression: add() has checked that
    }
    joined_ = joined.patterns.Compile() ? std::make_shared<const Joined>(std::move(joined)) : nullptr;
}

NameRules NameRules::before(const NameRules& fallback) const {
    NameRules joined = *this;
    joined.rules_.insert(joined.rules_.end(), fallback.rules_.begin(), fallback.rules_.end());
    joined.matchers_.insert(joined.matchers_.end(), fallback.matchers_.begin(), fallback.matchers_.end());
    joined.join();
    return joined;
}

const NameRules::Rule* NameRules::ruleOf(std::string_view kernel_name) const {
    // Demangled names of templates have kilobytes: a communication kernel is recognised by the start.
    const std::string_view head = kernel_name.substr(0, kNameRead);
    if (joined_ != nullptr) {
        std::vector<int> matching;
        re2::RE2::Set::ErrorInfo error{re2::RE2::Set::kNoError};
        if (joined_->patterns.Match({head.data(), head.size()}, &matching, &error)) {
            return &rules_[static_cast<std::size_t>(*std::ranges::min_element(matching))];
        }
        if (error.kind == re2::RE2::Set::kNoError) {
            return nullptr;
        }
    }
    // The automaton of all patterns takes too much memory: ask one after the other.
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        if (re2::RE2::PartialMatch({head.data(), head.size()}, *matchers_[i])) {
            return &rules_[i];
        }
    }
    return nullptr;
}

bool NameRules::isCommunication(std::string_view kernel_name) const {
    const Rule* const rule = ruleOf(kernel_name);
    return rule != nullptr && rule->communication;
}

}  // namespace rankscope
