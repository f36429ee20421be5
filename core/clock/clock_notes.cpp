// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/clock_notes.h"

#include <algorithm>
#include <map>

#include "core/base/format.h"

namespace rankscope {
namespace {

std::string collectives(std::size_t count) {
    return formatCount(count) + (count == 1 ? " collective" : " collectives");
}

std::string capital(std::string sentence) {
    sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
    return sentence;
}

void noteOneClock(const Run& run, const RunClock& clock, std::vector<std::string>& notes) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> like;
    for (std::uint32_t rank = 0; rank < clock.ranks.size(); ++rank) {
        if (clock.ranks[rank].method == ClockMethod::OneClock) {
            like[clock.ranks[rank].reference].push_back(rank);
        }
    }
    for (const auto& [reference, ranks] : like) {
        std::uint32_t matches = 0;
        DurationNs uncertainty_ns = 0;
        for (const std::uint32_t rank : ranks) {
            matches = std::max(matches, clock.ranks[rank].matches);
            uncertainty_ns = std::max(uncertainty_ns, clock.ranks[rank].uncertainty_ns.value_or(0));
        }
        std::vector<std::uint32_t> all = {reference};
        all.insert(all.end(), ranks.begin(), ranks.end());
        notes.push_back(capital(ranksInWords(run, all)) + ": not all hosts are recorded. " + collectives(matches) +
                        (matches == 1 ? " is" : " are") + " consistent with one clock, to " +
                        formatDuration(uncertainty_ns) + ", so the files' own times are kept.");
    }
}

void noteUnconnected(const Run& run, const RunClock& clock, std::vector<std::string>& notes) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_reference;
    for (std::uint32_t rank = 0; rank < clock.ranks.size(); ++rank) {
        if (clock.ranks[rank].method != ClockMethod::Typed) {
            by_reference[clock.ranks[rank].reference].push_back(rank);
        }
    }
    if (by_reference.size() == clock.ranks.size() && clock.ranks.size() > 1) {
        notes.emplace_back(
            "No matched collective and no host's name connects the ranks: the files' own times are "
            "kept, and how far their clocks differ is unknown.");
        return;
    }
    for (const auto& [reference, ranks] : by_reference) {
        if (reference != by_reference.begin()->first) {
            notes.push_back("No matched collective connects " + ranksInWords(run, ranks) + " with " +
                            ranksInWords(run, {by_reference.begin()->first}) + ": the own times of " +
                            ranksInWords(run, {reference}) + " are kept, and how far the clocks differ is unknown.");
        }
    }
}

}  // namespace

std::string ranksInWords(const Run& run, const std::vector<std::uint32_t>& ranks) {
    std::vector<std::int32_t> numbers;
    numbers.reserve(ranks.size());
    for (const std::uint32_t rank : ranks) {
        numbers.push_back(run.ranks[rank]->rank.value_or(static_cast<std::int32_t>(rank)));
    }
    std::ranges::sort(numbers);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        const std::string_view between = last > i + 1 ? " to " : " and ";
        parts.push_back(std::to_string(numbers[i]));
        if (last > i) {
            parts.back() += std::string(between) + std::to_string(numbers[last]);
        }
        i = last + 1;
    }
    std::string words = numbers.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < parts.size(); ++i) {
        words += (i == 0 ? "" : i + 1 < parts.size() ? ", " : " and ") + parts[i];
    }
    return words;
}

std::string hostNote(const Run& run, const ClockDomain& domain, const OneClockCheck& check) {
    const std::string who = capital(ranksInWords(run, domain.ranks)) + " of host " + domain.host + ": ";
    const std::string what = collectives(check.matches) + (check.matches == 1 ? " is" : " are");
    if (check.consistent) {
        return who + what + " consistent with one clock, to " + formatDuration(check.uncertainty_ns) + ".";
    }
    const std::string off = what + " not consistent with one clock (" + ranksInWords(run, {check.furthest_rank}) +
                            " seems to be off by " + formatDuration(check.furthest_ns) + ", give or take " +
                            formatDuration(check.uncertainty_ns) + ")";
    return who + off +
           (check.impossible ? ". On one clock some would end before they have started, so each rank's is fitted."
                             : "; the host's name is believed all the same.");
}

std::vector<std::string> runNotes(const Run& run, const RunClock& clock, const ClockFit& fit) {
    std::vector<std::string> notes;
    noteOneClock(run, clock, notes);
    noteUnconnected(run, clock, notes);
    if (fit.set_aside > 0) {
        notes.push_back("In " + collectives(fit.set_aside) +
                        " an end is too far from the others' to belong to them: "
                        "left out of the clocks.");
    }
    if (fit.ends_before_start > 0) {
        notes.push_back("In " + collectives(fit.ends_before_start) +
                        " a member ends before another has started, "
                        "whatever the clocks.");
    }
    return notes;
}

}  // namespace rankscope
