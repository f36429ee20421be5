// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/row_choices.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace rankscope::ui {
namespace {

using Row = TimelineState::Row;

RowKey countersKey(const RankTrace& trace) {
    return {&trace, RowKind::Group, static_cast<std::uint32_t>(TrackGroup::Counters)};
}

/// Ids of counter rows of a run: its index, and then 0 for all of them, or 1 and up for each kind.
constexpr std::uint32_t kIdsOfRun = 64;
static_assert(kCounterKinds < kIdsOfRun);

/// Ids of headings: the run, then the role, and then 0 for ranks whose place is unknown, or 1 and up for each place.
constexpr std::uint32_t kIdsOfRole = 1U << 20U;
constexpr std::uint32_t kHeadingsOfRun = kIdsOfRole * kRoleCount;

RowKey countersKey(std::uint32_t run) {
    return {nullptr, RowKind::RunCounter, run * kIdsOfRun};
}

bool isShown(const RowKey& counters, const RowChoices& choices) {
    const auto fold = choices.folds.find(counters);
    return fold != choices.folds.end() && fold->second != Unfolding::Folded;
}

void show(const RowKey& counters, bool shown, RowChoices& choices) {
    if (shown) {
        choices.folds[counters] = Unfolding::All;
    } else {
        choices.folds.erase(counters);
    }
}

constexpr std::size_t kMostRanksOffered = 16;

struct OfCounters {
    std::vector<std::uint32_t> runs;
    std::vector<const RankTrace*> ranks;
};

/// The rank of the selection; if there is none, the runs, and all ranks if there are few.
OfCounters counterOwners(const TimelineModel& model, const Selection& selection) {
    if (const auto at = rankOf(selection)) {
        return {{}, {model.rank(at->first, at->second)->trace.get()}};
    }
    OfCounters of;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run) {
        const auto& ranks = model.runs()[run].ranks;
        if (ranks.size() > 1) {
            of.runs.push_back(run);  // the counters of a run with one rank would be the rank's
        }
        for (std::size_t r = 0; r < ranks.size() && (ranks.size() == 1 || model.rankCount() <= kMostRanksOffered);
             ++r) {
            of.ranks.push_back(ranks[r].trace.get());
        }
    }
    return of;
}

}  // namespace

std::optional<Row> placeOf(const TimelineModel& model, const RowKey& key) {
    const auto kind = static_cast<std::uint8_t>(key.kind);
    if (key.kind == RowKind::RunCounter) {
        return Row{key.id / kIdsOfRun, {}, kind, key.id % kIdsOfRun};
    }
    if (key.kind == RowKind::Heading) {
        return Row{key.id / kHeadingsOfRun, {}, kind, key.id % kHeadingsOfRun};
    }
    if (key.owner == nullptr) {
        return Row{key.id, {}, kind, 0};
    }
    for (std::uint32_t run = 0; run < model.runs().size(); ++run) {
        const auto& ranks = model.runs()[run].ranks;
        for (RankPosition r{0}; r < ranks.size(); ++r) {
            if (ranks[r].trace.get() == key.owner) {
                return Row{run, r, kind, key.id};
            }
        }
    }
    return {};
}

std::optional<RowKey> keyOf(const TimelineModel& model, const Row& row) {
    if (row.kind > static_cast<std::uint8_t>(RowKind::Heading)) {
        return {};
    }
    const auto kind = static_cast<RowKind>(row.kind);
    if (kind == RowKind::Run) {
        return RowKey{nullptr, kind, row.run};
    }
    if (kind == RowKind::RunCounter) {
        const bool known = row.run < model.runs().size() && row.id <= kCounterKinds;
        return known ? std::optional(RowKey{nullptr, kind, row.run * kIdsOfRun + row.id}) : std::nullopt;
    }
    if (kind == RowKind::Heading) {
        const bool known = row.run < model.runs().size() && row.id < kHeadingsOfRun;
        return known ? std::optional(RowKey{nullptr, kind, row.run * kHeadingsOfRun + row.id}) : std::nullopt;
    }
    const RankView* rank = model.rank(row.run, row.rank);
    return rank != nullptr ? std::optional(RowKey{rank->trace.get(), kind, row.id}) : std::nullopt;
}

TrackListKey listOf(const RankTrace& trace, TrackId track) {
    const TrackKind kind = trace.tracks[track.value].kind;
    if (kind == TrackKind::Stream) {
        return keyOf(trace);
    }
    const TrackGroup group = kind == TrackKind::CpuThread ? TrackGroup::Threads : TrackGroup::Others;
    return {&trace, RowKind::Group, static_cast<std::uint32_t>(group)};
}

RowKey keyOf(const RankTrace& trace, TrackId track) {
    return {&trace, RowKind::Track, track.value};
}

RowKey keyOf(const RankTrace& trace) {
    return {&trace, RowKind::Rank, 0};
}

RowKey keyOfRunCounter(std::uint32_t run, CounterKind kind) {
    return {nullptr, RowKind::RunCounter, run * kIdsOfRun + 1 + static_cast<std::uint32_t>(kind)};
}

RowKey keyOfHeading(std::uint32_t run, Role role, std::optional<std::int32_t> place) {
    const auto id = place ? std::min(static_cast<std::uint32_t>(std::max(0, *place)) + 1, kIdsOfRole - 1) : 0U;
    return {nullptr, RowKind::Heading, run * kHeadingsOfRun + static_cast<std::uint32_t>(role) * kIdsOfRole + id};
}

bool showsCounters(const RankTrace& trace, const RowChoices& choices) {
    return isShown(countersKey(trace), choices);
}

void showCounters(const RankTrace& trace, bool shown, RowChoices& choices) {
    show(countersKey(trace), shown, choices);
}

bool showsCounters(std::uint32_t run, const RowChoices& choices) {
    return isShown(countersKey(run), choices);
}

void showCounters(std::uint32_t run, bool shown, RowChoices& choices) {
    show(countersKey(run), shown, choices);
}

void toggleCounters(const TimelineModel& model, const Selection& selection, RowChoices& choices) {
    const OfCounters of = counterOwners(model, selection);
    const bool shown =
        std::ranges::all_of(of.runs, [&](std::uint32_t run) { return showsCounters(run, choices); }) &&
        std::ranges::all_of(of.ranks, [&](const RankTrace* rank) { return showsCounters(*rank, choices); });
    for (const std::uint32_t run : of.runs) {
        showCounters(run, !shown, choices);
    }
    for (const RankTrace* const rank : of.ranks) {
        showCounters(*rank, !shown, choices);
    }
}

void togglePin(const RowKey& track, RowChoices& choices) {
    if (std::erase(choices.pinned, track) == 0) {
        choices.pinned.push_back(track);
    }
}

void hideRow(const RowKey& row, RowChoices& choices) {
    choices.hidden.insert(row);
}

void showHidden(const void* owner, RowChoices& choices) {
    std::erase_if(choices.hidden, [&](const RowKey& key) { return owner == nullptr || key.owner == owner; });
}

std::size_t hiddenCount(const void* owner, const RowChoices& choices) {
    return static_cast<std::size_t>(std::ranges::count_if(
        choices.hidden, [&](const RowKey& key) { return owner == nullptr || key.owner == owner; }));
}

void saveRows(const RowChoices& choices, const TimelineModel& model, TimelineState& state) {
    state.rank_order = choices.rank_order;
    state.grouped_by = choices.grouped_by;
    state.fold_alike = choices.fold_alike;
    const auto save = [&](const RowKey& key, auto take) {
        if (const auto place = placeOf(model, key)) {
            take(*place);
        }
    };
    for (const auto& [key, unfolding] : choices.folds) {
        save(key, [&](const Row& row) {
            state.folds.push_back({row.run, row.rank, row.kind, row.id, static_cast<std::uint8_t>(unfolding)});
        });
    }
    for (const RowKey& key : choices.taken_out) {
        save(key, [&](const Row& row) { state.taken_out.push_back(row); });
    }
    for (const RowKey& key : choices.pinned) {
        save(key, [&](const Row& row) { state.pinned.push_back(row); });
    }
    for (const RowKey& key : choices.hidden) {
        save(key, [&](const Row& row) { state.hidden.push_back(row); });
    }
    for (const auto& [key, pixels] : choices.sizes) {
        save(key, [&](const Row& row) { state.sizes.push_back({row, pixels}); });
    }
    for (const auto& [key, tracks] : choices.orders) {
        save(key, [&](const Row& row) { state.orders.push_back({row, tracks}); });
    }
    // The choices are in the order of addresses; the kept ones must be the same each time.
    const auto place = [](const auto& row) { return std::tuple(row.run, row.rank, row.kind, row.id); };
    std::ranges::sort(state.folds, {}, place);
    std::ranges::sort(state.taken_out, {}, place);
    std::ranges::sort(state.hidden, {}, place);
    std::ranges::sort(state.sizes, {}, [&](const auto& size) { return place(size.row); });
    std::ranges::sort(state.orders, {}, [&](const auto& order) { return place(order.list); });
}

void addRows(const TimelineState& state, const TimelineModel& model, RowChoices& choices) {
    const auto take = [&](const Row& row, auto use) {
        if (const auto key = keyOf(model, row)) {
            use(*key);
        }
    };
    for (const TimelineState::Fold& fold : state.folds) {
        if (fold.amount <= static_cast<std::uint8_t>(Unfolding::All)) {
            take({fold.run, fold.rank, fold.kind, fold.id},
                 [&](const RowKey& key) { choices.folds[key] = static_cast<Unfolding>(fold.amount); });
        }
    }
    for (const Row& row : state.taken_out) {
        take(row, [&](const RowKey& key) { choices.taken_out.insert(key); });
    }
    for (const Row& row : state.pinned) {
        take(row, [&](const RowKey& key) { choices.pinned.push_back(key); });
    }
    for (const Row& row : state.hidden) {
        take(row, [&](const RowKey& key) { choices.hidden.insert(key); });
    }
    for (const auto& [row, pixels] : state.sizes) {
        take(row, [&, px = pixels](const RowKey& key) { choices.sizes[key] = px; });
    }
    for (const auto& [row, tracks] : state.orders) {
        take(row, [&, ids = tracks](const RowKey& key) { choices.orders[key] = ids; });
    }
}

RowChoices rowChoicesOf(const TimelineState& state, const TimelineModel& model) {
    RowChoices choices;
    choices.rank_order = state.rank_order;
    choices.grouped_by = state.grouped_by;
    choices.fold_alike = state.fold_alike;
    addRows(state, model, choices);
    return choices;
}

}  // namespace rankscope::ui
