// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/slice_text.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "core/analysis/collectives/waits.h"
#include "core/base/format.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/role_words.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kRanksShown = 8;

QString transferText(const Collective& collective) {
    const QString took = duration(*collective.transfer_ns);
    const QString bytes =
        collective.bytes ? text(formatBytes(static_cast<std::uint64_t>(*collective.bytes))) : QString();
    if (!collective.bus_gb_per_s) {
        return collective.bytes ? QObject::tr("%1, %2", "a length of time, bytes").arg(took, bytes) : took;
    }
    const QString rate = text(formatBandwidth(*collective.bus_gb_per_s * 1e9));
    return collective.bytes ? QObject::tr("%1, %2 at %3 on the bus", "time, bytes, bandwidth").arg(took, bytes, rate)
                            : QObject::tr("%1 at %2 on the bus", "time, bandwidth").arg(took, rate);
}

/// What the other ranks did while this rank's device only waited here, longest first.
QString waitedForText(const WaitTimes& times) {
    std::vector<std::pair<DurationNs, QString>> reasons = {{times.compute_ns, QObject::tr("computing")},
                                                           {times.communication_ns, QObject::tr("in a transfer")},
                                                           {times.copy_ns, QObject::tr("copying")},
                                                           {times.unknown_ns, QObject::tr("unknown")}};
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const auto cause = static_cast<Cause>(i);
        reasons.emplace_back(times.idle[cause], coreText(causeTitle(cause)));
    }
    std::ranges::stable_sort(reasons, std::greater<>(), [](const auto& reason) { return reason.first; });
    QStringList words;
    for (const auto& [ns, name] : reasons) {
        if (ns > 0) {
            words.append(QObject::tr("%1 %2", "a length of time, what was done").arg(duration(ns), name));
        }
    }
    return words.join(QStringLiteral("<br>"));
}

/// A link to the part of each other rank, with its wait; the one that arrived last comes first.
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
        const QString link = QStringLiteral("<a href=\"%1\">%2</a>")
                                 .arg(sliceLink({at.run, other->rank, other->slices.front()}),
                                      rankName(*run.run, other->rank).toHtmlEscaped());
        lines.append(!other->wait_ns        ? link
                     : *other->wait_ns == 0 ? QObject::tr("%1, arrived last").arg(link)
                                            : QObject::tr("%1, waited %2").arg(link, duration(*other->wait_ns)));
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
    if (const auto& groups = run.facts.parallelism.groups; collective.group < groups.size()) {
        const GroupRole& group = groups[collective.group];
        const auto role = group.parts.empty() ? group.role : run.facts.parallelism.roleOf(*index);
        rows.emplace_back(QObject::tr("Group"), QObject::tr("%1, %2", "a process group, its role")
                                                    .arg(text(group.label()).toHtmlEscaped(), roleTitle(role)));
    }
    DurationNs waited_ns = 0;
    if (collective.transfer_ns) {
        rows.emplace_back(QObject::tr("Transfer"), transferText(collective));
        waited_ns = collective.memberOf(at.rank)->wait_ns.value_or(0);
        rows.emplace_back(QObject::tr("Waited"), waited_ns > 0               ? duration(waited_ns)
                                                 : collective.endsTogether() ? QObject::tr("not at all: arrived last")
                                                                             : QObject::tr("not at all"));
    }
    const WaitTimes waits = sumWaitsIn(run.facts.ranks[at.rank], *index);
    if (const QString reasons = waitedForText(waits); !reasons.isEmpty()) {
        const bool all = waits.total() >= waited_ns || duration(waits.total()) == duration(waited_ns);
        rows.emplace_back(QObject::tr("The late rank was"),
                          all ? reasons
                              : QObject::tr("%1<br>%2 in all: compute hides the rest of the wait",
                                            "what a rank did meanwhile, a length of time")
                                    .arg(reasons, duration(waits.total())));
    }
    if (collective.members.size() > 1) {
        rows.emplace_back(QObject::tr("Other ranks"), othersText(run, at, collective));
    }
    return rows;
}

}  // namespace rankscope::ui
