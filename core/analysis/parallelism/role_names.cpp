// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/role_names.h"

#include <re2/re2.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "resources/role_names.h"

namespace rankscope {
namespace {

/// Names with a meaning are shorter; names of kernels are cut to this.
constexpr std::size_t kNameRead = 512;

CollectiveKind kindNamed(const std::string& name) {
    for (int i = 0; i <= static_cast<int>(CollectiveKind::Unknown); ++i) {
        if (const auto kind = static_cast<CollectiveKind>(i); collectiveKindName(kind) == name) {
            return kind;
        }
    }
    throw std::invalid_argument("there is no operation \"" + name + "\"");
}

RoleNames::Rule readRule(const nlohmann::json& entry) {
    RoleNames::Rule rule;
    rule.pattern = entry.at("pattern").get<std::string>();
    rule.note = entry.value("note", "");
    rule.what = entry.value("what", "");
    rule.whole = entry.value("whole", true);
    rule.aside = entry.value("aside", false);
    for (const nlohmann::json& kind : entry.value("kinds", nlohmann::json::array())) {
        rule.kinds.push_back(kindNamed(kind.get<std::string>()));
    }
    if (const auto role = entry.find("role"); role != entry.end() && !role->is_null()) {
        rule.role = roleOf(role->get<std::string>());
        if (!rule.role) {
            throw std::invalid_argument("there is no role " + role->dump());
        }
    }
    return rule;
}

std::shared_ptr<const re2::RE2> matcherOf(const std::string& pattern) {
    re2::RE2::Options options;
    options.set_case_sensitive(false);
    options.set_log_errors(false);
    auto matcher = std::make_shared<const re2::RE2>(pattern, options);
    if (!matcher->ok()) {
        throw std::invalid_argument("\"" + pattern + "\" is not a regular expression: " + matcher->error());
    }
    return matcher;
}

}  // namespace

RoleNames RoleNames::builtIn() {
    Result<RoleNames> names = fromJson(resources::role_names, "role_names.json");
    return names.ok() ? std::move(names).value() : RoleNames();
}

Result<RoleNames> RoleNames::fromJson(std::string_view json, const std::string& path) {
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
    if (document.is_discarded()) {
        return Error{path, {}, "is not valid JSON"};
    }
    RoleNames names;
    try {
        for (const auto& [key, table] : {std::pair("groups", &names.groups_), std::pair("launches", &names.launches_),
                                         std::pair("kernels", &names.kernels_)}) {
            for (const nlohmann::json& entry : document.at(key)) {
                table->rules.push_back(readRule(entry));
                table->matchers.push_back(matcherOf(table->rules.back().pattern));
            }
        }
    } catch (const nlohmann::json::exception& error) {
        return Error{path, {}, std::string("is not a table of roles: ") + error.what()};
    } catch (const std::invalid_argument& error) {
        return Error{path, {}, error.what()};
    }
    return names;
}

const RoleNames::Rule* RoleNames::Table::find(std::string_view name, std::optional<CollectiveKind> kind) const {
    const std::string_view read = name.substr(0, kNameRead);
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const bool about =
            rules[i].kinds.empty() || (kind && std::ranges::find(rules[i].kinds, *kind) != rules[i].kinds.end());
        if (about && re2::RE2::PartialMatch(re2::StringPiece(read.data(), read.size()), *matchers[i])) {
            return &rules[i];
        }
    }
    return nullptr;
}

const RoleNames::Rule* RoleNames::ofGroup(std::string_view name) const {
    return groups_.find(name, std::nullopt);
}

const RoleNames::Rule* RoleNames::ofLaunch(std::string_view range, CollectiveKind kind) const {
    return launches_.find(range, kind);
}

const RoleNames::Rule* RoleNames::ofKernel(std::string_view kernel) const {
    return kernels_.find(kernel, std::nullopt);
}

}  // namespace rankscope
