// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

// A run in the few lines that come first, on the terminal, in Markdown and in HTML: one model for all three.
namespace rankscope::report {

/// A finding as a row.
struct OutlineRow {
    std::size_t number = 0;  ///< from 1: its place among the findings, as for `--finding`
    Severity severity = Severity::Low;
    std::string saves;      ///< "up to 28.1 ms (59 %)", "no price"
    std::string range;      ///< 95 %: "0 to 7.05 ms"; empty if one number is enough
    bool is_quick = false;  ///< isQuickWin()
    std::string what;       ///< its title
    std::string where;      ///< "all", "rank 3"
    std::string change;     ///< its first remedy, in a few words
};

/// A part of the step along the critical path, as in the verdict's bar.
struct OutlineShare {
    std::string_view key;    ///< as in the JSON: "launch"
    std::string_view title;  ///< in a word or two: "launch"
    double share = 0;        ///< 0 to 1, at least 0.005
};

struct RunOutline {
    std::string name;
    std::string size;  ///< "4 ranks, 3 steps, 47.7 ms per step"
    Headline headline;
    std::vector<OutlineShare> shares;  ///< in the order of the bar; empty if there is no verdict
    std::vector<OutlineRow> rows;      ///< all findings
    std::string no_rows;               ///< the text if there are no findings
    std::vector<std::string> looks;    ///< titles of the lines of the health check that say "look here"
    std::size_t checks = 0;            ///< the number of lines of the health check
    std::vector<std::string> unknown;  ///< what is unknown, and what to record: a line per reason
    std::string coverage;              ///< coverage of the prices: "from 2 of 3 steps, 91 % of the recorded time.";
                                       ///< empty without prices
    std::vector<std::string> health;   ///< what is missing or wrong in the files, if the check says to look there
};

/// O(ranks x steps), as checkOf().
[[nodiscard]] RunOutline outlineOf(const AnalysedRun& run);

/// What a finding saves per step: "up to 28.1 ms (59 %)", or "no price".
[[nodiscard]] std::string savingText(const Finding& finding);

/// "a, b, c"
[[nodiscard]] std::string listed(const std::vector<std::string>& texts);

}  // namespace rankscope::report
