// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/example.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/evidence.h"

namespace rankscope {
namespace {

/// Parts below this share of the whole, and those beyond this number, are shown together.
constexpr double kLeastPart = 0.01;
constexpr std::size_t kMostParts = 8;

/// Whether all entries have one cause: then the text need not repeat it.
bool isOfOneCause(const std::vector<const LedgerEntry*>& entries) {
    return std::ranges::all_of(entries, [&entries](const LedgerEntry* entry) {
        return entry->owner == Owner::Blocked && entry->cause == entries.front()->cause;
    });
}

/// The text for a ledger entry: "Host synchronisation: aten::item", or "aten::item".
std::string titleOf(const RuleContext& context, const LedgerEntry& entry, bool with_cause) {
    if (entry.owner != Owner::Blocked) {
        return entry.label;  // the collective, or the copy
    }
    if (entry.cause == Cause::OtherRank) {
        return "Waiting for " + rankLabel(*context.run.ranks[entry.waited_rank], entry.waited_rank);
    }
    if (entry.label.empty()) {
        return std::string(causeTitle(entry.cause));
    }
    return with_cause ? std::string(causeTitle(entry.cause)) + ": " + entry.label : entry.label;
}

/// The ledger entries of a finding in a step of a rank.
std::vector<const LedgerEntry*> entriesAt(const RuleContext& context, const TypicalPlace& place,
                                          const LedgerSet& owned) {
    std::vector<const LedgerEntry*> entries;
    for (const LedgerEntry& entry : context.pricer.entries(place.rank, place.own)) {
        if (owned.has(static_cast<std::size_t>(&entry - context.facts.ledger.data()))) {
            entries.push_back(&entry);
        }
    }
    return entries;
}

/// Merges entries with the same title, the longest first.
std::vector<FindingPart> partsByTitle(const RuleContext& context, const std::vector<const LedgerEntry*>& entries) {
    const bool with_cause = !isOfOneCause(entries);
    std::map<std::string, FindingPart> by_title;
    std::map<std::string, DurationNs> longest_ns;
    for (const LedgerEntry* const entry : entries) {
        const std::string title = titleOf(context, *entry, with_cause);
        FindingPart& part = by_title[title];
        part.what = title;
        part.time_ns += entry->ns;
        if (!entry->evidence.empty() && entry->ns >= longest_ns[title]) {
            longest_ns[title] = entry->ns;
            part.slice = entry->evidence.front();
        }
    }
    std::vector<FindingPart> parts;
    for (auto& [title, part] : by_title) {
        parts.push_back(std::move(part));
    }
    std::ranges::stable_sort(parts, std::greater<>(), &FindingPart::time_ns);
    return parts;
}

/// Merges parts that are too short for a row of their own.
void foldShort(DurationNs total_ns, std::vector<FindingPart>& parts) {
    const auto is_short = [total_ns](const FindingPart& part) {
        return static_cast<double>(part.time_ns) < kLeastPart * static_cast<double>(total_ns);
    };
    const auto first = std::min(std::ranges::find_if(parts, is_short) - parts.begin(),
                                parts.size() > kMostParts ? static_cast<std::ptrdiff_t>(kMostParts) - 1
                                                          : static_cast<std::ptrdiff_t>(parts.size()));
    const auto from = parts.begin() + first;
    if (parts.end() - from < 2) {
        return;
    }
    FindingPart rest;
    for (auto part = from; part != parts.end(); ++part) {
        rest.time_ns += part->time_ns;
    }
    rest.what = formatCounted(static_cast<std::uint64_t>(parts.end() - from), "shorter one");
    parts.erase(from, parts.end());
    parts.push_back(std::move(rest));
}

}  // namespace

std::optional<TypicalPlace> typicalPlace(const RuleContext& context, const Price& price) {
    std::vector<TypicalPlace> places;
    std::vector<DurationNs> times;
    for (const RunStep* const step : context.pricer.steady()) {
        for (const RankPosition rank : price.ranks) {
            const std::optional<RankStepPosition> own = step->of(rank);
            const DurationNs ns = own ? context.pricer.ledgerTime(rank, *own, price.entries) : 0;
            if (ns > 0) {
                places.push_back({rank, step, *own, ns});
                times.push_back(ns);
            }
        }
    }
    if (places.empty()) {
        return std::nullopt;
    }
    const DurationNs wanted_ns = price.blocked_ns > 0 ? price.blocked_ns : midMedian(times);
    const auto distance = [wanted_ns](const TypicalPlace& place) {
        return std::max(place.time_ns, wanted_ns) - std::min(place.time_ns, wanted_ns);
    };
    return *std::ranges::min_element(places, {}, distance);
}

std::optional<FindingExample> exampleOf(const RuleContext& context, const Price& price) {
    const std::optional<TypicalPlace> place = typicalPlace(context, price);
    if (!place) {
        return std::nullopt;
    }
    FindingExample example{place->rank, place->step->index, place->time_ns, {}};
    example.parts = partsByTitle(context, entriesAt(context, *place, price.entries));
    foldShort(example.total_ns, example.parts);
    return example;
}

}  // namespace rankscope
