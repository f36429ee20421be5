// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/sentences.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <utility>

#include "resources/sentences.h"

namespace rankscope {
namespace {

/// The names between braces, sorted, each once. Templates have no format after a name: values are text.
std::vector<std::string> placeholdersOf(std::string_view text) {
    std::vector<std::string> names;
    for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        names.emplace_back(text.substr(open + 1, close == std::string_view::npos ? close : close - open - 1));
    }
    std::ranges::sort(names);
    const auto again = std::ranges::unique(names);
    names.erase(again.begin(), again.end());
    return names;
}

std::string filled(const std::string& text, const fmt::dynamic_format_arg_store<fmt::format_context>& values) {
    try {
        return fmt::vformat(text, values);
    } catch (const fmt::format_error&) {
        return text;
    }
}

bool canBeFilled(const std::string& text, const std::vector<std::string>& placeholders) {
    fmt::dynamic_format_arg_store<fmt::format_context> any;
    for (const std::string& placeholder : placeholders) {
        any.push_back(fmt::arg(placeholder.c_str(), std::string()));
    }
    try {
        static_cast<void>(fmt::vformat(text, any));
        return true;
    } catch (const fmt::format_error&) {
        return false;
    }
}

/// The value of a required key; nullptr if it is missing.
template <typename Map>
const typename Map::mapped_type* known(const Map& map, std::string_view key) {
    const auto at = map.find(key);
    assert(at != map.end());
    return at != map.end() ? &at->second : nullptr;
}

}  // namespace

const Sentences& Sentences::builtIn() {
    static const Sentences sentences = [] {
        Result<Sentences> read = fromJson(resources::sentences, "sentences.json");
        return read.ok() ? std::move(read).value() : Sentences();
    }();
    return sentences;
}

Result<Sentences> Sentences::fromJson(std::string_view json, const std::string& path) {
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
    if (document.is_discarded()) {
        return Error{path, {}, "is not valid JSON"};
    }
    Sentences sentences;
    try {
        for (const auto& [id, of_finding] : document.at("findings").items()) {
            for (const auto& [name, text] : of_finding.items()) {
                Template made{text.get<std::string>(), {}};
                made.placeholders = placeholdersOf(made.text);
                fmt::dynamic_format_arg_store<fmt::format_context> any;
                for (const std::string& placeholder : made.placeholders) {
                    any.push_back(fmt::arg(placeholder.c_str(), std::string()));
                }
                static_cast<void>(fmt::vformat(made.text, any));
                sentences.templates_.emplace(fmt::format("{}.{}", id, name), std::move(made));
            }
        }
    } catch (const nlohmann::json::exception& error) {
        return Error{path, {}, std::string("is not a table of sentences: ") + error.what()};
    } catch (const fmt::format_error& error) {
        return Error{path, {}, std::string("has a sentence with wrong placeholders: ") + error.what()};
    }
    return sentences;
}

Sentences Sentences::with(const std::string& name, std::string value) const {
    Sentences copy = *this;
    copy.given_[name] = std::move(value);
    return copy;
}

Sentences Sentences::preferring(std::string_view suffix) const {
    Sentences copy = *this;
    for (const auto& [key, text] : templates_) {
        if (key.ends_with(suffix)) {
            copy.templates_[key.substr(0, key.size() - suffix.size())] = text;
        }
    }
    return copy;
}

Sentences Sentences::translated(
    const std::function<std::string(const std::string& text, const std::string& key)>& translate,
    std::function<std::string(const std::string&)> value) const {
    Sentences copy = *this;
    copy.value_ = std::move(value);
    for (auto& [key, sentence] : copy.templates_) {
        std::string text = translate(sentence.text, key);
        if (placeholdersOf(text) == sentence.placeholders && canBeFilled(text, sentence.placeholders)) {
            sentence.text = std::move(text);
        }
    }
    return copy;
}

std::string Sentences::fill(std::string_view key, Values values) const {
    const auto* const sentence = known(templates_, key);
    if (sentence == nullptr) {
        return {};
    }
    fmt::dynamic_format_arg_store<fmt::format_context> store;
    std::vector<std::string> names;
    for (const auto& [name, value] : values) {
        store.push_back(fmt::arg(name, told(value)));
        names.emplace_back(name);
    }
    for (const auto& [name, value] : given_) {
        if (std::ranges::binary_search(sentence->placeholders, name)) {
            store.push_back(fmt::arg(name.c_str(), told(value)));
            names.push_back(name);
        }
    }
    std::ranges::sort(names);
    assert(names == sentence->placeholders);
    return filled(sentence->text, store);
}

std::string Sentences::fillFrom(std::string_view key, Values values) const {
    const auto* const sentence = known(templates_, key);
    if (sentence == nullptr) {
        return {};
    }
    fmt::dynamic_format_arg_store<fmt::format_context> store;
    for (const auto& [name, value] : given_) {
        store.push_back(fmt::arg(name.c_str(), told(value)));
    }
    for (const auto& [name, value] : values) {
        store.push_back(fmt::arg(name, told(value)));
    }
    return filled(sentence->text, store);
}

std::vector<std::string> Sentences::keys() const {
    std::vector<std::string> keys;
    for (const auto& [key, text] : templates_) {
        keys.push_back(key);
    }
    return keys;
}

std::vector<std::string> Sentences::placeholders(std::string_view key) const {
    const auto at = templates_.find(key);
    return at == templates_.end() ? std::vector<std::string>() : at->second.placeholders;
}

}  // namespace rankscope
