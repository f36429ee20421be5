// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/efficiency/communication_page.h"

#include <QStringList>
#include <algorithm>
#include <cctype>
#include <utility>

#include "core/base/format.h"
#include "core/report/model/bucket_tables.h"
#include "core/report/model/communication.h"
#include "ui/efficiency/efficiency_words.h"
#include "ui/panels/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

using report::Cell;
using report::DataTable;
using report::Unit;

const QString kDotBetween = QStringLiteral("  ·  ");

/// The titles of columns as all tables of the window have them; an option stays as it is typed.
DataTable withGreatTitles(DataTable table) {
    for (report::Column& column : table.columns) {
        if (column.title.find('_') == std::string::npos && !column.title.empty()) {
            column.title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(column.title.front())));
        }
    }
    return table;
}

/// As report::transferFitsTable(), with what a person calls each fit in one cell.
DataTable fitsTable(const AnalysedRun& run, const std::vector<FittedLink>& links) {
    DataTable table{"transfer_fits",
                    {{"title", "Transfers of", Unit::Text},
                     {"latency_ns", "latency", Unit::Duration},
                     {"bus_gb_per_s", "bus bandwidth", Unit::GbPerSecond},
                     {"efficiency", "of the link", Unit::Share},
                     {"r2", "R²", Unit::Decimal},
                     {"mean_error", "mean error", Unit::Share},
                     {"largest_error", "largest error", Unit::Share},
                     {"sizes", "sizes", Unit::Count},
                     {"samples", "transfers", Unit::Count}},
                    {}};
    for (const FittedLink& link : links) {
        const TransferFit& fit = run.facts.collectives.fits[link.fit];
        table.rows.push_back({report::fitTitle(run, link), fit.latency_ns, report::cellOf(link.bus_gb_per_s),
                              report::cellOf(link.efficiency()), report::cellOf(fit.r2),
                              fit.tellsErrors() ? Cell(fit.mean_error) : Cell(),
                              fit.tellsErrors() ? Cell(fit.largest_error) : Cell(), report::numberCell(fit.sizes),
                              report::numberCell(fit.samples)});
    }
    return table;
}

DataTable overlapTable(const AnalysedRun& run, const std::vector<OverlapBar>& bars) {
    DataTable table{"overlap",
                    {{"title", "Of a step", Unit::Text},
                     {"efficiency", "hidden of what can be", Unit::Share},
                     {"hidden_ns", "hidden", Unit::Duration},
                     {"exposed_ns", "exposed", Unit::Duration},
                     {"step_ns", "step", Unit::Duration},
                     {"best_ns", "all hidden", Unit::Duration},
                     {"worst_ns", "none hidden", Unit::Duration}},
                    {}};
    for (const OverlapBar& bar : bars) {
        const OverlapEfficiency& of = bar.overlap;
        const std::string title = bar.step ? "step " + std::to_string(run.facts.ranks[bar.rank].steps[*bar.step].index)
                                           : rankLabel(*run.run->ranks[bar.rank], bar.rank);
        table.rows.push_back({title, of.efficiency(), bar.mean(of.hidden_ns), bar.mean(of.exposed_ns),
                              bar.mean(of.step_ns), bar.mean(of.bestStep()), bar.mean(of.worstStep())});
    }
    return table;
}

/// Which of ring and tree is predicted to be quicker among so many ranks, and up to which size.
QString quickerAmong(const LinkModel& model, std::size_t ranks) {
    const std::optional<std::int64_t> tree_up_to = model.treeUpTo(ranks);
    const QString among = count(ranks);
    return tree_up_to ? QObject::tr("among %1 a tree is quicker up to %2")
                            .arg(among, text(formatBytes(static_cast<std::uint64_t>(*tree_up_to))))
                      : QObject::tr("among %1 a ring is quicker").arg(among);
}

}  // namespace

std::shared_ptr<const CommunicationPage> makeCommunicationPage(const std::shared_ptr<const AnalysedRun>& run,
                                                               std::optional<RankPosition> rank) {
    auto page = std::make_shared<CommunicationPage>();
    page->of = run;
    page->rank = rank;
    page->links = fittedLinks(*run);
    page->bars = overlapBars(*run, rank);
    page->fits = std::make_shared<const DataTable>(withGreatTitles(fitsTable(*run, page->links)));
    page->overlap = std::make_shared<const DataTable>(withGreatTitles(overlapTable(*run, page->bars)));
    page->caps = std::make_shared<const DataTable>(withGreatTitles(
        report::bucketCapsTable(*run).only({"bucket_cap_mb", "buckets", "step_ns", "error_ns", "saving_ns", "best"})));
    page->buckets = std::make_shared<const DataTable>(
        withGreatTitles(report::bucketsTable(*run).only({"order", "bytes", "ready_ns", "transfer_ns"})));
    return page;
}

CommunicationHead fitHead(const CommunicationPage& page, std::size_t fit, std::size_t times) {
    if (fit >= page.links.size()) {
        return {QObject::tr("No latency and bandwidth can be told"), {}};  // the empty chart says why
    }
    const FittedLink& link = page.links[fit];
    const TransferFit& of = page.of->facts.collectives.fits[fit];
    CommunicationHead head;
    head.title = coreText(report::fitTitle(*page.of, link));
    head.title.front() = head.title.front().toUpper();  // it begins with the kind of collective
    QStringList about{QObject::tr("latency %1").arg(duration(of.latency_ns))};
    if (link.bus_gb_per_s && link.link_gb_per_s) {
        about << QObject::tr("%1 of the link's %2")
                     .arg(text(formatBandwidth(*link.bus_gb_per_s * 1e9)),
                          text(formatBandwidth(*link.link_gb_per_s * 1e9)));
    } else if (link.bus_gb_per_s) {
        about << QObject::tr("%1 of a link that is not known").arg(text(formatBandwidth(*link.bus_gb_per_s * 1e9)));
    }
    if (of.r2) {
        about << QObject::tr("R² %1").arg(text(formatDecimal(*of.r2, 3)));
    }
    if (!of.tellsBandwidth()) {
        about << QObject::tr("all sizes bound by latency: no bandwidth can be read off them");
    }
    about << (of.tellsErrors()
                  ? QObject::tr("%1 off on average, %2 at most").arg(percent(of.mean_error), percent(of.largest_error))
                  : QObject::tr("a line through two sizes"));
    if (report::predicts(link) && costsOf(of.kind, Algorithm::Tree, times * link.ranks)) {
        about << quickerAmong(*link.model, times * link.ranks);
    }
    head.about = about.join(kDotBetween);
    return head;
}

CommunicationHead overlapHead(const CommunicationPage& page) {
    OverlapEfficiency all;
    for (const OverlapBar& bar : page.bars) {
        all += bar.overlap;
    }
    if (page.bars.empty() || all.most_ns == all.least_ns) {
        return {QObject::tr("Nothing is hidden, and nothing could be"), {}};
    }
    const auto mean = [&all](DurationNs ns) {
        return duration(ns / static_cast<DurationNs>(std::max<std::size_t>(1, all.steps)));
    };
    return {QObject::tr("%1 of what could be hidden is hidden").arg(percent(all.efficiency())),
            QStringList{QObject::tr("a step has %1 hidden, %2 exposed").arg(mean(all.hidden_ns), mean(all.exposed_ns)),
                        QObject::tr("it takes %1: %2 with all of it hidden, %3 with none")
                            .arg(mean(all.step_ns), mean(all.bestStep()), mean(all.worstStep()))}
                .join(kDotBetween)};
}

CommunicationHead bucketsHead(const CommunicationPage& page) {
    const auto& forecast = page.of->diagnosis.buckets;
    if (!forecast) {
        return {QObject::tr("No gradient buckets"), {}};
    }
    CommunicationHead head;
    if (!forecast->reason.empty()) {
        head.title = QObject::tr("What other sizes would make of the step cannot be told");
    } else if (forecast->best) {
        const BucketCap& best = forecast->caps[*forecast->best];
        head.title = QObject::tr("bucket_cap_mb=%1: %2 instead of %3")
                         .arg(best.mb)
                         .arg(duration(best.step_ns), duration(forecast->step_ns));
    } else {
        head.title = QObject::tr("Today's bucket size is as good as any");
    }
    QStringList lines;
    for (const std::string& line : report::bucketLines(*page.of)) {
        lines << coreText(line);
    }
    head.about = lines.join(QLatin1Char(' '));
    return head;
}

}  // namespace rankscope::ui
