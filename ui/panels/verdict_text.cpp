// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/verdict_text.h"

#include <QFontMetrics>
#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/analysis/gaps/host_names.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/run_steps.h"
#include "core/analysis/steps/step_spread.h"
#include "core/analysis/verdict_words.h"
#include "core/base/format.h"
#include "core/diagnosis/pricing.h"
#include "core/report/model/summary.h"
#include "ui/panels/step_chart.h"
#include "ui/panels/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {
namespace {

constexpr double kLeastShown = 0.005;  // a smaller share is no pixel of the bar
constexpr std::size_t kLateShown = 3;
/// Columns of the tables of the reports that a narrow panel has room for.
constexpr std::size_t kHostShare = 2;
constexpr std::size_t kDeviceShare = 4;
constexpr std::size_t kOfTheMean = 2;

QString chartLink(StepChart chart, const QString& words, const Theme& theme) {
    return labelLink(QStringLiteral("chart:%1").arg(static_cast<int>(chart)), words, theme);
}

/// The title of a part that unfolds.
QString foldTitle(const QString& part, const QString& title, bool unfolded, const Theme& theme) {
    return QStringLiteral("<a style=\"text-decoration:none; color:%1\" href=\"fold:%2\"><b>%3</b>&nbsp;%4</a>")
        .arg(theme.text.name(), part, title.toHtmlEscaped(), unfolded ? QStringLiteral("▾") : QStringLiteral("▸"));
}

QString capitalised(const QString& words) {
    return words.left(1).toUpper() + words.mid(1);
}

/// Compute first, then what is waited for, the greatest first; none that the bar cannot show.
std::vector<NamedShare> shownShares(const Verdict& verdict) {
    std::vector<NamedShare> shown;
    if (verdict.shares) {
        const auto all = namedShares(*verdict.shares);
        std::ranges::copy_if(all, std::back_inserter(shown),
                             [](const NamedShare& s) { return s.share >= kLeastShown; });
        const auto waits = std::ranges::find_if(shown, [](const NamedShare& s) { return s.name != "compute"; });
        std::ranges::stable_sort(waits, shown.end(), std::ranges::greater(), &NamedShare::share);
    }
    return shown;
}

QColor colourOf(const NamedShare& share, const Theme& theme) {
    if (share.name == "compute") {
        return colourOf(Swatch::Compute, theme);
    }
    if (share.name == "communication") {
        return colourOf(Swatch::Communication, theme);
    }
    if (share.name == "unsplit") {
        return colourOf(Swatch::Unsplit, theme);
    }
    return causeColour(share.name == "input"    ? Cause::DataLoader
                       : share.name == "launch" ? Cause::Launch
                       : share.name == "stall"  ? Cause::HostStall
                       : share.name == "rest"   ? Cause::Queued
                                                : Cause::Unrecorded,
                       theme);
}

QString percent(double share) {
    return text(formatPercent(share));
}

QString rowHtml(const QStringList& cells) {
    QString html;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        html += i == 0 ? QStringLiteral("<td align=\"left\">%1</td>").arg(cells[i])
                       : QStringLiteral("<td align=\"right\" style=\"padding-left: 8px\">%1</td>").arg(cells[i]);
    }
    return QStringLiteral("<tr>%1</tr>").arg(html);
}

QString tableHtml(const QStringList& rows) {
    return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\" width=\"100%\">%1</table>")
        .arg(rows.join(QString()));
}

/// The widest part of all cells that stays in one line.
int widestWord(const QStringList& cells, const QFontMetrics& metrics) {
    int widest = 0;
    for (const QString& cell : cells) {
        const QStringList words = cell.split(QLatin1Char(' '));
        for (const QString& word : words) {
            widest = std::max(widest, metrics.horizontalAdvance(word));
        }
    }
    return widest;
}

/// How many columns of these have room beside their labels in a table that is so wide; one at least.
std::size_t columnsAbreast(const QStringList& labels, const std::vector<QStringList>& columns, int width,
                           const Theme& theme) {
    constexpr int kAroundLabel = 4;  // pixels; as rowHtml() and tableHtml() have them, and one for what is rounded
    constexpr int kAroundCell = 11;
    const QFontMetrics metrics(theme.ui_font);
    int widest = 1;
    for (const QStringList& column : columns) {
        widest = std::max(widest, widestWord(column, metrics) + kAroundCell);
    }
    const int room = std::max(0, width - widestWord(labels, metrics) - kAroundLabel);
    return std::clamp<std::size_t>(static_cast<std::size_t>(room / widest), 1,
                                   std::max<std::size_t>(1, columns.size()));
}

TimeSpan unitedSpan(const std::optional<TimeSpan>& all, const TimeSpan& one) {
    return all ? TimeSpan{std::min(all->start_ns, one.start_ns), std::max(all->end_ns, one.end_ns)} : one;
}

/// From the first to the last range of a phase on the host that begins in a step, as their names tell.
std::optional<TimeSpan> onHost(const RankTrace& rank, const RankStep& step, Phase phase) {
    const HostNames names(rank);
    std::optional<TimeSpan> all;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        const SliceTable& slices = rank.tracks[t].slices;
        const auto first = std::ranges::lower_bound(slices.start_ns, step.host.start_ns);
        for (auto i = static_cast<SliceIndex>(first - slices.start_ns.begin());
             rank.tracks[t].kind == TrackKind::CpuThread && i < slices.size() && slices.start_ns[i] < step.host.end_ns;
             ++i) {
            const SliceRef slice{TrackId(t), i};
            const bool loads =
                phase == Phase::Data && names.kind(slices.name[i], Category::UserAnnotation) == HostKind::DataLoader;
            if (slices.category[i] == Category::UserAnnotation && (loads || phaseOfRange(rank.name(slice)) == phase)) {
                all = unitedSpan(all, rank.span(slice));
            }
        }
    }
    return all;
}

std::optional<Phase> phaseOf(std::string_view name) {
    for (std::size_t p = 0; p < kPhaseCount; ++p) {
        if (phaseName(static_cast<Phase>(p)) == name) {
            return static_cast<Phase>(p);
        }
    }
    return std::nullopt;
}

/// The name of a phase; where the typical step has it, a link to it there.
QString phaseAnchor(const AnalysedRun& run, const std::string& name, const Theme& theme) {
    const std::optional<Phase> phase = phaseOf(name);
    const bool there = phase && placeOfPhase(run, *phase);
    return there ? labelLink(QStringLiteral("phase:%1").arg(static_cast<int>(*phase)), coreText(name), theme)
                 : coreText(name).toHtmlEscaped();
}

/// What the findings that name a rank, and not all ranks, would save; their titles tell what that is.
QString savingsOf(const AnalysedRun& run, RankPosition rank) {
    QStringList savings;
    for (const Finding& finding : run.diagnosis.findings) {
        const bool names = std::ranges::find(finding.ranks, rank) != finding.ranks.end();
        if (finding.saving_ns > 0 && names && finding.ranks.size() < run.run->ranks.size()) {
            const QString words = finding.ranks.size() > 1 ? QObject::tr("%1 (%2, with the others it names)")
                                                           : QObject::tr("%1 (%2)", "a time, a finding");
            savings.append(words.arg(unbroken(duration(finding.saving_ns)), text(finding.title)));
        }
    }
    return savings.isEmpty() ? QStringLiteral("–") : savings.join(QStringLiteral("; "));
}

QString rankAnchor(const AnalysedRun& run, RankPosition rank, const std::string& name, const Theme& theme) {
    return markOfLatestStep(run.facts, rank).valid()
               ? labelLink(QStringLiteral("late:%1").arg(static_cast<std::uint32_t>(rank)), coreText(name), theme)
               : coreText(name).toHtmlEscaped();
}

}  // namespace

QString verdictHeadHtml(const AnalysedRun& run, const Theme& theme) {
    QString html = QStringLiteral("<b style=\"font-size:%1pt\">%2</b>")
                       .arg(theme.ui_font.pointSizeF() * 1.15)
                       .arg(capitalised(coreText(report::verdictTitle(run.facts.verdict))));
    if (const Coverage& coverage = run.facts.verdict.coverage; coverage.steps > 0) {
        const QString stands = QObject::tr("of %1").arg(coreText(report::coverageText(*run.run, coverage)));
        html += QStringLiteral("<br>") + chartLink(StepChart::Lengths, stands, theme);
    }
    if (const std::string beside = besidePathText(run.facts); !beside.empty()) {
        html += QStringLiteral("<br>") + dim(coreText(beside).toHtmlEscaped(), theme);
    }
    return html;
}

std::vector<BarPart> verdictParts(const Verdict& verdict, const Theme& theme) {
    constexpr double kWhole = 1'000'000;  // a bar is of whole numbers
    std::vector<BarPart> parts;
    for (const NamedShare& share : shownShares(verdict)) {
        parts.push_back(
            {static_cast<DurationNs>(std::llround(share.share * kWhole)), colourOf(share, theme),
             QObject::tr("%1 %2", "a part of a step, its share").arg(coreText(share.title), percent(share.share)),
             share.name != "compute" && share.name != "communication"});
    }
    return parts;
}

QString verdictLegendHtml(const Verdict& verdict, int width, const Theme& theme) {
    const QFontMetrics metrics(theme.ui_font);
    QStringList parts;
    for (const NamedShare& share : shownShares(verdict)) {
        const QString title = coreText(share.title);
        const bool fits = metrics.horizontalAdvance(QStringLiteral("■ %1 %2").arg(title, percent(share.share))) < width;
        parts.append(QStringLiteral("<span style=\"color:%1\">■</span>&nbsp;%2&nbsp;%3")
                         .arg(colourOf(share, theme).name(), (fits ? unbroken(title) : title).toHtmlEscaped(),
                              chartLink(StepChart::Path, unbroken(percent(share.share)), theme)));
    }
    if (verdict.bound && !parts.isEmpty()) {
        parts.append(labelLink(QStringLiteral("fold:reason"), QObject::tr("why?"), theme));
    }
    return parts.join(QStringLiteral("&nbsp;&nbsp; "));
}

QString verdictReasonText(const AnalysedRun& run) {
    const Verdict& verdict = run.facts.verdict;
    QString reason = coreText(verdictReason(verdict));
    if (!verdict.bound || !verdict.shares) {
        return reason;
    }
    QString of = QObject::tr("Shares are of the path that the end of a step waits for.") + QLatin1Char(' ');
    if (run.run->ranks.size() > 1) {
        of += QObject::tr(
                  "Where a rank waits for another one, what that one did counts in its place; it is the mean "
                  "over the paths of all ranks.") +
              QLatin1Char(' ');
    }
    return of + reason;
}

QString phasesHtml(const AnalysedRun& run, bool unfolded, const Theme& theme) {
    const report::Table table = report::phaseTable(run);
    if (table.rows.empty()) {
        return {};
    }
    const bool device = table.header.size() > kDeviceShare;
    const QString title = foldTitle(QStringLiteral("phases"), QObject::tr("Phases of a step"), unfolded, theme);
    if (!unfolded) {
        QStringList parts;
        for (const std::vector<std::string>& row : table.rows) {
            const QString share = text(row[device ? kDeviceShare : kHostShare]);
            if (share != percent(0)) {
                parts.append(phaseAnchor(run, row[0], theme) + QChar(QChar::Nbsp) + unbroken(share.toHtmlEscaped()));
            }
        }
        const QString of = device ? QObject::tr("device") : QObject::tr("host");
        return title + QStringLiteral("&nbsp; ") + dim(of, theme) + QLatin1Char(' ') + parts.join(QStringLiteral(", "));
    }
    QStringList head = {title, dim(QObject::tr("host"), theme), QString()};
    if (device) {
        head << dim(QObject::tr("device"), theme) << QString();
    }
    QStringList rows = {rowHtml(head)};
    for (const std::vector<std::string>& row : table.rows) {
        QStringList cells = {phaseAnchor(run, row[0], theme)};
        for (std::size_t i = 1; i < row.size(); ++i) {
            const std::string value = row[i].substr(0, row[i].find(" ("));  // the range over ranks has no room
            cells.append(i % 2 == 0 ? dim(text(value).toHtmlEscaped(), theme) : text(value).toHtmlEscaped());
        }
        rows.append(rowHtml(cells));
    }
    return tableHtml(rows) + dim(QObject::tr("Times of the median rank, shares of all steps of all ranks."), theme);
}

/// Whether no rank is later, in its median step, than what is told of a step at all.
bool nobodyIsLate(const RunFacts& facts) {
    const std::vector<DurationNs> late_ns = medianLateness(facts);
    const auto least_ns = static_cast<DurationNs>(Pricer::kLeastShare * static_cast<double>(facts.pricedStep()));
    return facts.pricedStep() > 0 && std::ranges::all_of(late_ns, [&](DurationNs ns) { return ns < least_ns; });
}

/// Ranks of other stages of a pipeline are no measure for a rank: of several sets of peers the latest is who is latest
/// beside its own; else `first`.
const RankLateness& latestBesideItsPeers(const RunFacts& facts, const RankLateness& first) {
    return facts.stragglers.peers.size() < 2
               ? first
               : *std::ranges::max_element(facts.stragglers.ranks, {}, &RankLateness::over_mean);
}

QString latenessHtml(const AnalysedRun& run, bool unfolded, int width, const Theme& theme) {
    const report::Table table = report::latenessTable(run, kLateShown);
    const std::vector<const RankLateness*> ranks = report::latestRanks(run.facts, kLateShown);
    if (table.rows.empty()) {
        return {};
    }
    const QString title = foldTitle(QStringLiteral("late"), QObject::tr("Who comes late"), unfolded, theme);
    // The last column names rules by their ids, for programs.
    const auto cell = [&](std::size_t row, std::size_t column) {
        return column + 1 == table.header.size()
                   ? savingsOf(run, ranks[row]->rank)
                   : unbroken(printed(coreText(table.rows[row][column] == "-" ? "–" : table.rows[row][column])));
    };
    const RankLateness& latest = latestBesideItsPeers(run.facts, *ranks[0]);
    const QString of_mean = percent(latest.over_mean);
    if (!unfolded && (of_mean == percent(1) || nobodyIsLate(run.facts))) {
        return title + QStringLiteral("&nbsp; ") + QObject::tr("nobody by 1 % of a step");
    }
    if (!unfolded) {
        const QString of = coreText(table.header[kOfTheMean]).toHtmlEscaped();
        return title + QStringLiteral("&nbsp; ") +
               QObject::tr("%1, %2 %3", "a rank, its share, of what")
                   .arg(rankAnchor(run, latest.rank, rankLabel(*run.run->ranks[latest.rank], latest.rank), theme),
                        unbroken(of_mean), of);
    }
    // Turned round: a row a measure has room for its name, as the columns of the reports have none here. The title
    // stands above: in a column it would be broken in a narrow panel. Ranks that have no room stand in a table below.
    QStringList labels;
    for (std::size_t column = 1; column < table.header.size(); ++column) {
        labels.append(coreText(table.header[column]));
    }
    std::vector<QStringList> columns;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        columns.push_back(QStringList{coreText(table.rows[r][0])});
        for (std::size_t column = 1; column < table.header.size(); ++column) {
            columns[r].append(cell(r, column));
        }
    }
    const std::size_t abreast = columnsAbreast(labels, columns, width, theme);
    QString html = title;
    for (std::size_t from = 0; from < columns.size(); from += abreast) {
        const std::size_t to = std::min(columns.size(), from + abreast);
        QStringList head = {QString()};
        for (std::size_t r = from; r < to; ++r) {
            head.append(rankAnchor(run, ranks[r]->rank, table.rows[r][0], theme));
        }
        QStringList rows = {rowHtml(head)};
        for (qsizetype measure = 0; measure < labels.size(); ++measure) {
            QStringList cells = {dim(labels[measure].toHtmlEscaped(), theme)};
            for (std::size_t r = from; r < to; ++r) {
                cells.append(columns[r][measure + 1].toHtmlEscaped());
            }
            rows.append(rowHtml(cells));
        }
        html += tableHtml(rows);
    }
    return html + dim(coreText(report::latenessNote()).toHtmlEscaped(), theme) + QLatin1Char(' ') +
           chartLink(StepChart::Lateness, QObject::tr("All ranks"), theme);
}

const RunStep* typicalStep(const RunFacts& facts) {
    const RunStep* typical = nullptr;
    DurationNs nearest_ns = 0;
    for (const RunStep& step : facts.steps) {
        const DurationNs off_ns = std::abs(step.duration_ns - facts.pricedStep());
        if (isSteady(step) && (typical == nullptr || off_ns < nearest_ns)) {
            typical = &step;
            nearest_ns = off_ns;
        }
    }
    return typical;
}

std::optional<PhasePlace> placeOfPhase(const AnalysedRun& run, Phase phase) {
    const RunFacts& facts = run.facts;
    const RunStep* const typical = typicalStep(facts);
    const auto own = typical != nullptr ? typical->of(typical->critical_rank) : std::nullopt;
    if (!own || typical->critical_rank >= facts.ranks.size()) {
        return std::nullopt;
    }
    const RankPhases& phases = facts.ranks[typical->critical_rank].phases;
    if (*own >= phases.spans.size()) {
        return std::nullopt;
    }
    std::optional<TimeSpan> all;
    for (const PhaseSpan& part : phases.spans[*own]) {
        if (part.phase == phase) {
            all = unitedSpan(all, part.span);
        }
    }
    if (!all) {
        all = onHost(*run.run->ranks[typical->critical_rank], facts.ranks[typical->critical_rank].steps[*own], phase);
    }
    return all ? std::optional(PhasePlace{typical->critical_rank, *all}) : std::nullopt;
}

SliceRef markOfLatestStep(const RunFacts& facts, RankPosition rank) {
    if (rank >= facts.stragglers.ranks.size() || facts.stragglers.ranks[rank].steps.empty()) {
        return {};
    }
    const auto& steps = facts.stragglers.ranks[rank].steps;
    const auto latest = std::ranges::max_element(steps, {}, &SegmentTime::late_ns);
    const RankStep* const step = facts.stepOf(facts.steps[latest->step], rank);
    return step != nullptr ? step->mark : SliceRef();
}

}  // namespace rankscope::ui
