// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/collective_text.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "core/analysis/collectives/waits.h"
#include "core/base/format.h"
#include "ui/panels/words.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kRanksShown = 8;

QString transferText(const Collective& collective) {
    QString words = duration(*collective.transfer_ns);
    if (collective.bytes) {
        words += QObject::tr(", %1").arg(text(formatBytes(static_cast<std::uint64_t>(*collective.bytes))));
    }
    if (collective.bus_gb_per_s) {
        words += QObject::tr(" at %1 on the bus").arg(text(formatBandwidth(*collective.bus_gb_per_s * 1e9)));
    }
    return words;
}

/// What the others did while this rank's device did nothing but wait here, longest first.
QString waitedForText(const AnalysedRun& run, const SliceSelection& at, std::size_t collective) {
    const WaitTimes times = sumWaitsIn(run.facts.ranks[at.rank], collective);
    std::vector<std::pair<DurationNs, QString>> reasons = {{times.compute_ns, QObject::tr("computing")},
                                                           {times.communication_ns, QObject::tr("in a transfer")},
                                                           {times.copy_ns, QObject::tr("copying")},
                                                           {times.unknown_ns, QObject::tr("not known")}};
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const auto cause = static_cast<Cause>(i);
        reasons.emplace_back(times.idle[cause], text(causeTitle(cause)));
    }
    std::ranges::stable_sort(reasons, std::greater<>(), [](const auto& reason) { return reason.first; });
    QStringList words;
    for (const auto& [ns, name] : reasons) {
        if (ns > 0) {
            words.append(QObject::tr("%1 %2").arg(duration(ns), name));
        }
    }
    return words.join(QStringLiteral("<br>"));
}

/// A link to each other rank's part, with its wait; the one that arrived last first.
QString othersText(const AnalysedRun& run, const SliceSelection& at, const Collective& collective) {
    std::vector<const CollectiveMember*> others;
    for (const CollectiveMember& member : collective.members) {
        if (member.rank != at.rank) {
            others.push_back(&member);
        }
    }
    std::ranges::stable_sort(others, {}, [](const CollectiveMember* member) { return member->wait_ns.value_or(0); });
    QStringList lines;
    for (const CollectiveMember* const other : others) {
        if (lines.size() == static_cast<qsizetype>(kRanksShown)) {
            lines.append(QObject::tr("and %1 more").arg(others.size() - kRanksShown));
            break;
        }
        const QString wait = !other->wait_ns        ? QString()
                             : *other->wait_ns == 0 ? QObject::tr(", arrived last")
                                                    : QObject::tr(", waited %1").arg(duration(*other->wait_ns));
        lines.append(QStringLiteral("<a href=\"%1\">%2</a>%3")
                         .arg(sliceLink({at.run, other->rank, other->slices.front()}),
                              rankName(*run.run, other->rank).toHtmlEscaped(), wait));
    }
    return lines.join(QStringLiteral("<br>"));
}

}  // namespace

std::vector<std::pair<QString, QString>> collectiveRows(const AnalysedRun& run, const CollectiveIndex& collectives,
                                                        const SliceSelection& at) {
    std::vector<std::pair<QString, QString>> rows;
    const std::optional<CollectivePosition> index = collectives.ofKernel(at.rank, at.slice);
    if (!index) {
        return rows;
    }
    const Collective& collective = run.facts.collectives.collectives[*index];
    if (collective.transfer_ns) {
        rows.emplace_back(QObject::tr("Transfer"), transferText(collective));
        const DurationNs wait_ns = collective.memberOf(at.rank)->wait_ns.value_or(0);
        rows.emplace_back(QObject::tr("Waited"),
                          wait_ns > 0 ? duration(wait_ns) : QObject::tr("not at all: arrived last"));
    }
    if (const QString reasons = waitedForText(run, at, *index); !reasons.isEmpty()) {
        rows.emplace_back(QObject::tr("For a rank that was"), reasons);
    }
    if (collective.members.size() > 1) {
        rows.emplace_back(QObject::tr("The same on"), othersText(run, at, collective));
    }
    return rows;
}

}  // namespace rankscope::ui
