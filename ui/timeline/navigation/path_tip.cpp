// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/tooltip.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "core/base/format.h"
#include "ui/theme/core_text.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/selection/step_path.h"
#include "ui/timeline/words.h"

namespace rankscope::ui {
namespace {

QString duration(DurationNs ns) {
    return QString::fromStdString(formatDuration(ns));
}

QString rankOfRun(const AnalysedRun& run, RankPosition rank) {
    return rankTitle(*run.run->ranks[rank], rank);
}

QString stepWords(const ShownPath& path) {
    const AnalysedRun& run = *path.of.of;
    return Timeline::tr("%1, ends last on %2")
        .arg(QString::number(run.facts.steps[path.of.at.step].index), rankOfRun(run, path.end));
}

/// A line between two ranks.
Tip tipForTurn(const ShownPath& path, std::uint32_t stretch, const Theme& theme) {
    const AnalysedRun& run = *path.of.of;
    const PathStretch& to = path.path.stretches[stretch];
    const PathStretch& from = path.path.stretches[std::max(stretch, 1U) - 1];
    Tip tip;
    tip.swatch = theme.path;
    tip.title = Timeline::tr("The critical path moves from %1 to %2")
                    .arg(rankOfRun(run, from.worker), rankOfRun(run, to.worker));
    const auto turn = std::ranges::find(path.path.turns, std::size_t{stretch}, &PathTurn::stretch);
    if (turn != path.path.turns.end()) {
        const Collective& met = run.facts.collectives.collectives[turn->collective];
        const CollectiveMember* const waiter = met.memberOf(turn->waiter);
        tip.lines.push_back({Timeline::tr("arrived last"), rankOfRun(run, turn->last)});
        tip.lines.push_back({Timeline::tr("to"), shownName(met.name)});
        if (const auto begin_ns = waiter == nullptr ? std::nullopt : met.beginOf(*waiter)) {
            tip.lines.push_back({Timeline::tr("%1 waited").arg(rankOfRun(run, turn->waiter)),
                                 duration(*begin_ns - waiter->span.start_ns)});
        }
    }
    tip.lines.push_back({Timeline::tr("step"), stepWords(path)});
    return tip;
}

void addWaiting(const AnalysedRun& run, const PathStretch& stretch, Tip& tip) {
    if (stretch.worker != stretch.rank) {
        tip.lines.push_back({Timeline::tr("awaited by"), rankOfRun(run, stretch.rank)});
    }
}

}  // namespace

QString pathPartTitle(PathKind kind, Cause cause) {
    switch (kind) {
        case PathKind::Compute: return Timeline::tr("Compute");
        case PathKind::Transfer: return Timeline::tr("Exposed transfer");
        case PathKind::Copy: return Timeline::tr("Exposed copy");
        case PathKind::Unknown: return Timeline::tr("Idle, cause not recorded");
        case PathKind::Unsplit: return Timeline::tr("Communication, not divided");
        case PathKind::Idle: break;
    }
    return coreText(causeTitle(cause));
}

Tip tipForPath(const TimelineModel& model, const Hit& hit, const Theme& theme) {
    const ShownPath* const path = model.path();
    if (path == nullptr || !hit.path || hit.path->stretch >= path->path.stretches.size()) {
        return {};
    }
    if (hit.path->turns) {
        return tipForTurn(*path, hit.path->stretch, theme);
    }
    const AnalysedRun& run = *path->of.of;
    const PathStretch& stretch = path->path.stretches[hit.path->stretch];
    Tip tip;
    tip.swatch = theme.path;
    const QString what = pathPartTitle(stretch.kind, stretch.cause);
    tip.title = Timeline::tr("Critical path: %1, %2").arg(what, duration(stretch.length()));
    if (hit.count > 1) {
        tip.title = Timeline::tr("Critical path: %1 parts; the longest is %2, %3")
                        .arg(QString::fromStdString(formatCount(hit.count)), what, duration(stretch.length()));
    }
    const RankTrace& trace = *run.run->ranks[stretch.worker];
    if (stretch.slice.valid()) {
        tip.lines.push_back({stretch.kind == PathKind::Idle ? Timeline::tr("CPU is in") : Timeline::tr("runs"),
                             shownName(trace.name(stretch.slice))});
    }
    if (!stretch.label.empty() && stretch.kind == PathKind::Idle) {
        tip.lines.push_back({Timeline::tr("at"), shownName(stretch.label)});
    }
    QString on = rankOfRun(run, stretch.worker);
    if (stretch.slice.valid()) {
        on += QStringLiteral(" \u00b7 ") + shownName(trace.track(stretch.slice).name);
    }
    tip.lines.push_back({Timeline::tr("on"), on});
    addWaiting(run, stretch, tip);
    tip.lines.push_back({Timeline::tr("step"), stepWords(*path)});
    return tip;
}

}  // namespace rankscope::ui
