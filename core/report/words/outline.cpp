// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/words/outline.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "core/analysis/verdict_words.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/diagnosis/frame/cannot_tell.h"
#include "core/diagnosis/frame/worth.h"
#include "core/report/check/check.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

/// "4 ranks", or "4 of 8 ranks" if some are missing.
std::string ranksText(const Run& run) {
    const std::size_t missing = run.missing();
    return missing > 0 ? fmt::format("{} of {} ranks", run.ranks.size(), run.ranks.size() + missing)
                       : formatCounted(run.ranks.size(), "rank");
}

std::string sizeOf(const AnalysedRun& run) {
    const RunFacts& facts = run.facts;
    std::string out = ranksText(*run.run);
    if (facts.steps.empty()) {
        return out + ", no steps";
    }
    const std::string step = formatDuration(facts.pricedStep());
    if (isWholeWindow(facts)) {
        const std::string windows = facts.steps.size() > 1
                                        ? fmt::format(", {} windows, {} per window", facts.steps.size(), step)
                                        : fmt::format(", {} recorded", step);
        return out + ", no usable step marks" + (facts.pricedStep() > 0 ? windows : "");
    }
    const IterationSums* const priced = facts.iterations.priced();
    const std::string one =
        priced != nullptr && priced->kind ? std::string(iterationTitle(priced->kind)) + " iteration" : "step";
    out += ", " + formatCounted(facts.steps.size(), "step");
    return facts.pricedStep() > 0 ? out + fmt::format(", {} per {}", step, one) : out;
}

std::vector<OutlineShare> sharesOf(const Verdict& verdict) {
    struct Title {
        std::string_view key;
        std::string_view title;
    };
    static constexpr std::array<Title, 9> kTitles = {{{"compute", "compute"},
                                                      {"communication", "comm"},
                                                      {"input", "input"},
                                                      {"launch", "launch"},
                                                      {"stall", "stalls"},
                                                      {"rest", "queued"},
                                                      {"warm_up", "warm-up"},
                                                      {"unknown", "unknown"},
                                                      {"unsplit", "comm or wait"}}};
    constexpr double kLeast = 0.005;
    std::vector<OutlineShare> shares;
    if (!verdict.shares) {
        return shares;
    }
    for (const NamedShare& named : namedShares(*verdict.shares)) {
        const auto* const title = std::ranges::find(kTitles, named.name, &Title::key);
        if (named.share >= kLeast) {
            shares.push_back({named.name, title->title, named.share});
        }
    }
    return shares;
}

std::string whereOf(const Run& run, const std::vector<RankPosition>& ranks) {
    if (run.ranks.size() == 1) {
        return {};
    }
    return ranks.empty() ? "-" : ranks.size() == run.ranks.size() ? "all" : rankList(run, ranks);
}

/// "47.5 to 66.6 ms", "900 µs to 1.20 ms", "0 to 7.05 ms".
std::string rangeText(const SavingRange& range) {
    const std::string high = formatDuration(range.high_ns);
    if (range.low_ns <= 0) {
        return "0 to " + high;
    }
    const std::string low = formatDuration(range.low_ns);
    const std::size_t unit = low.find(' ');
    return (low.substr(unit) == high.substr(high.find(' ')) ? low.substr(0, unit) : low) + " to " + high;
}

OutlineRow rowOf(const AnalysedRun& run, std::size_t index) {
    const Finding& finding = run.diagnosis.findings[index];
    OutlineRow row;
    row.number = index + 1;
    row.severity = finding.severity;
    row.saves = savingText(finding);
    if (finding.saving_ns > 0 && isToldAsRange(finding, run.facts.pricedStep())) {
        row.range = rangeText(*finding.range);
    }
    row.is_quick = isQuickWin(finding);
    row.what = finding.title;
    row.where = whereOf(*run.run, finding.ranks);
    row.change = finding.remedies.empty() ? "-" : finding.remedies.front().brief;
    return row;
}

/// What to record to learn more, and what that would show.
std::vector<std::string> unknownLines(const Diagnosis& diagnosis) {
    std::vector<std::string> lines;
    for (const CannotTellTogether& one : cannotTellByReason(diagnosis.cannot_tell)) {
        if (one.record != kNothingToRecord) {
            lines.push_back(one.names() + ": " + one.record);
        }
    }
    return lines;
}

}  // namespace

std::string savingText(const Finding& finding) {
    return finding.saving_ns <= 0 ? std::string("no price")
                                  : fmt::format("{}{} ({})", finding.at_most ? "up to " : "",
                                                formatDuration(finding.saving_ns), formatPercent(finding.share));
}

std::string listed(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        out += (out.empty() ? "" : ", ") + text;
    }
    return out;
}

RunOutline outlineOf(const AnalysedRun& run) {
    RunOutline outline;
    outline.name = run.run->name;
    outline.size = sizeOf(run);
    outline.headline = run.diagnosis.headline;
    outline.shares = sharesOf(run.facts.verdict);
    for (std::size_t i = 0; i < run.diagnosis.findings.size(); ++i) {
        outline.rows.push_back(rowOf(run, i));
    }
    outline.no_rows = noFindings(run);
    const Check check = checkOf(run);
    outline.checks = check.lines.size();
    for (const CheckLine& line : check.lines) {
        if (line.status == CheckStatus::Look) {
            outline.looks.push_back(line.title);
        }
    }
    outline.unknown = unknownLines(run.diagnosis);
    if (run.diagnosis.prices.steps > 0) {
        outline.coverage = fmt::format("from {}.", coverageText(*run.run, run.diagnosis.prices));
    }
    const CheckLine* const files = check.line("files");
    if (files != nullptr && files->status == CheckStatus::Look) {
        outline.health = healthLines(run);
    }
    return outline;
}

}  // namespace rankscope::report
