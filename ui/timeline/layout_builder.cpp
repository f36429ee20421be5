// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/layout_builder.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "core/base/format.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kManyRanks = 8;  // from here on threads start folded, so that all streams are in sight
constexpr std::size_t kFewRanks = 2;
constexpr std::uint16_t kFewerRows = 5;   // where several ranks share the height
constexpr std::size_t kBusyThread = 256;  // slices; threads with fewer start folded

QString text(const char* source) {
    return QCoreApplication::translate("Timeline", source);
}

TrackId lastThatCommunicates(const RankView& rank, const std::vector<TrackId>& streams) {
    TrackId last;
    for (const TrackId stream : streams) {
        if (rank.facts != nullptr && std::ranges::binary_search(rank.facts->communication_tracks, stream)) {
            last = stream;
        }
    }
    return last;
}

QString rankDetail(const RankView& rank) {
    QStringList parts;
    if (!rank.trace->host.empty()) {
        parts << QString::fromStdString(rank.trace->host);
    }
    const std::int32_t device = rank.facts != nullptr ? rank.facts->device : 0;
    const auto& devices = rank.trace->devices;
    const auto at = std::ranges::find(devices, device, &DeviceProperties::id);
    if (at != devices.end() && !at->name.empty()) {
        parts << QString::fromStdString(at->name);
    } else if (!rank.trace->hasDeviceWork()) {
        parts << text("no device work");
    }
    return parts.join(QStringLiteral(" \u00b7 "));
}

QString runDetail(const RunView& run) {
    DurationNs length = 0;
    for (const RankView& rank : run.ranks) {
        length = std::max(length, rank.toAxis(rank.trace->window.end_ns));
    }
    const auto ranks = static_cast<int>(run.ranks.size());
    const QString count = ranks == 1 ? text("1 rank") : text("%1 ranks").arg(ranks);
    return count + QStringLiteral(" \u00b7 ") + QString::fromStdString(formatDuration(length));
}

std::vector<std::uint32_t> allRanks(const RunView& run) {
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        ranks.push_back(r);
    }
    return ranks;
}

}  // namespace

LayoutBuilder::LayoutBuilder(const TimelineModel& model, const RowChoices& choices, const RowSizes& sizes,
                             RowLayout& out)
    : model_(model), choices_(choices), sizes_(sizes), out_(out), ranks_(model.rankCount()) {}

void LayoutBuilder::build() {
    addPinned();
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
            row.rank = static_cast<std::uint32_t>(at - ranks.begin());
            row.pinned = true;
            row.title = rankTitle(*at->trace, row.rank) + QStringLiteral(" \u00b7 ");
            addTrack(*at, row, TrackId(key.id), Unfolding::Some);
        }
    }
}

void LayoutBuilder::addRun(std::uint32_t run) {
    const RunView& view = model_.runs()[run];
    LayoutRow row;
    row.kind = RowKind::Run;
    row.run = run;
    row.title = QString::fromStdString(view.run->run->name);
    row.detail = runDetail(view);
    row.key = {nullptr, RowKind::Run, run};
    if (add(row, Unfolding::All, sizes_.run) == Unfolding::Folded) {
        return;
    }
    std::vector<std::uint32_t> order = allRanks(view);
    std::vector<AlikeRanks> groups;
    if (view.index != nullptr && view.index->orders.front().size() == order.size()) {
        order = view.index->orders[static_cast<std::size_t>(choices_.rank_order)];
        if (choices_.fold_alike && order.size() >= kFoldAlikeFrom) {
            groups = view.index->alike;
        }
    }
    std::vector<const AlikeRanks*> group_of(order.size(), nullptr);
    for (const AlikeRanks& group : groups) {
        for (const std::uint32_t rank : group.hidden) {
            const bool out = choices_.taken_out.contains(keyOf(*view.ranks[rank].trace));
            group_of[rank] = out ? nullptr : &group;
        }
    }
    for (const std::uint32_t rank : order) {
        if (group_of[rank] == nullptr) {
            addRank(view.ranks[rank], run, rank);
        }
    }
    for (const AlikeRanks& group : groups) {
        std::vector<std::uint32_t> members;
        std::ranges::copy_if(order, std::back_inserter(members),
                             [&](std::uint32_t rank) { return group_of[rank] == &group; });
        addAlike(view, run, group, std::move(members));
    }
}

void LayoutBuilder::addAlike(const RunView& view, std::uint32_t run, const AlikeRanks& group,
                             std::vector<std::uint32_t> ranks) {
    if (ranks.empty()) {
        return;
    }
    const RankTrace& shown = *view.ranks[group.shown].trace;
    LayoutRow row;
    row.kind = RowKind::Alike;
    row.run = run;
    row.rank = group.shown;
    row.title = text("and %1 more like %2").arg(static_cast<int>(ranks.size())).arg(rankTitle(shown, group.shown));
    row.key = {&shown, RowKind::Alike, 0};
    row.alike = std::move(ranks);
    if (add(row, Unfolding::Folded, sizes_.rank) != Unfolding::Folded) {
        for (const std::uint32_t rank : row.alike) {
            addRank(view.ranks[rank], run, rank);
        }
    }
}

void LayoutBuilder::addRank(const RankView& view, std::uint32_t run, std::uint32_t rank) {
    LayoutRow row;
    row.kind = RowKind::Rank;
    row.run = run;
    row.rank = rank;
    row.title = rankTitle(*view.trace, rank);
    row.detail = rankDetail(view);
    row.key = keyOf(*view.trace);
    if (choices_.hidden.contains(row.key) || add(row, Unfolding::All, sizes_.rank) == Unfolding::Folded) {
        return;
    }
    row.indent = 1;
    row.title.clear();
    const TrackLists tracks = trackLists(view, choices_);
    const TrackId with_bands = lastThatCommunicates(view, tracks.streams);
    for (const TrackId stream : tracks.streams) {
        row.bands = stream == with_bands;
        if (!choices_.hidden.contains(keyOf(*view.trace, stream))) {
            addTrack(view, row, stream, Unfolding::All);
        }
    }
    row.bands = false;
    const bool threads_open = ranks_ < kManyRanks || tracks.streams.empty();
    addGroup(view, row, TrackGroup::Threads, tracks, threads_open);
    addGroup(view, row, TrackGroup::Others, tracks, false);
}

void LayoutBuilder::addGroup(const RankView& view, LayoutRow row, TrackGroup group, const TrackLists& tracks,
                             bool open) {
    const auto& list = group == TrackGroup::Threads ? tracks.threads : tracks.others;
    row.kind = RowKind::Group;
    row.group = group;
    row.title = group == TrackGroup::Threads ? text("CPU threads") : text("Annotations, syncs, profiler");
    row.detail = QString::number(list.size());
    row.key = {view.trace.get(), RowKind::Group, static_cast<std::uint32_t>(group)};
    if (list.empty() || choices_.hidden.contains(row.key) ||
        add(row, open ? Unfolding::All : Unfolding::Folded, sizes_.group) == Unfolding::Folded) {
        return;
    }
    row.indent = 2;
    row.title.clear();
    const TrackId main = view.facts != nullptr ? view.facts->main_thread : TrackId();
    for (const TrackId track : list) {
        const bool busy = track == main || launchesOf(view, track) > 0 ||
                          view.trace->tracks[track.value].slices.size() >= kBusyThread;
        if (!choices_.hidden.contains(keyOf(*view.trace, track))) {
            addTrack(view, row, track, busy ? Unfolding::Some : Unfolding::Folded);
        }
    }
}

// What `row` has as its title stands before the track's name.
void LayoutBuilder::addTrack(const RankView& view, LayoutRow row, TrackId id, Unfolding standard) {
    const Track& track = view.trace->tracks[id.value];
    row.kind = RowKind::Track;
    row.track = id;
    row.title += trackTitle(*view.trace, id);
    row.detail.clear();
    row.key = keyOf(*view.trace, id);
    row.all_rows = std::max<std::uint16_t>(1, track.row_count);
    row.foldable = row.all_rows > 1;
    const auto fold = choices_.folds.find(row.key);
    const Unfolding unfolding = fold != choices_.folds.end() ? fold->second : standard;
    const std::uint16_t some = ranks_ <= kFewRanks && !row.pinned ? kSomeRows : kFewerRows;
    row.rows = unfolding == Unfolding::Folded ? std::uint16_t{1}
               : unfolding == Unfolding::Some ? std::min(some, row.all_rows)
                                              : row.all_rows;
    const auto size = choices_.sizes.find(row.key);
    row.row_height = size != choices_.sizes.end() ? size->second : sizes_.row;
    const int bands = row.bands ? 2 * metrics::kBandHeight : 0;
    add(row, standard, row.rows * row.row_height + bands + metrics::kTrackGap);
}

}  // namespace rankscope::ui
