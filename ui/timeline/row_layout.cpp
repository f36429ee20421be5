// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/row_layout.h"

#include <QCoreApplication>
#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/format.h"
#include "ui/timeline/metrics.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kManyRanks = 8;  // from here on threads start folded, so that all streams are in sight
constexpr std::size_t kFewRanks = 2;
constexpr std::uint16_t kSomeRows = 8;    // of a deep thread
constexpr std::uint16_t kFewerRows = 5;   // where several ranks share the height
constexpr std::size_t kBusyThread = 256;  // slices; threads with fewer start folded

QString text(const char* source) {
    return QCoreApplication::translate("Timeline", source);
}

QString fromView(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

TrackGroup groupOf(TrackKind kind) {
    return kind == TrackKind::CpuThread ? TrackGroup::Threads : TrackGroup::Others;
}

// Streams by device and number, "stream 7" before "stream 20".
bool streamBefore(const RankTrace& trace, TrackId a, TrackId b) {
    const Track& x = trace.tracks[a.value];
    const Track& y = trace.tracks[b.value];
    const auto number = [&](const Track& t) {
        const std::string_view lane = trace.strings.view(t.lane);
        std::int64_t value = INT64_MAX;
        std::from_chars(lane.data(), lane.data() + lane.size(), value);
        return value;
    };
    return std::tuple(x.device, number(x), a) < std::tuple(y.device, number(y), b);
}

struct SortedTracks {
    std::vector<TrackId> streams;
    std::vector<TrackId> threads;  // the main thread first, then those that launch, then the busiest
    std::vector<TrackId> others;
    std::vector<std::size_t> launches;  // by track
};

SortedTracks sortTracks(const RankView& rank) {
    const RankTrace& trace = *rank.trace;
    SortedTracks out;
    out.launches.resize(trace.tracks.size(), 0);
    for (const Launch& launch : trace.launches.all()) {
        ++out.launches[launch.host.track.value];
    }
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const Track& track = trace.tracks[t];
        if (track.slices.size() == 0) {
            continue;
        }
        auto& list = track.kind == TrackKind::Stream      ? out.streams
                     : track.kind == TrackKind::CpuThread ? out.threads
                                                          : out.others;
        list.emplace_back(t);
    }
    std::ranges::sort(out.streams, [&](TrackId a, TrackId b) { return streamBefore(trace, a, b); });
    const TrackId main = rank.facts != nullptr ? rank.facts->main_thread : TrackId();
    const auto order = [&](TrackId t) {
        return std::tuple(t != main, -static_cast<std::int64_t>(out.launches[t.value]),
                          -static_cast<std::int64_t>(trace.tracks[t.value].slices.size()));
    };
    std::ranges::stable_sort(out.threads, {}, order);
    return out;
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

QString rankTitle(const RankTrace& trace, std::uint32_t index) {
    return trace.rank ? text("rank %1").arg(*trace.rank) : text("trace %1").arg(index + 1);
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

}  // namespace

/// Puts the rows of a model below one another.
class LayoutBuilder {
  public:
    LayoutBuilder(const TimelineModel& model, const Folds& folds, RowLayout& out)
        : model_(model), folds_(folds), out_(out), ranks_(model.rankCount()) {}

    void build() {
        for (std::uint32_t run = 0; run < model_.runs().size(); ++run) {
            const RunView& view = model_.runs()[run];
            LayoutRow row;
            row.kind = RowKind::Run;
            row.run = run;
            row.title = QString::fromStdString(view.run->run->name);
            row.detail = runDetail(view);
            row.key = {nullptr, RowKind::Run, run};
            if (add(row, Unfolding::All, metrics::kRunHeight) == Unfolding::Folded) {
                continue;
            }
            for (std::uint32_t rank = 0; rank < view.ranks.size(); ++rank) {
                addRank(view.ranks[rank], run, rank);
            }
        }
    }

  private:
    Unfolding add(LayoutRow row, Unfolding standard, int height) {
        const auto fold = folds_.find(row.key);
        row.unfolding = fold != folds_.end() ? fold->second : standard;
        row.y = out_.height_;
        row.height = height;
        out_.height_ += height;
        out_.rows_.push_back(std::move(row));
        return out_.rows_.back().unfolding;
    }

    void addRank(const RankView& view, std::uint32_t run, std::uint32_t rank) {
        LayoutRow row;
        row.kind = RowKind::Rank;
        row.run = run;
        row.rank = rank;
        row.title = rankTitle(*view.trace, rank);
        row.detail = rankDetail(view);
        row.key = {view.trace.get(), RowKind::Rank, 0};
        if (add(row, Unfolding::All, metrics::kRankHeight) == Unfolding::Folded) {
            return;
        }
        row.indent = 1;
        const SortedTracks tracks = sortTracks(view);
        const TrackId with_bands = lastThatCommunicates(view, tracks.streams);
        for (const TrackId stream : tracks.streams) {
            row.bands = stream == with_bands;
            addTrack(view, row, stream, Unfolding::All);
        }
        row.bands = false;
        const bool threads_open = ranks_ < kManyRanks || tracks.streams.empty();
        addGroup(view, row, TrackGroup::Threads, tracks, threads_open);
        addGroup(view, row, TrackGroup::Others, tracks, false);
    }

    void addGroup(const RankView& view, LayoutRow row, TrackGroup group, const SortedTracks& tracks, bool open) {
        const auto& list = group == TrackGroup::Threads ? tracks.threads : tracks.others;
        if (list.empty()) {
            return;
        }
        row.kind = RowKind::Group;
        row.group = group;
        row.title = group == TrackGroup::Threads ? text("CPU threads") : text("Annotations, syncs, profiler");
        row.detail = QString::number(list.size());
        row.key = {view.trace.get(), RowKind::Group, static_cast<std::uint32_t>(group)};
        if (add(row, open ? Unfolding::All : Unfolding::Folded, metrics::kGroupHeight) == Unfolding::Folded) {
            return;
        }
        row.indent = 2;
        const TrackId main = view.facts != nullptr ? view.facts->main_thread : TrackId();
        for (const TrackId track : list) {
            const bool busy = track == main || tracks.launches[track.value] > 0 ||
                              view.trace->tracks[track.value].slices.size() >= kBusyThread;
            addTrack(view, row, track, busy ? Unfolding::Some : Unfolding::Folded);
        }
    }

    void addTrack(const RankView& view, LayoutRow row, TrackId id, Unfolding standard) {
        const Track& track = view.trace->tracks[id.value];
        row.kind = RowKind::Track;
        row.track = id;
        row.title =
            track.name.empty() ? fromView(view.trace->strings.view(track.lane)) : QString::fromStdString(track.name);
        row.detail.clear();
        row.key = {view.trace.get(), RowKind::Track, id.value};
        row.all_rows = std::max<std::uint16_t>(1, track.row_count);
        row.foldable = row.all_rows > 1;
        const auto fold = folds_.find(row.key);
        const Unfolding unfolding = fold != folds_.end() ? fold->second : standard;
        const std::uint16_t some = ranks_ <= kFewRanks ? kSomeRows : kFewerRows;
        row.rows = unfolding == Unfolding::Folded ? std::uint16_t{1}
                   : unfolding == Unfolding::Some ? std::min(some, row.all_rows)
                                                  : row.all_rows;
        const int bands = row.bands ? 2 * metrics::kBandHeight : 0;
        add(row, standard, row.rows * metrics::kRowHeight + bands + metrics::kTrackGap);
    }

    const TimelineModel& model_;
    const Folds& folds_;
    RowLayout& out_;
    std::size_t ranks_;
};

RowLayout::RowLayout(const TimelineModel& model, const Folds& folds) {
    LayoutBuilder(model, folds, *this).build();
}

std::size_t RowLayout::firstBelow(int y) const {
    const auto at = std::ranges::partition_point(rows_, [y](const LayoutRow& r) { return r.y + r.height <= y; });
    return static_cast<std::size_t>(at - rows_.begin());
}

const LayoutRow* RowLayout::at(int y) const {
    const std::size_t i = y < 0 ? rows_.size() : firstBelow(y);
    return i < rows_.size() ? &rows_[i] : nullptr;
}

const LayoutRow* RowLayout::find(std::uint32_t run, std::uint32_t rank, TrackId track) const {
    const auto at = std::ranges::find_if(rows_, [&](const LayoutRow& r) {
        return r.kind == RowKind::Track && r.run == run && r.rank == rank && r.track == track;
    });
    return at != rows_.end() ? &*at : nullptr;
}

const LayoutRow* RowLayout::findRank(std::uint32_t run, std::uint32_t rank) const {
    const auto at = std::ranges::find_if(
        rows_, [&](const LayoutRow& r) { return r.kind == RowKind::Rank && r.run == run && r.rank == rank; });
    return at != rows_.end() ? &*at : nullptr;
}

void toggleFold(const LayoutRow& row, Folds& folds) {
    if (!row.foldable) {
        return;
    }
    Unfolding next = row.unfolding == Unfolding::Folded ? Unfolding::All : Unfolding::Folded;
    if (row.kind == RowKind::Track && row.unfolding != Unfolding::All && row.rows < row.all_rows) {
        next = row.unfolding == Unfolding::Folded && row.all_rows > kSomeRows ? Unfolding::Some : Unfolding::All;
    }
    folds[row.key] = next;
}

void unfoldTo(const TimelineModel& model, std::uint32_t run, std::uint32_t rank, TrackId track,
              std::uint16_t row_of_track, Folds& folds) {
    const RankView* view = model.rank(run, rank);
    if (view == nullptr || track.value >= view->trace->tracks.size()) {
        return;
    }
    folds[{nullptr, RowKind::Run, run}] = Unfolding::All;
    folds[{view->trace.get(), RowKind::Rank, 0}] = Unfolding::All;
    const TrackKind kind = view->trace->tracks[track.value].kind;
    if (kind != TrackKind::Stream) {
        folds[{view->trace.get(), RowKind::Group, static_cast<std::uint32_t>(groupOf(kind))}] = Unfolding::All;
    }
    const RowLayout layout(model, folds);
    const LayoutRow* row = layout.find(run, rank, track);
    if (row != nullptr && row->rows <= row_of_track) {
        folds[row->key] = Unfolding::All;
    }
}

}  // namespace rankscope::ui
