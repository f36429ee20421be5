// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/band_text.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "core/base/format.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

constexpr qsizetype kCollectivesShown = 8;
constexpr qsizetype kWaitsShown = 8;

QString paragraph(const QString& html) {
    return QStringLiteral("<p>%1</p>").arg(html);
}

QString heading(const QString& words) {
    return QStringLiteral("<h4>%1</h4>").arg(words);
}

QString collectivesHtml(const AnalysedRun& run, const CollectiveIndex& collectives, const BandSelection& at,
                        const TimeSpan& span, const Theme& theme) {
    QStringList rows;
    qsizetype more = 0;
    for (const std::uint32_t index : collectives.within(at.rank, span)) {
        const Collective& collective = run.facts.collectives.collectives[index];
        const CollectiveMember* member = collective.memberOf(at.rank);
        const TimeSpan part = intersect(member->span, span);
        if (member->slices.empty()) {
            continue;
        }
        if (rows.size() == kCollectivesShown) {
            ++more;
            continue;
        }
        QString about =
            QObject::tr("%1 of its %2 is here").arg(duration(part.length()), duration(member->span.length()));
        if (collective.bytes) {
            about += QStringLiteral("  ·  ") + text(formatBytes(static_cast<std::uint64_t>(*collective.bytes)));
        }
        rows.append(paragraph(sliceAnchor(run, {at.run, at.rank, member->slices.front()}) + QStringLiteral("<br>") +
                              dim(about, theme)));
    }
    if (more > 0) {
        rows.append(paragraph(dim(QObject::tr("and %1 more").arg(more), theme)));
    }
    return rows.isEmpty() ? QString() : heading(QObject::tr("Collectives in it")) + rows.join(QString());
}

QString waitedFor(const AnalysedRun& run, const BandSelection& at, const WaitPart& part) {
    const QString who = rankName(*run.run, part.rank).toHtmlEscaped();
    switch (part.what) {
        case WaitedFor::Compute: return QObject::tr("%1 was computing").arg(who);
        case WaitedFor::Communication: return QObject::tr("%1 was in a transfer").arg(who);
        case WaitedFor::Copy: return QObject::tr("%1 was copying").arg(who);
        case WaitedFor::Unknown: return QObject::tr("what %1 did is unknown").arg(who);
        case WaitedFor::Idle: break;
    }
    const QString why = coreText(causeTitle(part.cause)).toHtmlEscaped();
    return part.evidence.valid() && exists(run, part.rank, part.evidence)
               ? QObject::tr("%1 was blocked: %2, %3", "a rank, why, in what")
                     .arg(who, why, sliceAnchor(run, {at.run, part.rank, part.evidence}, 40))
               : QObject::tr("%1 was blocked: %2").arg(who, why);
}

QString waitsHtml(const AnalysedRun& run, const BandSelection& at, const TimeSpan& span, const Theme& theme) {
    QStringList rows;
    qsizetype more = 0;
    const auto add = [&](const WaitPart& part) {
        const TimeSpan here = intersect(part.span, span);
        if (here.empty()) {
            return;
        }
        if (rows.size() == kWaitsShown) {
            ++more;
            return;
        }
        rows.append(paragraph(waitedFor(run, at, part) + QStringLiteral("<br>") +
                              dim(QObject::tr("for %1").arg(duration(here.length())), theme)));
    };
    // Steps and waits are in order of time: only those that overlap the band are looked at.
    const auto& steps = run.facts.ranks[at.rank].steps;
    const auto ends_before = [&](const auto& of) { return of.span.end_ns <= span.start_ns; };
    for (auto step = std::ranges::partition_point(steps, ends_before);
         step != steps.end() && step->span.start_ns < span.end_ns; ++step) {
        for (auto wait = std::ranges::partition_point(step->waits, ends_before);
             wait != step->waits.end() && wait->span.start_ns < span.end_ns; ++wait) {
            std::ranges::for_each(wait->parts, add);
        }
    }
    if (more > 0) {
        rows.append(paragraph(dim(QObject::tr("and %1 more").arg(more), theme)));
    }
    return rows.isEmpty() ? QString() : heading(QObject::tr("Waiting for another rank")) + rows.join(QString());
}

QString stepHtml(const AnalysedRun& run, const BandSelection& at, const TimeSpan& span, const Theme& theme) {
    const auto& steps = run.facts.ranks[at.rank].steps;
    const auto step =
        std::ranges::find_if(steps, [&](const RankStep& s) { return s.partition && !intersect(s.span, span).empty(); });
    if (step == steps.end() || step->partition->comm_ns == 0) {
        return {};
    }
    const Partition& p = *step->partition;
    const double hidden = static_cast<double>(p.overlap_ns) / static_cast<double>(p.comm_ns);
    QString words = QObject::tr("Step %1 communicates for %2: %3 of it under compute, %4 exposed.")
                        .arg(step->index)
                        .arg(duration(p.comm_ns), text(formatPercent(hidden)), duration(p.exposed_comm_ns));
    if (p.exposed_transfer_ns && p.exposed_wait_ns) {
        words +=
            QLatin1Char(' ') + QObject::tr("Of the exposed time, %1 is transfer and %2 is waiting for other ranks.")
                                   .arg(duration(*p.exposed_transfer_ns), duration(*p.exposed_wait_ns));
    }
    return heading(QObject::tr("In its step")) + paragraph(dim(words, theme));
}

}  // namespace

TimeSpan bandSpan(const AnalysedRun& run, const BandSelection& at) {
    if (at.rank >= run.facts.ranks.size()) {
        return {};
    }
    const RankFacts& rank = run.facts.ranks[at.rank];
    const IntervalSet& set = at.kind == BandKind::Overlap ? rank.overlap : rank.exposed_communication;
    return at.index < set.spans().size() ? set.spans()[at.index] : TimeSpan();
}

QString bandTitle(const AnalysedRun& run, const BandSelection& at) {
    const QString words = at.kind == BandKind::Overlap ? QObject::tr("%1 of communication under compute on %2")
                                                       : QObject::tr("%1 of exposed communication on %2");
    return words.arg(duration(bandSpan(run, at).length()), rankName(*run.run, at.rank));
}

QString bandHtml(const AnalysedRun& run, const CollectiveIndex* collectives, const BandSelection& at,
                 const Theme& theme) {
    const TimeSpan span = bandSpan(run, at);
    QString html = paragraph(
        at.kind == BandKind::Overlap
            ? QObject::tr("The GPU computes and communicates at the same time here. This communication costs no time.")
            : QObject::tr("The GPU communicates and computes nothing here. This time adds to the step."));
    if (collectives != nullptr) {
        html += collectivesHtml(run, *collectives, at, span, theme);
    }
    if (at.kind == BandKind::Exposed) {
        html += waitsHtml(run, at, span, theme);
    }
    return html + stepHtml(run, at, span, theme);
}

}  // namespace rankscope::ui
