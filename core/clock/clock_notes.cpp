// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/clock_notes.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "core/base/format.h"

namespace rankscope {
namespace {

std::string capital(std::string sentence) {
    sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
    return sentence;
}

void noteOneClock(const Run& run, const RunClock& clock, std::vector<std::string>& notes) {
    std::map<RankPosition, std::vector<RankPosition>> like;
    for (RankPosition rank{0}; rank < clock.ranks.size(); ++rank) {
        if (clock.ranks[rank].method == ClockMethod::OneClock) {
            like[clock.ranks[rank].reference].push_back(rank);
        }
    }
    for (const auto& [reference, ranks] : like) {
        std::uint32_t matches = 0;
        DurationNs uncertainty_ns = 0;
        for (const RankPosition rank : ranks) {
            matches = std::max(matches, clock.ranks[rank].matches);
            uncertainty_ns = std::max(uncertainty_ns, clock.ranks[rank].uncertainty_ns.value_or(0));
        }
        std::vector<RankPosition> all = {reference};
        all.insert(all.end(), ranks.begin(), ranks.end());
        notes.push_back(fmt::format(
            "{}: not all hosts are recorded. {} {} consistent with one clock, to {}, so the files' own times are kept.",
            capital(ranksInWords(run, all)), formatCounted(matches, "collective"), matches == 1 ? "is" : "are",
            formatDuration(uncertainty_ns)));
    }
}

void noteUnconnected(const Run& run, const RunClock& clock, std::vector<std::string>& notes) {
    std::map<RankPosition, std::vector<RankPosition>> by_reference;
    for (RankPosition rank{0}; rank < clock.ranks.size(); ++rank) {
        if (clock.ranks[rank].method != ClockMethod::Typed) {
            by_reference[clock.ranks[rank].reference].push_back(rank);
        }
    }
    if (by_reference.size() == clock.ranks.size() && clock.ranks.size() > 1) {
        notes.emplace_back(
            "No matched collective and no host name connects the ranks: the files' own times are kept, and their clock "
            "offsets are unknown.");
        return;
    }
    for (const auto& [reference, ranks] : by_reference) {
        if (reference != by_reference.begin()->first) {
            notes.push_back(
                fmt::format("No matched collective connects {} with {}: the times in the files of {} are kept, and the "
                            "clock offsets are unknown.",
                            ranksInWords(run, ranks), ranksInWords(run, {by_reference.begin()->first}),
                            ranksInWords(run, {reference})));
        }
    }
}

/// Whether the ranks of one host are on one clock.
std::string hostNote(const Run& run, const CheckedHost& host) {
    const auto& [domain, check] = host;
    const std::string subject =
        fmt::format("{} of host {}: {} {}", capital(ranksInWords(run, domain.ranks)), domain.host,
                    formatCounted(check.matches, "collective"), check.matches == 1 ? "is" : "are");
    if (check.consistent) {
        return fmt::format("{} consistent with one clock, to {}.", subject, formatDuration(check.uncertainty_ns));
    }
    return fmt::format("{} not consistent with one clock ({} seems to be off by {} ± {}){}", subject,
                       ranksInWords(run, {check.furthest_rank}), formatDuration(check.furthest_ns),
                       formatDuration(check.uncertainty_ns),
                       check.impossible
                           ? ". On one clock some would end before they start, so each rank's clock is fitted."
                           : ". One clock is used all the same, because of the host name.");
}

}  // namespace

std::string ranksInWords(const Run& run, const std::vector<RankPosition>& ranks) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(ranks.size());
    for (const RankPosition rank : ranks) {
        numbers.push_back(run.ranks[rank]->rank.value_or(RankNumber::standingIn(rank)).value);
    }
    return formatNumbered("rank", numbers, ListStyle::Sentence);
}

std::vector<std::string> hostNotes(const Run& run, const std::vector<CheckedHost>& hosts) {
    constexpr std::ptrdiff_t kMostOneByOne = 4;
    const auto consistent = [](const CheckedHost& host) { return host.check.consistent; };
    const bool together = std::ranges::count_if(hosts, consistent) > kMostOneByOne;
    std::vector<std::string> notes;
    std::vector<RankPosition> ranks;
    std::size_t on_one_clock = 0;
    DurationNs uncertainty_ns = 0;
    for (const CheckedHost& host : hosts) {
        if (together && host.check.consistent) {
            ++on_one_clock;
            ranks.insert(ranks.end(), host.domain.ranks.begin(), host.domain.ranks.end());
            uncertainty_ns = std::max(uncertainty_ns, host.check.uncertainty_ns);
        } else {
            notes.push_back(hostNote(run, host));
        }
    }
    if (together) {
        notes.push_back(fmt::format(
            "On each of {} hosts, of {}, the collectives of its ranks are consistent with one clock, to {} or better.",
            formatCount(on_one_clock), ranksInWords(run, ranks), formatDuration(uncertainty_ns)));
    }
    return notes;
}

std::string bridgeNote(const ClockBridge& bridge) {
    return fmt::format(
        "Not all ranks share collectives that end together. The rest are connected by {} in which ranks wait (sends "
        "and receives, or kernels that exchange with all others). Their ends are {} apart; the uncertainty of these "
        "clocks includes that.",
        formatCounted(bridge.matches, "call"), formatDuration(bridge.spread_ns));
}

std::string typedNote(const Run& run, const std::vector<RankPosition>& ranks) {
    return fmt::format("The times of {} are shifted by the typed offset. Notes on clocks do not include it.",
                       ranksInWords(run, ranks));
}

std::vector<std::string> runNotes(const Run& run, const RunClock& clock, const ClockFit& fit) {
    std::vector<std::string> notes;
    noteOneClock(run, clock, notes);
    noteUnconnected(run, clock, notes);
    if (fit.set_aside > 0) {
        notes.push_back(fmt::format("In {}, one end is too far from the others. The clock fit leaves them out.",
                                    formatCounted(fit.set_aside, "collective")));
    }
    if (fit.ends_before_start > 0) {
        notes.push_back(fmt::format("In {}, a member ends before another has started, with any clocks.",
                                    formatCounted(fit.ends_before_start, "collective")));
    }
    return notes;
}

}  // namespace rankscope
