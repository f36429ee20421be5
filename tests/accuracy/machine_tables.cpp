// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/machine_tables.h"
#include "tests/accuracy/shares.h"

#include <fmt/format.h>
#include <algorithm>
#include <functional>

#include "core/base/format.h"

namespace rankscope::accuracy {
namespace {

MachineFaultTally& rowOf(MachineTally& tally, const std::string& name) {
    const auto at = std::ranges::find(tally.faults, name, &std::pair<std::string, MachineFaultTally>::first);
    if (at != tally.faults.end()) {
        return at->second;
    }
    tally.faults.emplace_back(name, MachineFaultTally{});
    return tally.faults.back().second;
}

void addFault(const MachineScore& score, MachineFaultTally& fault) {
    fault.finding = score.finding;
    fault.awaited = score.awaited;
    ++fault.planted;
    if (!score.demanded()) {
        return;
    }
    ++fault.demanded;
    for (std::size_t at = 0; at < kResolutions; ++at) {
        MachineRow& row = fault.at.at(at);
        row.found += score.found(at) ? 1U : 0U;
        row.in_front += score.inFront(at) ? 1U : 0U;
        row.ranks_right += score.ranksRight(at) ? 1U : 0U;
        row.price_right += score.priceRight(at) ? 1U : 0U;
        row.bounds += score.isBound(at) && score.priceRight(at) ? 1U : 0U;
        row.price_holds += score.priceHolds(at) ? 1U : 0U;
        row.range_right += score.rangeRight(at) ? 1U : 0U;
        row.window_right += score.windowPriceRight(at) ? 1U : 0U;
        if (score.found(at)) {
            row.price_error_percent.push_back(percentOf(score.priceError(at), score.results.at(at).covered.step_ns));
        } else {
            const auto& findings = score.results.at(at).findings;
            ++fault.instead[findings.empty() ? "nothing" : findings.front().id];
        }
    }
}

void addHealthy(const MachineScore& score, MachineTally& tally) {
    ++(score.job ? tally.healthy_jobs : tally.healthy);
    for (std::size_t at = 0; at < kResolutions; ++at) {
        MachineHealthTally& health = (score.job ? tally.job_health : tally.health).at(at);
        const std::vector<std::string> strays = score.othersAboveLow(at);
        health.silent += strays.empty() && score.results.at(at).error.empty() ? 1U : 0U;
        for (const std::string& id : strays) {
            ++health.strays[id];
        }
    }
}

// "6, 6, 5": of the three resolutions; once where they agree.
std::string ofThree(const MachineFaultTally& fault, const std::function<std::string(const MachineRow&)>& value) {
    std::string text;
    bool same = true;
    for (const MachineRow& row : fault.at) {
        same = same && value(row) == value(fault.at.front());
        text += (text.empty() ? "" : " / ") + value(row);
    }
    return same ? value(fault.at.front()) : text;
}

std::string errorsOf(const MachineRow& row, bool worst) {
    std::vector<double> errors = row.price_error_percent;
    std::ranges::sort(errors);
    return errors.empty() ? "-" : formatDecimal(worst ? errors.back() : errors[errors.size() / 2], 1) + " %";
}

std::string listOf(const std::map<std::string, std::size_t>& counts) {
    std::string text;
    for (const auto& [id, count] : counts) {
        text += (text.empty() ? "`" : ", `") + id + "` " + std::to_string(count);
    }
    return text.empty() ? "-" : text;
}

void addFaults(const MachineTally& tally, std::string& text) {
    text +=
        "| planted | should lead to | worth 3 % | found | first or second | right ranks | right price | upper bounds "
        "| or in its interval | of the window | error, median | worst "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    const auto count = [](std::size_t MachineRow::*member) {
        return [member](const MachineRow& row) { return std::to_string(row.*member); };
    };
    for (const auto& [name, fault] : tally.faults) {
        text += "| " + name + (fault.awaited.any() ? " (awaited)" : "") + " | `" + fault.finding + "` | " +
                std::to_string(fault.demanded) + " of " + std::to_string(fault.planted) + " | " +
                ofThree(fault, count(&MachineRow::found)) + " | " + ofThree(fault, count(&MachineRow::in_front)) +
                " | " + ofThree(fault, count(&MachineRow::ranks_right)) + " | " +
                ofThree(fault, count(&MachineRow::price_right)) + " | " + ofThree(fault, count(&MachineRow::bounds)) +
                " | " + ofThree(fault, count(&MachineRow::range_right)) + " | " +
                ofThree(fault, count(&MachineRow::window_right)) + " | " +
                ofThree(fault, [](const MachineRow& row) { return errorsOf(row, false); }) + " | " +
                ofThree(fault, [](const MachineRow& row) { return errorsOf(row, true); }) + " |\n";
    }
}

void addMeanings(std::string& text) {
    text += "\n| planted | what it is |\n|---|---|\n";
    for (const tracegen::machine::Fault& fault : tracegen::machine::allFaults()) {
        text += "| " + std::string(fault.name) + " | " + std::string(fault.what) + " |\n";
    }
}

void addHealth(std::string_view what, std::size_t runs, const std::array<MachineHealthTally, kResolutions>& all,
               std::string& text) {
    if (runs == 0) {
        return;
    }
    text += "\n| healthy " + std::string(what) + " at | without a finding above low | findings above low |\n";
    text += "|---|---|---|\n";
    for (std::size_t at = 0; at < kResolutions; ++at) {
        const MachineHealthTally& health = all.at(at);
        text += "| " + std::string(kGridNames.at(at)) + " | " + std::to_string(health.silent) + " of " +
                std::to_string(runs) + " | " + listOf(health.strays) + " |\n";
    }
}

void addMissed(const MachineTally& tally, std::string& text) {
    std::string missed;
    for (const auto& [name, fault] : tally.faults) {
        if (!fault.instead.empty()) {
            missed += "| " + name + " | " + listOf(fault.instead) + " |\n";
        }
    }
    if (!missed.empty()) {
        text += "\n| not always found | what was first instead, over all resolutions |\n|---|---|\n" + missed;
    }
}

std::string ranksText(const std::vector<std::int32_t>& ranks) {
    std::string text;
    for (const std::int32_t rank : ranks) {
        text += (text.empty() ? "" : ",") + std::to_string(rank);
    }
    return text.empty() ? "none" : text;
}

std::string truthText(const MachineTruth& truth) {
    return formatDuration(truth.price_ns) + " of " + formatDuration(truth.step_ns) + " (" +
           formatDecimal(percentOf(truth.price_ns, truth.step_ns), 1) + " %)";
}

std::string truthOf(const MachineScore& score, std::size_t at) {
    return "truth " + truthText(score.results.at(at).covered) + ", of the window " + truthText(score.window) +
           ", ranks " + ranksText(score.ranks);
}

std::string seenOf(const MachineResult& result) {
    std::string text;
    for (const SeenFinding& finding : result.findings) {
        text += (text.empty() ? "" : "; ") + finding.id + ' ' + std::string(severityName(finding.severity)) + ' ' +
                (finding.at_most ? "at most " : "") + formatDuration(finding.saving_ns) + " ranks " +
                ranksText(finding.ranks);
    }
    return text.empty() ? "nothing" : text;
}

std::string whatFailed(const MachineScore& score, std::size_t at) {
    if (!score.results.at(at).error.empty()) {
        return score.results.at(at).error;
    }
    if (score.healthy()) {
        return score.othersAboveLow(at).empty() ? "" : "not silent";
    }
    if (!score.demanded()) {
        return "";
    }
    if (!score.found(at)) {
        return "not found";
    }
    std::string text;
    const auto add = [&text](bool right, std::string_view wrong) {
        if (!right) {
            text += text.empty() ? "" : ", ";
            text += wrong;
        }
    };
    add(score.inFront(at), "late in the list");
    add(score.ranksRight(at), "wrong ranks");
    add(score.priceHolds(at), "wrong price");
    add(!score.priceHolds(at) || score.windowPriceRight(at), "wrong price of the window");
    return text;
}

}  // namespace

bool MachineTally::holds() const {
    const bool all_found = std::ranges::all_of(faults, [](const auto& entry) {
        return std::ranges::all_of(entry.second.at, [&](const MachineRow& row) {
            const std::size_t demanded = entry.second.demanded;
            const Awaited& awaited = entry.second.awaited;
            return demanded - row.in_front <= awaited.missed && demanded - row.ranks_right <= awaited.wrong_ranks &&
                   demanded - row.price_holds <= awaited.wrong_price &&
                   demanded - row.window_right <= awaited.wrong_window;
        });
    });
    const auto silent = [](const std::array<MachineHealthTally, kResolutions>& all, std::size_t of) {
        return std::ranges::all_of(all, [of](const MachineHealthTally& one) { return 100 * (of - one.silent) <= of; });
    };
    return broken.empty() && all_found && silent(health, healthy) && silent(job_health, healthy_jobs);
}

MachineTally tallyOf(const std::vector<MachineScore>& scores) {
    MachineTally tally;
    for (const MachineScore& score : scores) {
        ++tally.runs;
        if (!score.error.empty()) {
            tally.broken.push_back(score.name + ": " + score.error);
            continue;
        }
        for (std::size_t at = 0; at < kResolutions; ++at) {
            if (!score.results.at(at).error.empty()) {
                tally.broken.push_back(score.name + " at " + std::string(kGridNames.at(at)) + ": " +
                                       score.results.at(at).error);
            }
        }
        if (score.healthy()) {
            addHealthy(score, tally);
        } else {
            addFault(score, rowOf(tally, score.row));
        }
    }
    return tally;
}

std::string markdownOf(const MachineTally& tally) {
    std::string text = std::to_string(tally.runs) +
                       " runs, each at three resolutions. Three figures in a cell are for 1 ns, " +
                       "250 ns and 1 us; one if they agree.\n\n";
    addFaults(tally, text);
    addHealth("runs", tally.healthy, tally.health, text);
    addHealth("runs of divided jobs", tally.healthy_jobs, tally.job_health, text);
    addMissed(tally, text);
    addMeanings(text);
    for (const std::string& broken : tally.broken) {
        text += "\nCould not be judged: " + broken + '\n';
    }
    return text;
}

std::vector<std::string> failuresOf(const MachineScore& score) {
    const std::string row = score.healthy() ? "healthy" : score.row;
    if (!score.error.empty()) {
        return {row + " | " + score.name + " | " + score.error};
    }
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < kResolutions; ++at) {
        if (const std::string what = whatFailed(score, at); !what.empty()) {
            lines.push_back(fmt::format("{} | {} at {}: {}; {}said: {}", row, score.name, kGridNames.at(at), what,
                                        score.healthy() ? std::string() : truthOf(score, at) + "; ",
                                        seenOf(score.results.at(at))));
        }
    }
    return lines;
}

}  // namespace rankscope::accuracy
