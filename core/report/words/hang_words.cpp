// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/hang.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iterator>
#include <map>
#include <tuple>

#include "core/base/format.h"
#include "core/report/words/vocabulary.h"

namespace rankscope::report {
namespace {

using hang::Culprit;
using hang::Hang;
using hang::Why;

std::vector<std::int64_t> ranksOf(const std::vector<const Culprit*>& culprits) {
    std::vector<std::int64_t> ranks;
    for (const Culprit* culprit : culprits) {
        ranks.push_back(culprit->rank);
    }
    return ranks;
}

std::string ranksWords(const std::vector<std::int64_t>& ranks) {
    return formatNumbered("rank", ranks, ListStyle::Sentence);
}

std::string sentenceOf(const Hang& hang, const std::vector<const Culprit*>& culprits) {
    const Culprit& first = *culprits.front();
    const bool several = culprits.size() > 1;
    const std::string who = ranksInCapital(ranksWords(ranksOf(culprits)));
    const std::string call = placeWords(first.at) + " of " + hang.groups[first.at.group].label();
    switch (first.why) {
        case Why::NotEntered: return fmt::format("{} stopped: {} did not make {}.", who, several ? "they" : "it", call);
        case Why::NotCompleted:
            return fmt::format("{} failed on the GPU or the network: {} is complete on {} peers, but not on {}.", who,
                               call, several ? "their" : "its", several ? "them" : "it");
        case Why::Differs:
            return fmt::format("{} {} another call than {} peers, as call {} of {}: {}.", who,
                               several ? "make" : "makes", several ? "their" : "its",
                               formatCount(static_cast<std::uint64_t>(first.at.number)),
                               hang.groups[first.at.group].label(), first.detail);
        case Why::Deadlock: return fmt::format("{} wait for each other in a circle, one of them in {}.", who, call);
    }
    return {};
}

std::string remedyOf(const std::vector<const Culprit*>& culprits) {
    const std::string who = ranksWords(ranksOf(culprits));
    switch (culprits.front()->why) {
        case Why::NotEntered:
            return fmt::format(
                "Read the log of {} for an exception, and see where the process stands: "
                "py-spy dump --pid PID.",
                who);
        case Why::NotCompleted:
            return fmt::format(
                "Look for GPU errors on the hosts of {} (dmesg for Xid, nvidia-smi -q), and repeat with "
                "NCCL_DEBUG=INFO.",
                who);
        case Why::Differs: return "Make all ranks take the same branch: compare the lines that call it.";
        case Why::Deadlock: return "Use the process groups in the same order on all ranks.";
    }
    return {};
}

/// The circle that a rank is in, as its place among all.
std::int64_t circleOf(const Hang& hang, std::int64_t rank) {
    const auto found = std::ranges::find_if(hang.cycles, [rank](const std::vector<std::int64_t>& ranks) {
        return std::ranges::find(ranks, rank) != ranks.end();
    });
    return found - hang.cycles.begin();
}

std::string answerWithoutCulprits(const Hang& hang) {
    if (hang.waiting.empty()) {
        return "Nothing hangs in these dumps: no rank waits for another.";
    }
    std::vector<std::int64_t> gone;
    for (const hang::Waiting& waiting : hang.waiting) {
        std::ranges::set_intersection(waiting.waits_for, hang.missing, std::back_inserter(gone));
    }
    const std::string who = formatCounted(hang.waiting.size(), "rank");
    if (!gone.empty()) {
        return fmt::format("No rank with a dump stopped. {} may wait for {}, which left no dump.", who,
                           ranksWords(gone));
    }
    if (!hang.unfinished.empty()) {
        const hang::Place& place = hang.unfinished.front().at;
        return fmt::format(
            "No rank stopped. {} may wait behind {} of {}, which all its ranks made and which is not complete.", who,
            placeWords(place), hang.groups[place.group].label());
    }
    return fmt::format("No rank stopped. {} may wait for calls that are in flight.", who);
}

bool hasStacks(const Hang& hang) {
    return std::ranges::any_of(hang.culprits,
                               [](const Culprit& culprit) { return culprit.last && !culprit.last->frames.empty(); });
}

}  // namespace

std::vector<CulpritGroup> culpritGroups(const Hang& hang) {
    using Key = std::tuple<Why, std::int64_t, std::string, std::string, std::string>;
    std::map<Key, std::vector<const Culprit*>> sorted;
    for (const Culprit& culprit : hang.culprits) {
        const hang::Group& group = hang.groups[culprit.at.group];
        const bool is_cycle = culprit.why == Why::Deadlock;
        sorted[is_cycle ? Key(culprit.why, circleOf(hang, culprit.rank), "", "", "")
                        : Key(culprit.why, culprit.at.number, culprit.at.kind, group.label(), culprit.detail)]
            .push_back(&culprit);
    }
    std::vector<CulpritGroup> groups;
    for (auto& [key, culprits] : sorted) {
        std::string sentence = sentenceOf(hang, culprits);
        std::string remedy = remedyOf(culprits);
        groups.push_back({std::move(culprits), std::move(sentence), std::move(remedy)});
    }
    std::ranges::stable_sort(groups, std::greater(), [](const CulpritGroup& group) { return group.culprits.size(); });
    return groups;
}

std::string hangAnswer(const Hang& hang) {
    if (hang.culprits.empty()) {
        return answerWithoutCulprits(hang);
    }
    const std::vector<CulpritGroup> groups = culpritGroups(hang);
    std::string answer = groups.front().sentence;
    if (groups.size() > 1) {
        const std::size_t more = hang.culprits.size() - groups.front().culprits.size();
        answer +=
            fmt::format(" {} too, for other reasons.",
                        more == 1 ? "1 more rank stops others" : formatCounted(more, "more rank") + " stop others");
    }
    if (!hang.waiting.empty()) {
        const bool is_one = hang.waiting.size() == 1;
        answer += fmt::format(" {} {}{}.", formatCounted(hang.waiting.size(), "other rank"), is_one ? "waits" : "wait",
                              groups.size() > 1           ? ""
                              : hang.culprits.size() == 1 ? " for it"
                                                          : " for them");
    }
    return answer;
}

std::vector<std::string> hangDoubts(const Hang& hang) {
    std::vector<std::string> doubts;
    if (!hang.missing.empty()) {
        doubts.push_back(fmt::format("No dump of {}: what {} did is unknown.", ranksWords(hang.missing),
                                     hang.missing.size() == 1 ? "it" : "they"));
    }
    if (!hang.older.empty()) {
        doubts.push_back(
            fmt::format("The dump of {} is older than those of its peers, which completed calls that it does "
                        "not have.",
                        ranksWords(hang.older)));
    }
    if (!hang.unfinished.empty()) {
        doubts.push_back(
            fmt::format("{} not complete although all ranks made {}: in flight, or stuck in the GPU or the "
                        "network.",
                        hang.unfinished.size() == 1 ? std::string("1 collective is")
                                                    : formatCounted(hang.unfinished.size(), "collective") + " are",
                        hang.unfinished.size() == 1 ? "it" : "them"));
    }
    if (!hang.culprits.empty() && !hasStacks(hang)) {
        doubts.emplace_back("The dumps have no stacks of the ranks that stopped.");
    }
    if (!hang.culprits.empty() || !hang.unfinished.empty()) {
        doubts.emplace_back(
            "Dumps do not say when they were written: if the job still ran, compare with a second set.");
    }
    return doubts;
}

std::string_view whyId(Why why) {
    switch (why) {
        case Why::NotEntered: return "not-entered";
        case Why::NotCompleted: return "not-completed";
        case Why::Differs: return "differs";
        case Why::Deadlock: return "deadlock";
    }
    return {};
}

std::string kindWords(std::string_view kind) {
    std::string words(kind);
    words.resize(std::min(words.find(' '), words.size()));
    if (words.starts_with('_')) {
        words.erase(0, 1);
    }
    if (words.ends_with("_base")) {
        words.resize(words.size() - std::string_view("_base").size());
    }
    std::ranges::replace(words, '_', '-');
    return words.starts_with("allreduce") ? "all-reduce" + words.substr(std::string_view("allreduce").size()) : words;
}

std::string placeWords(const hang::Place& place) {
    const std::string number = formatCount(static_cast<std::uint64_t>(place.number));
    return (place.kind.empty() ? "call" : kindWords(place.kind)) + " " + number;
}

std::string groupWords(const hang::Group& group) {
    return group.label() + (group.ranks.empty() ? "" : " (" + formatNumbered("rank", group.ranks) + ")");
}

std::string instantWords(std::int64_t unix_ns) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    constexpr std::int64_t kMillisecond = 1'000'000;
    const std::time_t seconds = unix_ns / kSecond;
    std::tm utc{};
    if (gmtime_r(&seconds, &utc) == nullptr) {
        return "an unknown time";
    }
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03} UTC", utc, unix_ns % kSecond / kMillisecond);
}

}  // namespace rankscope::report
