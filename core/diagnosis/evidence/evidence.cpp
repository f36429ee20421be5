// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/evidence.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/format.h"
#include "core/diagnosis/evidence/example.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostEvidence = 8;

void add(std::vector<Evidence>& evidence, const SeenPart& seen, SliceRef slice, std::string note) {
    const bool known =
        std::ranges::any_of(evidence, [&](const Evidence& e) { return e.rank == seen.rank && e.slice == slice; });
    if (slice.valid() && !known && evidence.size() < kMostEvidence) {
        evidence.push_back({seen.rank, seen.step->index, slice, std::move(note)});
    }
}

}  // namespace

namespace {

/// Up to `most` parts of gaps that `owned` picks on `ranks`: the first by `order`.
template <class Order>
std::vector<SeenPart> firstParts(const RuleContext& context, const std::vector<RankPosition>& ranks,
                                 const LedgerFilter& owned, std::size_t most, const Order& order) {
    std::vector<SeenPart> parts;
    for (const RankPosition rank : ranks) {
        forEachPart(context, rank, owned, [&](const RankStep& step, const Gap& gap, const GapPart& part) {
            parts.push_back({rank, &step, &gap, &part});
        });
    }
    const std::size_t kept = std::min(most, parts.size());
    std::ranges::partial_sort(parts, parts.begin() + static_cast<std::ptrdiff_t>(kept), {}, order);
    parts.resize(kept);
    return parts;
}

/// Parts of priced steps come first: parts of other steps may be longer, and prove nothing.
bool isLeftOut(const SeenPart& seen) {
    return !seen.step->complete || seen.step->outlier;
}

/// Sources of evidence, in this order: the typical step, the other priced steps, and the rest.
std::vector<SeenPart> tellingParts(const RuleContext& context, const Price& price, const LedgerFilter& owned) {
    constexpr double kLeastShare = 0.01;
    const std::optional<TypicalPlace> place = typicalPlace(context, price);
    const RankStep* const typical = place ? &context.facts.ranks[place->rank].steps[place->own] : nullptr;
    std::vector<SeenPart> parts =
        firstParts(context, price.ranks, owned, 4 * kMostEvidence, [typical](const SeenPart& seen) {
            return std::tuple(isLeftOut(seen), seen.step != typical, -seen.part->span.length());
        });
    const double least_ns = place ? kLeastShare * static_cast<double>(place->time_ns) : 0.0;
    std::erase_if(parts, [&](const SeenPart& seen) {
        return &seen != parts.data() && static_cast<double>(seen.part->span.length()) < least_ns;
    });
    return parts;
}

}  // namespace

std::vector<SeenPart> longestParts(const RuleContext& context, const std::vector<RankPosition>& ranks,
                                   const LedgerFilter& owned, std::size_t most) {
    return firstParts(context, ranks, owned, most,
                      [](const SeenPart& seen) { return std::pair(isLeftOut(seen), -seen.part->span.length()); });
}

std::vector<Evidence> evidenceOf(const RuleContext& context, const Price& price, const LedgerFilter& owned) {
    std::vector<Evidence> evidence;
    const std::vector<SeenPart> parts = tellingParts(context, price, owned);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const SeenPart& seen = parts[i];
        const std::string blocks = "keeps the GPU idle for " + formatDuration(seen.part->span.length());
        const SliceRefs& proof = seen.part->evidence;
        if (!proof.empty()) {
            add(evidence, seen, proof.front(), blocks);
        }
        if (i == 0) {
            for (const SliceRef caller : proof) {
                add(evidence, seen, caller, "is what called it");  // except the first, which is there already
            }
            add(evidence, seen, seen.gap->launch, "launches the work that ends this gap");
            add(evidence, seen, seen.gap->releasing,
                "is the first GPU work after a gap of " + formatDuration(seen.gap->span.length()));
        }
    }
    return evidence;
}

namespace {

/// The numbers of ranks in order, three or more consecutive ones as a range: "1", "4 to 7".
std::vector<std::string> numberTexts(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    constexpr std::size_t kLeastOfRange = 3;
    const auto number = [&](std::size_t i) { return context.run.ranks[ranks[i]]->rank->value; };
    std::vector<std::string> texts;
    for (std::size_t first = 0; first < ranks.size();) {
        std::size_t end = first + 1;
        while (end < ranks.size() && number(end) == number(end - 1) + 1) {
            ++end;
        }
        const bool range = end - first >= kLeastOfRange;
        texts.push_back(std::to_string(number(first)));
        if (range) {
            texts.back() += " to " + std::to_string(number(end - 1));
        }
        first = range ? end : first + 1;
    }
    return texts;
}

std::vector<std::string> labels(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    std::vector<std::string> texts;
    for (const RankPosition at : ranks) {
        texts.push_back(rankLabel(*context.run.ranks[at], at));
    }
    return texts;
}

}  // namespace

std::string rankNamesWithin(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    constexpr std::size_t kMostNamed = 8;
    if (ranks.size() > 1 && ranks.size() == context.run.ranks.size()) {
        return "all " + countText(ranks.size(), "rank");
    }
    const bool numbered =
        std::ranges::all_of(ranks, [&](RankPosition at) { return context.run.ranks[at]->rank.has_value(); });
    if (numbered && ranks.size() > kMostNamed) {
        std::vector<std::int64_t> numbers;
        for (const RankPosition at : ranks) {
            numbers.push_back(context.run.ranks[at]->rank->value);
        }
        return "ranks " + formatNumberList(std::move(numbers), ListStyle::Sentence);
    }
    const std::vector<std::string> names =
        ranks.size() > 1 && numbered ? numberTexts(context, ranks) : labels(context, ranks);
    std::string text = ranks.size() > 1 && numbered ? "ranks " : "";
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

std::string rankNames(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    std::string text = rankNamesWithin(context, ranks);
    if (!text.empty()) {
        text.front() = text.front() == 'r' ? 'R' : text.front() == 'a' ? 'A' : 'F';  // "rank 3", "all ranks", "file 2"
    }
    return text;
}

std::string whoText(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    const std::size_t all = context.run.ranks.size();
    if (all < 2 || ranks.empty()) {
        return {};
    }
    const std::string who = rankNamesWithin(context, ranks);
    if (ranks.size() == all) {
        return context.sentences.fill("common.who-all", {{"who", who}});
    }
    return context.sentences.fill(ranks.size() == 1 ? "common.who-one" : "common.who-some",
                                  {{"who", who}, {"ranks", countText(all, "rank")}});
}

bool hasStacks(const RankTrace& rank) {
    return std::ranges::any_of(rank.tracks, [](const Track& track) {
        return track.kind == TrackKind::CpuThread &&
               std::ranges::find(track.slices.category, Category::PythonFunction) != track.slices.category.end();
    });
}

std::string countText(std::size_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace rankscope
