// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/search_steps.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <tuple>

namespace rankscope {
namespace {

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Removes the letters at the start of `text`, and returns them in lower case; empty if there are none.
std::string takeWord(std::string_view& text) {
    std::string word;
    for (; !text.empty() && isLetter(text.front()); text.remove_prefix(1)) {
        word += static_cast<char>(text.front() | 0x20);
    }
    return word;
}

void skip(std::string_view& text, std::string_view any_of) {
    text.remove_prefix(std::min(text.find_first_not_of(any_of), text.size()));
}

/// Removes the number at the start of `text`.
template <typename Integer>
std::optional<Integer> takeNumber(std::string_view& text) {
    Integer number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

}  // namespace

std::optional<StepInWords> stepInWords(std::string_view text) {
    std::optional<std::int64_t> step;
    std::optional<std::int32_t> rank;
    for (skip(text, " "); !text.empty(); skip(text, " ,")) {
        std::string word = takeWord(text);
        if ((word == "of" || word == "on") && (step || rank)) {
            skip(text, " ");
            word = takeWord(text);
        }
        skip(text, " #");
        if (word == "step" && !step) {
            step = takeNumber<std::int64_t>(text);
        } else if (word == "rank" && !rank) {
            rank = takeNumber<std::int32_t>(text);
        } else {
            return std::nullopt;
        }
        if (!(word == "step" ? step.has_value() : rank.has_value())) {
            return std::nullopt;
        }
    }
    if (!step) {
        return std::nullopt;
    }
    return StepInWords{*step, rank ? std::optional(RankNumber(*rank)) : std::nullopt};
}

SearchHits searchSteps(const Run& run, const RunFacts& facts, const RunClock& clock, std::string_view text) {
    SearchHits found;
    const std::optional<StepInWords> wanted = stepInWords(text);
    if (!wanted) {
        return found;
    }
    for (const RunStep& step : facts.steps) {
        for (RankPosition rank{0}; step.index == wanted->step && rank < run.ranks.size(); ++rank) {
            const RankTrace& of = *run.ranks[rank];
            const RankStep* const own = facts.stepOf(step, rank);
            if (own != nullptr && own->mark.valid() && (!wanted->rank || of.rank == wanted->rank)) {
                const FileTime start(of.span(own->mark).start_ns);
                found.hits.push_back({rank, own->mark, clock.ranks[rank].toRun(start)});
            }
        }
    }
    std::ranges::sort(found.hits, {},
                      [](const SearchHit& hit) { return std::tuple(hit.start_ns, hit.rank, hit.slice); });
    found.total = found.hits.size();
    return found;
}

}  // namespace rankscope
