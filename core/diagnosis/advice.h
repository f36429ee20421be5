// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/diagnosis/finding.h"

namespace rankscope {

/// The texts of the findings: titles, remedies and what to record. They are data (resources/advice.json).
class Advice {
  public:
    /// The texts that are built in.
    [[nodiscard]] static Advice builtIn();
    [[nodiscard]] static Result<Advice> fromJson(std::string_view json, const std::string& path);

    /// The same texts in another language: each as `translate` gives it for itself and where it stands, as in
    /// "dataloader-stall.title".
    [[nodiscard]] Advice translated(
        const std::function<std::string(const std::string& text, const std::string& key)>& translate) const;

    /// The title of a finding, by its id: "The device waits for input data" for "dataloader-stall". The id itself where
    /// the table has no entry for it.
    [[nodiscard]] std::string title(FindingId id) const;
    /// What the finding looks like on the timeline, in a sentence; empty where the table has no entry for it.
    [[nodiscard]] std::string pattern(FindingId id) const;
    /// What to record to be able to judge.
    [[nodiscard]] std::string record(FindingId id) const;
    /// The remedies for a finding, in order: those without a condition and those whose condition is in `conditions`.
    [[nodiscard]] std::vector<Remedy> remedies(FindingId id, const std::vector<std::string>& conditions) const;
    /// All remedies for a finding, whatever their conditions, each action once.
    [[nodiscard]] std::vector<Remedy> everyRemedy(FindingId id) const;

  private:
    struct ConditionalRemedy {
        std::string when;
        Remedy remedy;
    };
    struct Entry {
        std::string title;
        std::string pattern;
        std::string record;
        std::vector<ConditionalRemedy> remedies;
    };
    std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace rankscope
