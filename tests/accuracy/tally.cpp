// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/tally.h"
#include "tests/accuracy/shares.h"

#include <algorithm>

#include "core/base/format.h"

namespace rankscope::accuracy {
namespace {

double ratio(std::size_t part, std::size_t whole) {
    return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool aboveLow(const StrayFinding& stray) {
    return stray.severity > Severity::Low;
}

void addFault(const FaultScore& fault, Tally& tally) {
    FindingTally& finding = tally.findings[fault.finding];
    if (fault.demanded) {
        ++finding.planted;
        finding.found += fault.found() ? 1U : 0U;
        finding.ranks_right += fault.ranksRight() ? 1U : 0U;
        if (fault.estimated() && fault.priced) {
            ++finding.estimates;
        } else if (fault.found() && fault.priced) {
            finding.price_right += fault.priceRight() ? 1U : 0U;
            finding.price_error_percent.push_back(percentOf(fault.priceError(), fault.step_ns));
        }
    }
}

std::string listOf(const std::vector<std::int32_t>& ranks) {
    std::string text;
    for (const std::int32_t rank : ranks) {
        text += (text.empty() ? "" : ",") + std::to_string(rank);
    }
    return text.empty() ? "none" : text;
}

std::string truthOf(const FaultScore& fault) {
    return "truth " + formatDuration(fault.saving_ns) + " of " + formatDuration(fault.step_ns) + " (" +
           percentText(percentOf(fault.saving_ns, fault.step_ns)) + ")";
}

void addFaultFailures(const CaseScore& score, const FaultScore& fault, std::vector<std::string>& lines) {
    if (!fault.demanded) {
        return;
    }
    const std::string where = fault.finding + " | " + score.name + " | " + fault.fault + ": ";
    if (!fault.found()) {
        lines.push_back(where + "not found; " + truthOf(fault));
        return;
    }
    if (!fault.ranksRight()) {
        lines.push_back(where + "ranks " + listOf(fault.found_ranks) + ", truth " + listOf(fault.ranks));
    }
    if (!fault.estimated() && !fault.priceRight()) {
        lines.push_back(where + "price " + formatDuration(*fault.found_saving_ns) + ", " + truthOf(fault) +
                        ", off by " + percentText(percentOf(fault.priceError(), fault.step_ns)) + " of the step");
    }
}

}  // namespace

double FindingTally::precision() const {
    return ratio(found, found + false_above_low);
}

double FindingTally::recall() const {
    return ratio(found, planted);
}

double FindingTally::medianError() const {
    std::vector<double> errors = price_error_percent;
    std::ranges::sort(errors);
    return errors.empty() ? 0 : errors[errors.size() / 2];
}

double FindingTally::worstError() const {
    return price_error_percent.empty() ? 0 : *std::ranges::max_element(price_error_percent);
}

bool Tally::holds() const {
    const bool all_found = std::ranges::all_of(findings, [](const auto& entry) {
        const FindingTally& finding = entry.second;
        return finding.found == finding.planted && finding.ranks_right == finding.planted &&
               finding.price_right == finding.price_error_percent.size() && finding.false_above_low == 0;
    });
    // An uncertainty holds in 99 of 100 cases by its definition, and so do clocks that are measured by it.
    const bool clocks_hold = 100 * clocks.within_target >= 99 * clocks.errors_ns.size() &&
                             100 * clocks.covered >= 95 * clocks.errors_ns.size();
    return broken == 0 && all_found && healthy_clean == healthy && clocks_hold;
}

Tally tallyOf(const std::vector<CaseScore>& scores) {
    Tally tally;
    for (const CaseScore& score : scores) {
        ++tally.runs;
        if (!score.error.empty()) {
            ++tally.broken;
            continue;
        }
        for (const FaultScore& fault : score.faults) {
            addFault(fault, tally);
        }
        for (const StrayFinding& stray : score.strays) {
            FindingTally& finding = tally.findings[stray.id];
            ++(aboveLow(stray) ? finding.false_above_low : finding.false_low);
        }
        if (score.faults.empty()) {
            ++tally.healthy;
            tally.healthy_clean += std::ranges::none_of(score.strays, aboveLow) ? 1U : 0U;
        }
        for (const ClockScore& clock : score.clocks) {
            tally.clocks.errors_ns.push_back(clock.error_ns);
            tally.clocks.covered += clock.covered() ? 1U : 0U;
            tally.clocks.within_target += clock.withinTarget() ? 1U : 0U;
        }
    }
    std::ranges::sort(tally.clocks.errors_ns);
    return tally;
}

std::vector<std::string> failuresOf(const CaseScore& score) {
    if (!score.error.empty()) {
        return {"broken | " + score.name + " | " + score.error};
    }
    std::vector<std::string> lines;
    for (const FaultScore& fault : score.faults) {
        addFaultFailures(score, fault, lines);
    }
    for (const StrayFinding& stray : score.strays) {
        if (aboveLow(stray)) {
            lines.push_back(stray.id + " | " + score.name + " | " + std::string(severityName(stray.severity)) +
                            " and nothing planted (" + percentText(100 * stray.share) + "): " + stray.why);
        }
    }
    std::vector<ClockScore> off = score.clocks;
    std::erase_if(off, [](const ClockScore& clock) { return clock.withinTarget(); });
    if (!off.empty()) {
        const ClockScore& clock = *std::ranges::max_element(off, {}, &ClockScore::error_ns);
        lines.push_back("clock | " + score.name + " | " + std::to_string(off.size()) + " of " +
                        std::to_string(score.clocks.size()) + " ranks, the worst off by " +
                        formatDuration(clock.error_ns) + ", reported " +
                        (clock.uncertainty_ns ? formatDuration(*clock.uncertainty_ns) : "unknown"));
    }
    return lines;
}

}  // namespace rankscope::accuracy
