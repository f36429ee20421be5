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

/// The sentences that explain findings, and the titles that are made for one run: templates with named placeholders, as
/// in "for {blocked} of the step". They are data (resources/sentences.json), so they can be read in one place and
/// translated; fixed titles and remedies are in Advice.
class Sentences {
  public:
    /// The values of placeholders, formatted already: {"blocked", "58.2 ms"}.
    using Values = std::initializer_list<std::pair<const char*, std::string>>;

    /// The templates that are built in.
    [[nodiscard]] static const Sentences& builtIn();
    /// Reads {"findings": {id: {name: template}}}; a template's key is "id.name". `path` is for error texts only. Fails
    /// where the text is no such JSON, or a template is none that fmt can read.
    [[nodiscard]] static Result<Sentences> fromJson(std::string_view json, const std::string& path);

    /// These sentences, with `value` in place of {name} wherever a template has it: what is the same all through a run.
    [[nodiscard]] Sentences with(const std::string& name, std::string value) const;

    /// The template `key` with its placeholders filled. `values` has each of its placeholders once, except those that
    /// with() gave a value, and no other. Anything else ends the program in a build with assertions; without them the
    /// template stays unfilled.
    [[nodiscard]] std::string fill(std::string_view key, Values values) const;

    /// The same for a template whose placeholders are some of `values`: for texts that all findings share.
    [[nodiscard]] std::string fillFrom(std::string_view key, Values values) const;

    /// These sentences in another language: each as `translate` gives it for its text and key. A sentence stays as it
    /// was if its translation has other placeholders, or if fmt cannot read it. Filled-in values are shown as `value`
    /// gives them: "4 steps", "rank 3".
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
    std::map<std::string, std::string> given_;              // by placeholder, what with() gave
    std::function<std::string(const std::string&)> value_;  // how values are shown; empty: as they are
};

}  // namespace rankscope
