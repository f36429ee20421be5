// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/communication_page.h"

#include <QStringList>
#include <algorithm>
#include <cctype>
#include <utility>

#include "core/base/format.h"
#include "core/report/tables/bucket_tables.h"
#include "core/report/tables/communication.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

using report::Cell;
using report::DataTable;
using report::Unit;

const QString kDotBetween = QStringLiteral("  ·  ");

/// The titles of columns with capital letters, like all tables of the window; an option stays as it is typed.
DataTable withGreatTitles(DataTable table) {
    for (report::Column& column : table.columns) {
        if (column.title.find('_') == std::string::npos && !column.title.empty()) {
            column.title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(column.title.front())));
        }
    }
    return table;
}

/// Like report::transferFitsTable(), with the name of each fit in one cell.
DataTable fitsTable(const AnalysedRun& run, const std::vector<FittedLink>& links) {
    DataTable table{"transfer_fits",
                    {{"title", "Transfers", Unit::Text},
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
                    {{"title", "Rank/step", Unit::Text},
                     {"efficiency", "overlap efficiency", Unit::Share},
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

/// Whether ring or tree is predicted to be faster on `ranks` ranks, and up to which size.
QString quickerAmong(const LinkModel& model, std::size_t ranks) {
    const std::optional<std::int64_t> tree_up_to = model.treeUpTo(ranks);
    const QString among = count(ranks);
    return tree_up_to ? QObject::tr("on %1 ranks a tree is faster up to %2")
                            .arg(among, text(formatBytes(static_cast<std::uint64_t>(*tree_up_to))))
                      : QObject::tr("on %1 ranks a ring is faster").arg(among);
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
        return {QObject::tr("Latency and bandwidth unknown"), {}};  // the empty chart says why
    }
    const FittedLink& link = page.links[fit];
    const TransferFit& of = page.of->facts.collectives.fits[fit];
    CommunicationHead head;
    head.title = coreText(report::fitTitle(*page.of, link));
    head.title.front() = head.title.front().toUpper();  // it starts with the kind of collective
    QStringList about{QObject::tr("latency %1").arg(duration(of.latency_ns))};
    if (link.bus_gb_per_s && link.link_gb_per_s) {
        about << QObject::tr("%1 of the link's %2")
                     .arg(text(formatBandwidth(*link.bus_gb_per_s * 1e9)),
                          text(formatBandwidth(*link.link_gb_per_s * 1e9)));
    } else if (link.bus_gb_per_s) {
        about << QObject::tr("%1, link speed unknown").arg(text(formatBandwidth(*link.bus_gb_per_s * 1e9)));
    }
    if (of.r2) {
        about << QObject::tr("R² %1").arg(text(formatDecimal(*of.r2, 3)));
    }
    if (!of.tellsBandwidth()) {
        about << QObject::tr("all sizes are latency-bound: bandwidth unknown");
    }
    about << (of.tellsErrors()
                  ? QObject::tr("mean error %1, largest %2").arg(percent(of.mean_error), percent(of.largest_error))
                  : QObject::tr("fitted to only two sizes"));
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
        return {QObject::tr("Nothing is hidden or could be"), {}};
    }
    const auto mean = [&all](DurationNs ns) {
        return duration(ns / static_cast<DurationNs>(std::max<std::size_t>(1, all.steps)));
    };
    return {QObject::tr("Overlap efficiency %1").arg(percent(all.efficiency())),
            QStringList{QObject::tr("per step %1 hidden, %2 exposed").arg(mean(all.hidden_ns), mean(all.exposed_ns)),
                        QObject::tr("step %1: %2 with all hidden, %3 with none")
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
        head.title = QObject::tr("Effect of other bucket sizes unknown");
    } else if (forecast->best) {
        const BucketCap& best = forecast->caps[*forecast->best];
        head.title = QObject::tr("bucket_cap_mb=%1: %2 instead of %3")
                         .arg(best.mb)
                         .arg(duration(best.step_ns), duration(forecast->step_ns));
    } else {
        head.title = QObject::tr("No other bucket size is better");
    }
    QStringList lines;
    for (const std::string& line : report::bucketLines(*page.of)) {
        lines << coreText(line);
    }
    head.about = lines.join(QLatin1Char(' '));
    return head;
}

}  // namespace rankscope::ui
