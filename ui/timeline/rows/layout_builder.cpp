// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/layout_builder.h"

#include <algorithm>
#include <utility>

#include "ui/timeline/rows/host_lane.h"
#include "ui/timeline/rows/rank_arrangement.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kManyRanks = 8;     // from here on threads start folded, so that all streams are visible
constexpr std::size_t kBusyThread = 256;  // slices; threads with fewer start folded

TrackId lastThatCommunicates(const RankView& rank, std::span<const RankTracks::Listed> streams) {
    TrackId last;
    for (const RankTracks::Listed& stream : streams) {
        if (rank.facts != nullptr && std::ranges::binary_search(rank.facts->communication_tracks, stream.id)) {
            last = stream.id;
        }
    }
    return last;
}

/// The id of the row of a counter. Sessions keep it, so kinds that came later have ids beyond those of the first ones.
std::uint32_t idOfCounter(const CounterSeries& series) {
    constexpr std::uint32_t kFirstKinds = 8;
    constexpr std::uint32_t kDevices = 1U << 24U;
    const auto kind = static_cast<std::uint32_t>(series.kind);
    const auto device = static_cast<std::uint32_t>(series.device);
    return kind < kFirstKinds ? device * kFirstKinds + kind : (kind - kFirstKinds + 1) * kDevices + device;
}

}  // namespace

LayoutBuilder::LayoutBuilder(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes,
                             const RowFocus& focus, const RowDensity& density, RowLayout& out)
    : model_(model),
      choices_(choices),
      sizes_(sizes),
      focus_(focus),
      density_(density),
      out_(out),
      ranks_(model.rankCount()),
      heights_(density.focus) {
    const auto open = [&](const RunView& run) {
        return std::ranges::any_of(run.ranks, [&](const RankView& rank) { return rank.trace.get() == focus.rank; });
    };
    if (focus.one_rank && std::ranges::any_of(model.runs(), open)) {
        in_focus_ = focus.rank;
    } else if (const RankView* const first = model.rank(0, RankPosition(0))) {
        in_focus_ = first->trace.get();
    }
}

bool LayoutBuilder::inFocus(const RankView& view) const {
    return !focus_.one_rank || view.trace.get() == in_focus_;
}

void LayoutBuilder::build(std::size_t most_ranks) {
    most_ranks_ = most_ranks;
    constexpr std::size_t kRowsARank = 8;  // initial rows: a header, some streams, two groups
    out_.rows_.reserve(std::min(ranks_, most_ranks) * kRowsARank);
    out_.header_of_.reserve(ranks_);
    addPinned();
    out_.pinned_ = out_.rows_.size();
    for (const RunView& run : model_.runs()) {
        out_.runs_.emplace_back().ranks.resize(run.ranks.size());
    }
    for (std::uint32_t run = 0; run < model_.runs().size(); ++run) {
        addRun(run);
    }
}

Unfolding LayoutBuilder::add(LayoutRow row, Unfolding standard, int height) {
    const auto fold = choices_.folds.find(row.key);
    row.unfolding = fold != choices_.folds.end() ? fold->second : standard;
    row.y = out_.height_;
    row.height = height;
    out_.height_ += height;
    out_.rows_.push_back(std::move(row));
    return out_.rows_.back().unfolding;
}

void LayoutBuilder::addPinned() {
    for (const RowKey& key : choices_.pinned) {
        for (std::uint32_t run = 0; run < model_.runs().size(); ++run) {
            const auto& ranks = model_.runs()[run].ranks;
            const auto at = std::ranges::find(ranks, key.owner, [](const RankView& r) { return r.trace.get(); });
            if (at == ranks.end() || key.id >= at->trace->tracks.size()) {
                continue;
            }
            LayoutRow row;
            row.run = run;
            row.rank = RankPosition(at - ranks.begin());
            row.pinned = true;
            const std::uint16_t rows = at->trace->tracks[key.id].row_count;
            addTrack(*at, row, {TrackId(key.id), std::max<std::uint16_t>(1, rows)}, Unfolding::Some);
        }
    }
}

void LayoutBuilder::addRun(std::uint32_t run) {
    const RunView& view = model_.runs()[run];
    LayoutRow row;
    row.kind = RowKind::Run;
    row.run = run;
    row.key = {nullptr, RowKind::Run, run};
    out_.runs_[run].header = out_.rows_.size();
    if (add(row, Unfolding::All, sizes_.run) == Unfolding::Folded) {
        return;
    }
    addRunCounters(view, run);
    addHosts(view, run);
    const std::vector<RankPosition> order = ranksInOrder(view.index.get(), view.ranks.size(), choices_.rank_order);
    const AlikeFolds folds = alikeFolds(view);
    std::vector<RanksOfPlace> headings;
    if (choices_.grouped_by) {
        headings = ranksByPlace(view.run->facts.parallelism.grid, *choices_.grouped_by, order);
    }
    for (std::uint32_t h = 0; h < headings.size(); ++h) {
        addHeading(run, headings[h], folds, h + 1);
    }
    if (headings.empty()) {
        addRanks(run, order, folds, 0);
    }
}

LayoutBuilder::AlikeFolds LayoutBuilder::alikeFolds(const RunView& view) const {
    AlikeFolds folds;
    folds.of_rank.assign(view.ranks.size(), kAlone);
    if (!tellsOrder(view.index.get(), view.ranks.size()) || !choices_.fold_alike ||
        view.ranks.size() < kFoldAlikeFrom) {
        return folds;
    }
    folds.groups = view.index->alike;
    for (std::size_t g = 0; g < folds.groups.size(); ++g) {
        for (const RankPosition rank : folds.groups[g].hidden) {
            const bool out = choices_.taken_out.contains(keyOf(*view.ranks[rank].trace));
            folds.of_rank[rank] = out ? kAlone : g;
        }
    }
    return folds;
}

void LayoutBuilder::addHeading(std::uint32_t run, const RanksOfPlace& of, const AlikeFolds& folds,
                               std::uint32_t heading) {
    LayoutRow row;
    row.kind = RowKind::Heading;
    row.run = run;
    row.rank = of.ranks.front();
    row.role = *choices_.grouped_by;
    row.place = of.place;
    row.members = of.ranks;
    row.key = keyOfHeading(run, row.role, of.place);
    if (choices_.hidden.contains(row.key)) {
        return;
    }
    for (const RankPosition rank : of.ranks) {
        out_.runs_[run].ranks[rank].heading = out_.rows_.size();
    }
    if (add(std::move(row), Unfolding::All, sizes_.rank) != Unfolding::Folded) {
        addRanks(run, of.ranks, folds, heading);
    }
}

void LayoutBuilder::addRanks(std::uint32_t run, std::span<const RankPosition> ranks, const AlikeFolds& folds,
                             std::uint32_t heading) {
    const RunView& view = model_.runs()[run];
    std::vector<std::vector<RankPosition>> members(folds.groups.size());
    for (const RankPosition rank : ranks) {
        if (out_.header_of_.size() >= most_ranks_) {
            return;
        }
        if (folds.of_rank[rank] == kAlone) {
            addRank(view.ranks[rank], run, rank);
        } else {
            members[folds.of_rank[rank]].push_back(rank);
        }
    }
    for (std::size_t g = 0; g < folds.groups.size(); ++g) {
        const bool away = std::ranges::find(ranks, folds.groups[g].shown) == ranks.end();
        addAlike(view, run, folds.groups[g], std::move(members[g]), {heading, away});
    }
}

void LayoutBuilder::addRunCounters(const RunView& view, std::uint32_t run) {
    if (view.counters == nullptr || !showsCounters(run, choices_)) {
        return;
    }
    LayoutRow row;
    row.kind = RowKind::RunCounter;
    row.run = run;
    row.foldable = false;
    for (std::size_t i = 0; i < view.counters->series.size(); ++i) {
        row.counter = i;
        row.key = keyOfRunCounter(run, view.counters->series[i].kind);
        if (!choices_.hidden.contains(row.key)) {
            add(row, Unfolding::All, 2 * sizes_.row + metrics::kTrackGap);
        }
    }
}

void LayoutBuilder::addHosts(const RunView& view, std::uint32_t run) {
    if (!tellsOrder(view.index.get(), view.ranks.size())) {
        return;
    }
    for (std::size_t host = 0; host < view.index->hosts.size(); ++host) {
        if (view.index->hosts[host].ranks.size() < 2) {
            continue;  // the rank's own row shows when it is running
        }
        LayoutRow row;
        row.kind = RowKind::Host;
        row.run = run;
        row.host = host;
        row.rank = view.index->hosts[host].ranks.front();
        row.key = {view.ranks[row.rank].trace.get(), RowKind::Host, 0};
        row.foldable = false;
        if (!choices_.hidden.contains(row.key)) {
            add(row, Unfolding::All, sizes_.rank);
        }
    }
}

void LayoutBuilder::addAlike(const RunView& view, std::uint32_t run, const AlikeRanks& group,
                             std::vector<RankPosition> ranks, const UnderHeading& where) {
    if (ranks.empty()) {
        return;
    }
    const RankTrace& shown = *view.ranks[group.shown].trace;
    LayoutRow row;
    row.kind = RowKind::Alike;
    row.run = run;
    row.rank = group.shown;
    row.away = where.away;
    row.key = {&shown, RowKind::Alike, where.heading};
    row.members = std::move(ranks);
    for (const RankPosition rank : row.members) {
        out_.runs_[run].ranks[rank].alike = out_.rows_.size();
    }
    if (add(row, Unfolding::Folded, sizes_.rank) != Unfolding::Folded) {
        for (const RankPosition rank : row.members) {
            addRank(view.ranks[rank], run, rank);
        }
    }
}

void LayoutBuilder::addRank(const RankView& view, std::uint32_t run, RankPosition rank) {
    LayoutRow row;
    row.kind = RowKind::Rank;
    row.run = run;
    row.rank = rank;
    row.key = keyOf(*view.trace);
    if (choices_.hidden.contains(row.key)) {
        return;
    }
    heights_ = inFocus(view) ? density_.focus : density_.others;
    out_.runs_[run].ranks[rank].header = out_.rows_.size();
    out_.header_of_.emplace(row.key.owner, out_.rows_.size());
    if (add(row, Unfolding::All, heights_.header) == Unfolding::Folded) {
        return;
    }
    row.indent = 1;
    RankTracks made;
    const RankTracks& tracks = tracksOf(view, made);
    streams_.assign(tracks.streams().begin(), tracks.streams().end());
    putInOrder(view, choices_, streams_);
    const TrackId with_bands = lastThatCommunicates(view, streams_);
    for (const RankTracks::Listed& stream : streams_) {
        row.bands = stream.id == with_bands;
        if (!choices_.hidden.contains(keyOf(*view.trace, stream.id))) {
            addTrack(view, row, stream, Unfolding::All);
        }
    }
    row.bands = false;
    addCounters(view, row);
    const bool threads_open = focus_.one_rank ? inFocus(view) : ranks_ < kManyRanks || streams_.empty();
    addGroup(view, row, TrackGroup::Threads, tracks.threads(), threads_open);
    const RowKey others{view.trace.get(), RowKind::Group, static_cast<std::uint32_t>(TrackGroup::Others)};
    if (inFocus(view) || choices_.folds.contains(others)) {
        addGroup(view, row, TrackGroup::Others, tracks.others(), false);
    }
}

void LayoutBuilder::addCounters(const RankView& view, LayoutRow row) {
    if (view.counters == nullptr || !showsCounters(*view.trace, choices_)) {
        return;
    }
    row.kind = RowKind::Counter;
    row.foldable = false;
    for (std::size_t i = 0; i < view.counters->series.size(); ++i) {
        const CounterSeries& series = view.counters->series[i];
        row.counter = i;
        row.key = {view.trace.get(), RowKind::Counter, idOfCounter(series)};
        if (!choices_.hidden.contains(row.key)) {
            add(row, Unfolding::All, 2 * sizes_.row + metrics::kTrackGap);
        }
    }
}

void LayoutBuilder::addGroup(const RankView& view, LayoutRow row, TrackGroup group,
                             std::span<const RankTracks::Listed> listed, bool open) {
    row.kind = RowKind::Group;
    row.group = group;
    row.tracks = static_cast<std::uint32_t>(listed.size());
    row.key = {view.trace.get(), RowKind::Group, static_cast<std::uint32_t>(group)};
    row.lane = focus_.one_rank && group == TrackGroup::Threads;
    if (listed.empty() || choices_.hidden.contains(row.key) ||
        add(row, open ? Unfolding::All : Unfolding::Folded, heights_.group) == Unfolding::Folded) {
        return;
    }
    row.lane = false;
    std::vector<RankTracks::Listed> tracks(listed.begin(), listed.end());
    sortGroup(view, choices_, group, tracks);
    row.indent = 2;
    const auto quiet = focus_.one_rank && group == TrackGroup::Threads
                           ? std::ranges::stable_partition(
                                 tracks, [&](const RankTracks::Listed& t) { return !isQuietThread(view, t.id); })
                           : std::ranges::subrange(tracks.end(), tracks.end());
    const auto loud = static_cast<std::size_t>(quiet.begin() - tracks.begin());
    addTracks(view, row, std::span(tracks).first(loud));
    addQuiet(view, row, std::span(tracks).subspan(loud));
}

void LayoutBuilder::addQuiet(const RankView& view, LayoutRow row, std::span<const RankTracks::Listed> tracks) {
    if (tracks.size() < 2) {
        addTracks(view, row, tracks);  // one row in both cases, and this one has a name
        return;
    }
    row.kind = RowKind::Group;
    row.group = TrackGroup::Quiet;
    row.tracks = static_cast<std::uint32_t>(tracks.size());
    row.key = {view.trace.get(), RowKind::Group, static_cast<std::uint32_t>(TrackGroup::Quiet)};
    if (!choices_.hidden.contains(row.key) && add(row, Unfolding::Folded, heights_.group) != Unfolding::Folded) {
        row.indent += 1;
        addTracks(view, row, tracks);
    }
}

void LayoutBuilder::addTracks(const RankView& view, LayoutRow row, std::span<const RankTracks::Listed> tracks) {
    const TrackId main = view.facts != nullptr ? view.facts->main_thread : TrackId();
    for (const RankTracks::Listed& track : tracks) {
        const bool busy = track.id == main || launchesOf(view, track.id) > 0 ||
                          view.trace->tracks[track.id.value].slices.size() >= kBusyThread;
        if (!choices_.hidden.contains(keyOf(*view.trace, track.id))) {
            addTrack(view, row, track, busy ? Unfolding::Some : Unfolding::Folded);
        }
    }
}

void LayoutBuilder::addTrack(const RankView& view, LayoutRow row, const RankTracks::Listed& track, Unfolding standard) {
    row.kind = RowKind::Track;
    row.track = track.id;
    row.key = keyOf(*view.trace, track.id);
    row.all_rows = track.rows;
    row.foldable = row.all_rows > 1;
    const auto fold = choices_.folds.find(row.key);
    const Unfolding unfolding = fold != choices_.folds.end() ? fold->second : standard;
    const std::uint16_t some = row.pinned ? std::min(density_.some_rows, kFewerRows) : density_.some_rows;
    const bool all_of_some = row.all_rows < some + kLeastHidden;
    row.rows = unfolding == Unfolding::Folded                 ? std::uint16_t{1}
               : unfolding == Unfolding::Some && !all_of_some ? some
                                                              : row.all_rows;
    const RankHeights& heights = row.pinned ? density_.focus : heights_;
    const auto size = choices_.sizes.find(row.key);
    row.row_height = size != choices_.sizes.end() ? size->second : heights.row;
    row.gap = heights.gap;
    row.band = heights.band;
    const int bands = row.bands ? 2 * heights.band : 0;
    add(row, standard, row.rows * row.row_height + bands + heights.gap);
}

}  // namespace rankscope::ui
