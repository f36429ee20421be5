// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/row_text.h"

#include <QFileInfo>
#include <QStringList>
#include <algorithm>

#include "core/analysis/counters/run_counters.h"
#include "core/base/format.h"
#include "ui/theme/core_text.h"
#include "ui/theme/role_words.h"
#include "ui/timeline/rows/track_lists.h"
#include "ui/timeline/words.h"

namespace rankscope::ui {
namespace {

QString separator() {
    return QStringLiteral(" \u00b7 ");
}

QString rankDetail(const RunView& run, RankPosition position) {
    const RankView& rank = run.ranks[position];
    QStringList parts;
    if (const QString place = placeTitle(run.run->facts.parallelism.grid, position); !place.isEmpty()) {
        parts << place;
    }
    if (!rank.trace->rank && !rank.trace->files.empty()) {
        const TraceFile& file = rank.trace->files.front();
        const std::string_view path = file.member.empty() ? file.path : file.member;
        parts << shownName(path.substr(path.rfind('/') + 1));
    }
    if (!rank.trace->host.empty()) {
        parts << shownName(rank.trace->host);
    }
    const std::int32_t device = rank.facts != nullptr ? rank.facts->device : 0;
    const auto& devices = rank.trace->devices;
    const auto at = std::ranges::find(devices, device, &DeviceProperties::id);
    if (at != devices.end() && !at->name.empty()) {
        parts << shownName(at->name);
    } else if (!rank.trace->hasDeviceWork()) {
        parts << Timeline::tr("no GPU work");
    }
    return parts.join(separator());
}

QString runDetail(const RunView& run) {
    DurationNs length = 0;
    std::size_t windows = 1;
    for (const RankView& rank : run.ranks) {
        length = std::max(length, rank.toAxis(rank.trace->window.end_ns));
        windows = std::max(windows, rank.facts != nullptr ? rank.facts->windows.all().size() : 1);
    }
    const auto ranks = static_cast<int>(run.ranks.size());
    const QString count = plural(Timeline::tr("%n rank(s)", nullptr, ranks), run.ranks.size());
    if (windows > 1) {
        const QString recorded = QString::fromStdString(formatDuration(run.run->facts.recorded_ns));
        return count + separator() + Timeline::tr("%1 in %2 windows").arg(recorded).arg(windows);
    }
    return count + separator() + QString::fromStdString(formatDuration(length));
}

RowText textOfRun(const RunView& run) {
    return {shownName(run.run->run->name), runDetail(run)};
}

RowText textOfAlike(const RunView& run, const LayoutRow& row) {
    const auto ranks = static_cast<int>(row.members.size());
    const QString shown = rankTitle(*run.ranks[row.rank].trace, row.rank);
    if (ranks == 1) {
        const RankPosition only = row.members.front();
        return {Timeline::tr("%1, like %2").arg(rankTitle(*run.ranks[only].trace, only), shown), {}};
    }
    return {(row.away ? Timeline::tr("%1 ranks like %2") : Timeline::tr("and %1 more like %2")).arg(ranks).arg(shown),
            {}};
}

/// The ranks of a run that share a place in a dimension, and their number: "Pipeline: pp 2", as in their names.
/// "Pipeline 2" would be one of several pipelines.
RowText textOfHeading(const LayoutRow& row) {
    const QString count =
        plural(Timeline::tr("%n rank(s)", nullptr, static_cast<int>(row.members.size())), row.members.size());
    return {row.place ? Timeline::tr("%1: %2", "a dimension, a place in it")
                            .arg(roleHeading(row.role), placeTitle(row.role, *row.place))
                      : Timeline::tr("%1: place unknown").arg(roleHeading(row.role)),
            count};
}

/// A host whose ranks are not always running: how many run at the same time. Its name comes first, since it
/// distinguishes rows.
RowText textOfHost(const RunView& run, const LayoutRow& row) {
    const HostIndex& host = run.index->hosts[row.host];
    const QString of =
        plural(Timeline::tr("of %n rank(s)", nullptr, static_cast<int>(host.ranks.size())), host.ranks.size());
    return {
        host.host.empty() ? Timeline::tr("Ranks running") : Timeline::tr("%1: ranks running").arg(shownName(host.host)),
        of};
}

/// The counted quantity, and the device if the rank has counters of several.
RowText textOfCounter(const RankView& rank, const LayoutRow& row) {
    const auto& all = rank.counters->series;
    const CounterSeries& series = all[row.counter];
    const bool several =
        std::ranges::any_of(all, [&](const CounterSeries& other) { return other.device != series.device; });
    return {coreText(counterTitle(series.kind)), several ? Timeline::tr("GPU %1").arg(series.device) : QString()};
}

RowText textOfGroup(const LayoutRow& row) {
    if (row.group == TrackGroup::Quiet) {
        return {plural(Timeline::tr("%n quiet thread(s)", nullptr, static_cast<int>(row.tracks)), row.tracks), {}};
    }
    return {
        row.group == TrackGroup::Threads ? Timeline::tr("CPU threads") : Timeline::tr("Annotations, syncs, profiler"),
        QString::number(row.tracks)};
}

RowText textOfRunCounter(const RunView& run, const LayoutRow& row) {
    const CounterKind kind = run.counters->series[row.counter].kind;
    const QString by =
        runCounterBy(kind) == RunCounterBy::Mean ? Timeline::tr("mean of ranks") : Timeline::tr("sum of ranks");
    return {coreText(counterTitle(kind)), by};
}

}  // namespace

QString shownName(std::string_view name) {
    if (name.size() <= kMostNameBytes) {
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    std::size_t end = kMostNameBytes;
    constexpr unsigned kFollows = 0x80;  // if masked with 0xc0: a byte of UTF-8 that is not the first of its character
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == kFollows) {
        --end;
    }
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(end)) + QChar(0x2026);
}

QString rankTitle(const RankTrace& trace, RankPosition position) {
    return coreText(rankLabel(trace, position));
}

QString rankInPlace(const RunView& run, RankPosition position) {
    const QString place = placeTitle(run.run->facts.parallelism.grid, position);
    const QString name = rankTitle(*run.ranks[position].trace, position);
    return place.isEmpty() ? name : name + separator() + place;
}

QString trackTitle(const RankTrace& trace, TrackId track) {
    const Track& of = trace.tracks[track.value];
    const std::string_view name = of.name.empty() ? trace.strings.view(of.lane) : std::string_view(of.name);
    return name.size() > kMostNameBytes ? shownName(name) : coreText(name);
}

RowText rowText(const TimelineModel& model, const LayoutRow& row) {
    const RunView& run = model.runs()[row.run];
    if (row.kind == RowKind::Run) {
        return textOfRun(run);
    }
    if (row.kind == RowKind::RunCounter) {
        return textOfRunCounter(run, row);
    }
    if (row.kind == RowKind::Heading) {
        return textOfHeading(row);
    }
    const RankView& rank = run.ranks[row.rank];
    switch (row.kind) {
        case RowKind::Rank: return {rankTitle(*rank.trace, row.rank), rankDetail(run, row.rank)};
        case RowKind::Group: return textOfGroup(row);
        case RowKind::Alike: return textOfAlike(run, row);
        case RowKind::Host: return textOfHost(run, row);
        case RowKind::Counter: return textOfCounter(rank, row);
        case RowKind::Run:
        case RowKind::RunCounter:
        case RowKind::Heading:
        case RowKind::Track: break;
    }
    const QString of = row.pinned ? rankTitle(*rank.trace, row.rank) + separator() : QString();
    return {of + trackTitle(*rank.trace, row.track), {}};
}

QStringList foldersOf(const Run& run) {
    constexpr qsizetype kMost = 8;
    QStringList folders;
    const std::string* last = nullptr;  // ranks of one file are adjacent
    for (const auto& rank : run.ranks) {
        for (const TraceFile& file : rank->files) {
            const std::string& path = file.digest.empty() ? file.path : file.digest;
            if (folders.size() >= kMost || (last != nullptr && *last == path)) {
                continue;
            }
            last = &path;
            const QFileInfo of(QString::fromStdString(path));
            const QString folder =
                file.member.empty() || !file.digest.empty() ? of.absolutePath() : of.absoluteFilePath();
            if (!folders.contains(folder)) {
                folders.append(folder);
            }
        }
    }
    return folders;
}

std::vector<NamedTrack> namedTracks(const TimelineModel& model, const RowChoices& choices) {
    std::vector<NamedTrack> named;
    const auto runs = model.runs();
    for (std::uint32_t run = 0; run < runs.size(); ++run) {
        const QString name = shownName(runs[run].run->run->name);
        for (RankPosition rank{0}; rank < runs[run].ranks.size(); ++rank) {
            const RankView& view = runs[run].ranks[rank];
            const QString of = rankTitle(*view.trace, rank) + separator();
            const TrackLists lists = trackLists(view, choices);
            for (const std::vector<TrackId>* list : {&lists.streams, &lists.threads, &lists.others}) {
                for (const TrackId track : *list) {
                    named.push_back({run, rank, track, of + trackTitle(*view.trace, track), name});
                }
            }
        }
    }
    return named;
}

}  // namespace rankscope::ui
