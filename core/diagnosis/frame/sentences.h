// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace rankscope {

/// The sentences that explain findings, and titles that depend on the run: templates with named placeholders, as in
/// "for {blocked} of the step". They are data (resources/sentences.json), so they can be read in one place and
/// translated. Fixed titles and remedies are in Advice.
class Sentences {
  public:
    /// Formatted values of placeholders: {"blocked", "58.2 ms"}.
    using Values = std::initializer_list<std::pair<const char*, std::string>>;

    /// The built-in templates.
    [[nodiscard]] static const Sentences& builtIn();
    /// Reads {"findings": {id: {name: template}}}; a template's key is "id.name". `path` is for error texts only. Fails
    /// if the text is not such JSON, or if fmt cannot read a template.
    [[nodiscard]] static Result<Sentences> fromJson(std::string_view json, const std::string& path);

    /// These sentences with {name} replaced by `value` in every template: for values that are the same for the whole
    /// run.
    [[nodiscard]] Sentences with(const std::string& name, std::string value) const;

    /// These sentences, where a template whose key ends with `suffix` takes the place of the one without: "key-nsight"
    /// that of "key". For texts that differ between kinds of runs.
    [[nodiscard]] Sentences preferring(std::string_view suffix) const;

    /// The template `key` with its placeholders filled. `values` has exactly its placeholders, without those that
    /// with() filled. Anything else ends the program in a build with assertions; without them the template stays
    /// unfilled.
    [[nodiscard]] std::string fill(std::string_view key, Values values) const;

    /// The same if `values` may have more than the template's placeholders: for texts that all findings share.
    [[nodiscard]] std::string fillFrom(std::string_view key, Values values) const;

    /// These sentences in another language. `translate` gets each text and its key. A sentence stays in English if its
    /// translation has other placeholders, or if fmt cannot read it. Filled-in values are shown as `value` gives them:
    /// "4 steps", "rank 3".
    [[nodiscard]] Sentences translated(
        const std::function<std::string(const std::string& text, const std::string& key)>& translate,
        std::function<std::string(const std::string&)> value) const;

    /// Whether there is a template `key`.
    [[nodiscard]] bool has(std::string_view key) const { return templates_.contains(key); }
    /// The keys of all templates, sorted.
    [[nodiscard]] std::vector<std::string> keys() const;
    /// The placeholders of a template, sorted, each once; empty if there is no template `key`.
    [[nodiscard]] std::vector<std::string> placeholders(std::string_view key) const;

  private:
    [[nodiscard]] std::string told(const std::string& value) const { return value_ ? value_(value) : value; }
    struct Template {
        std::string text;
        std::vector<std::string> placeholders;  // sorted, each once
    };
    std::map<std::string, Template, std::less<>> templates_;
    std::map<std::string, std::string> given_;              // by placeholder, the values that with() gave
    std::function<std::string(const std::string&)> value_;  // how values are shown; empty: unchanged
};

}  // namespace rankscope
