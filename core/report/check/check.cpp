// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/report/check/check_context.h"
#include "resources/check.h"

namespace rankscope::report {

std::string_view checkStatusName(CheckStatus status) {
    switch (status) {
        case CheckStatus::Ok: return "ok";
        case CheckStatus::Look: return "look";
        case CheckStatus::CannotTell: break;
    }
    return "cannot-tell";
}

std::string_view checkStatusTitle(CheckStatus status) {
    switch (status) {
        case CheckStatus::Ok: return "ok";
        case CheckStatus::Look: return "look here";
        case CheckStatus::CannotTell: break;
    }
    return "cannot tell";
}

std::string_view checkAreaName(CheckArea area) {
    switch (area) {
        case CheckArea::Steps: return "steps";
        case CheckArea::Budget: return "budget";
        case CheckArea::Hardware: return "hardware";
        case CheckArea::Coverage: break;
    }
    return "coverage";
}

std::string_view checkAreaTitle(CheckArea area) {
    switch (area) {
        case CheckArea::Steps: return "Steps and ranks";
        case CheckArea::Budget: return "Where the time goes";
        case CheckArea::Hardware: return "Hardware use";
        case CheckArea::Coverage: break;
    }
    return "What this is based on";
}

std::size_t Check::count(CheckStatus status) const {
    return static_cast<std::size_t>(std::ranges::count(lines, status, &CheckLine::status));
}

const CheckLine* Check::line(std::string_view key) const {
    const auto at = std::ranges::find(lines, key, &CheckLine::key);
    return at != lines.end() ? &*at : nullptr;
}

const Sentences& checkSentences() {
    static const Sentences sentences = [] {
        Result<Sentences> read = Sentences::fromJson(resources::check, "check.json");
        return read.ok() ? std::move(read).value() : Sentences();
    }();
    return sentences;
}

Check checkOf(const AnalysedRun& run, const Sentences& words) {
    CheckContext context = contextOf(run, words);
    Check check;
    for (std::vector<CheckLine>& lines :
         std::array{stepLines(context), budgetLines(context), hardwareLines(context), coverageLines(context)}) {
        std::ranges::move(lines, std::back_inserter(check.lines));
    }
    check.ranks = std::move(context.ranks);
    check.budget = context.budget;
    return check;
}

std::string checkCounts(const Check& check) {
    return fmt::format("{} look here, {} ok, {} cannot tell", check.count(CheckStatus::Look),
                       check.count(CheckStatus::Ok), check.count(CheckStatus::CannotTell));
}

}  // namespace rankscope::report
