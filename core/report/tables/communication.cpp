// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/communication.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/analysis/collectives/transfer_statistics.h"
#include "core/analysis/device/overlap_efficiency.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

constexpr const char* kNotTold = "-";

std::string groupLabel(const CollectiveFacts& facts, std::uint32_t group) {
    const CollectiveGroup& of = facts.groups[group];
    const std::string& name = of.description.empty() ? of.name : of.description;
    return name.empty() ? fmt::format("group {}", group) : printable(name);
}

std::string linkText(Link link) {
    switch (link) {
        case Link::InsideHost: return "inside a host";
        case Link::AcrossHosts: return "across hosts";
        case Link::Unknown: break;
    }
    return "hosts not known";
}

std::string messageBytes(std::int64_t bytes) {
    return formatBytes(static_cast<std::uint64_t>(bytes));
}

std::string bandwidthOr(const std::optional<double>& gb_per_s) {
    constexpr double kGiga = 1e9;
    return gb_per_s ? formatBandwidth(*gb_per_s * kGiga) : kNotTold;
}

/// The sizes of a fit with this mark, as a list; empty if there are none.
std::string sizesMarked(const TransferFit& fit, SizeMark mark) {
    constexpr std::size_t kMost = 6;
    std::string out;
    std::size_t count = 0;
    for (const TransferSize& size : fit.measured) {
        if (size.mark == mark && ++count <= kMost) {
            out += (out.empty() ? "" : ", ") + messageBytes(size.bytes);
        }
    }
    return count > kMost ? out + fmt::format(" and {} more", count - kMost) : out;
}

void sayMarks(const std::string& title, const TransferFit& fit, std::vector<std::string>& lines) {
    const std::string latency = sizesMarked(fit, SizeMark::LatencyBound);
    const std::string slower = sizesMarked(fit, SizeMark::Slower);
    const std::string faster = sizesMarked(fit, SizeMark::Faster);
    if (!latency.empty()) {
        lines.push_back(
            fit.tellsBandwidth()
                ? fmt::format("{}: bound by latency at {}, so this says nothing about bandwidth.", title, latency)
                : fmt::format("{}: bound by latency at all sizes ({}), so they show no bandwidth.", title, latency));
    }
    if (!slower.empty()) {
        lines.push_back(
            fmt::format("{}: over a fifth slower than the line: {}. Perhaps they are split, use another protocol, or "
                        "share the link.",
                        title, slower));
    }
    if (!faster.empty()) {
        lines.push_back(fmt::format(
            "{}: over a fifth faster than the line, perhaps by another protocol or algorithm: {}.", title, faster));
    }
}

void sayAlgorithms(const std::string& title, const TransferFit& fit, const FittedLink& link,
                   std::vector<std::string>& lines) {
    if (!predicts(link) || fit.kind != CollectiveKind::AllReduce) {
        return;
    }
    std::string where;
    for (const std::size_t times : kPredictedTimes) {
        const std::size_t ranks = times * link.ranks;
        if (const std::optional<std::int64_t> up_to = link.model->treeUpTo(ranks)) {
            where +=
                fmt::format("{}{} among {} ranks", where.empty() ? "" : ", ", messageBytes(*up_to), formatCount(ranks));
        }
    }
    const std::string taken =
        link.algorithm_told ? "" : " (the kernels do not name their algorithm; a ring is assumed)";
    lines.push_back(where.empty()
                        ? fmt::format("{}: a ring is quicker than a tree at every size{}.", title, taken)
                        : fmt::format("{}: a tree should be quicker than a ring up to {}{}.", title, where, taken));
}

}  // namespace

std::string fitTitle(const AnalysedRun& run, const FittedLink& link) {
    const CollectiveFacts& facts = run.facts.collectives;
    const TransferFit& fit = facts.fits[link.fit];
    const std::string ranks = link.ranks > 0 ? ", " + formatCounted(link.ranks, "rank") : "";
    return fmt::format("{} in {}{}, {}", collectiveKindName(fit.kind), groupLabel(facts, fit.group), ranks,
                       linkText(link.link));
}

bool predicts(const FittedLink& link) {
    return link.model && link.bus_gb_per_s;
}

std::string noFitText(const AnalysedRun& run) {
    switch (whyNoFit(run.facts.collectives.collectives)) {
        case NoFit::OneSize: return "No fit: all transfers of a kind in a group have the same size.";
        case NoFit::TooAlike: return "No fit: in no group is the largest transfer of a kind twice the smallest.";
        case NoFit::NoRise: return "No fit: larger transfers of a kind in a group take no longer than smaller ones.";
        case NoFit::NothingTold: break;
    }
    return "No fit: no collective shows both its size and its transfer time.";
}

DataTable transferFitsTable(const AnalysedRun& run) {
    DataTable table{"transfer_fits",
                    {{"run", "run", Unit::Name},
                     {"fit", "fit", Unit::Number},
                     {"kind", "kind", Unit::Word},
                     {"group", "group", Unit::Number},
                     {"group_name", "group name", Unit::Name},
                     {"link", "link", Unit::Word},
                     {"ranks", "ranks", Unit::Count},
                     {"sizes", "sizes", Unit::Count},
                     {"samples", "transfers", Unit::Count},
                     {"latency_ns", "latency", Unit::Duration},
                     {"algorithm_gb_per_s", "algorithm bandwidth", Unit::GbPerSecond},
                     {"bus_gb_per_s", "bus bandwidth", Unit::GbPerSecond},
                     {"r2", "R²", Unit::Decimal},
                     {"mean_error", "mean error", Unit::Share},
                     {"largest_error", "largest error", Unit::Share},
                     {"algorithm", "algorithm", Unit::Word},
                     {"algorithm_told", "named by the kernel", Unit::Flag},
                     {"hop_ns", "per hop", Unit::Decimal},
                     {"link_gb_per_s", "link", Unit::GbPerSecond},
                     {"efficiency", "of the link", Unit::Share},
                     {"link_source", "source", Unit::Text}},
                    {}};
    const CollectiveFacts& facts = run.facts.collectives;
    for (const FittedLink& link : fittedLinks(run)) {
        const TransferFit& fit = facts.fits[link.fit];
        table.rows.push_back({run.run->name,
                              numberCell(link.fit),
                              std::string(collectiveKindName(fit.kind)),
                              numberCell(fit.group),
                              textCell(facts.groups[fit.group].name),
                              std::string(linkName(link.link)),
                              link.ranks > 0 ? numberCell(link.ranks) : Cell(),
                              numberCell(fit.sizes),
                              numberCell(fit.samples),
                              fit.latency_ns,
                              fit.gb_per_s,
                              cellOf(link.bus_gb_per_s),
                              cellOf(fit.r2),
                              fit.tellsErrors() ? Cell(fit.mean_error) : Cell(),
                              fit.tellsErrors() ? Cell(fit.largest_error) : Cell(),
                              std::string(algorithmName(link.algorithm)),
                              link.algorithm_told,
                              link.model ? Cell(link.model->hop_ns) : Cell(),
                              cellOf(link.link_gb_per_s),
                              cellOf(link.efficiency()),
                              textCell(link.link_source)});
    }
    return table;
}

DataTable transferSizesTable(const AnalysedRun& run) {
    DataTable table{"transfer_sizes",
                    {{"run", "run", Unit::Name},
                     {"fit", "fit", Unit::Number},
                     {"kind", "kind", Unit::Word},
                     {"group", "group", Unit::Number},
                     {"bytes", "bytes", Unit::Bytes},
                     {"samples", "transfers", Unit::Count},
                     {"transfer_ns", "measured", Unit::Duration},
                     {"fitted_ns", "predicted", Unit::Duration},
                     {"error", "error", Unit::Share},
                     {"mark", "mark", Unit::Word}},
                    {}};
    const std::vector<TransferFit>& fits = run.facts.collectives.fits;
    for (std::size_t i = 0; i < fits.size(); ++i) {
        for (const TransferSize& size : fits[i].measured) {
            const std::optional<double> error = shareOf(size.fitted_ns - size.transfer_ns, size.transfer_ns);
            table.rows.push_back({run.run->name, numberCell(i), std::string(collectiveKindName(fits[i].kind)),
                                  numberCell(fits[i].group), size.bytes, numberCell(size.samples), size.transfer_ns,
                                  size.fitted_ns, cellOf(error), std::string(sizeMarkName(size.mark))});
        }
    }
    return table;
}

DataTable predictionsTable(const AnalysedRun& run) {
    DataTable table{"predictions",
                    {{"run", "run", Unit::Name},
                     {"fit", "fit", Unit::Number},
                     {"kind", "kind", Unit::Word},
                     {"ranks", "ranks", Unit::Count},
                     {"bytes", "bytes", Unit::Bytes},
                     {"ring_ns", "ring", Unit::Duration},
                     {"tree_ns", "tree", Unit::Duration},
                     {"direct_ns", "direct", Unit::Duration},
                     {"better", "better", Unit::Word}},
                    {}};
    for (const FittedLink& link : fittedLinks(run)) {
        const CollectiveKind kind = run.facts.collectives.fits[link.fit].kind;
        for (const std::size_t times : kPredictedTimes) {
            const std::size_t ranks = times * link.ranks;
            for (std::int64_t bytes = kLeastPredicted; predicts(link) && bytes <= kMostPredicted;
                 bytes *= kPredictedFactor) {
                const auto by = [&](Algorithm algorithm) {
                    return cellOf(link.model->predict(kind, algorithm, ranks, bytes));
                };
                table.rows.push_back({run.run->name, numberCell(link.fit), std::string(collectiveKindName(kind)),
                                      numberCell(ranks), bytes, by(Algorithm::Ring), by(Algorithm::Tree),
                                      by(Algorithm::Direct),
                                      std::string(algorithmName(link.model->better(kind, ranks, bytes)))});
            }
        }
    }
    return table;
}

DataTable overlapTable(const AnalysedRun& run) {
    DataTable table{"overlap",
                    rankColumns({{"step", "step", Unit::Number},
                                 {"duration_ns", "step time", Unit::Duration},
                                 {"hidden_comm_ns", "hidden comm", Unit::Duration},
                                 {"exposed_comm_ns", "exposed comm", Unit::Duration},
                                 {"overlap_efficiency", "overlap efficiency", Unit::Share},
                                 {"best_step_ns", "all hidden", Unit::Duration},
                                 {"worst_step_ns", "none hidden", Unit::Duration}}),
                    {}};
    for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
        for (const RankStep& step : run.facts.ranks[position].steps) {
            if (const std::optional<OverlapEfficiency> overlap = overlapOf(step)) {
                std::vector<Cell> row = {run.run->name};
                putRank(row, run, position);
                row.insert(row.end(), {step.index, overlap->step_ns, overlap->hidden_ns, overlap->exposed_ns,
                                       overlap->efficiency(), overlap->bestStep(), overlap->worstStep()});
                table.rows.push_back(std::move(row));
            }
        }
    }
    return table;
}

Table fitTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"", "sizes", "latency", "bus bandwidth", "R²", "mean error", "largest", "of the link"};
    const std::vector<FittedLink> links = fittedLinks(run);
    for (std::size_t i = 0; i < std::min(rows, links.size()); ++i) {
        const TransferFit& fit = run.facts.collectives.fits[i];
        table.rows.push_back({fitTitle(run, links[i]), formatCount(fit.sizes), formatDuration(fit.latency_ns),
                              bandwidthOr(links[i].bus_gb_per_s), fit.r2 ? formatDecimal(*fit.r2, 3) : kNotTold,
                              fit.tellsErrors() ? formatPercent(fit.mean_error) : kNotTold,
                              fit.tellsErrors() ? formatPercent(fit.largest_error) : kNotTold,
                              links[i].efficiency() ? formatPercent(*links[i].efficiency()) : kNotTold});
    }
    return table;
}

std::vector<std::string> fitLines(const AnalysedRun& run, std::size_t rows) {
    const std::vector<FittedLink> links = fittedLinks(run);
    std::vector<std::string> lines;
    bool unknown_speed = false;
    for (std::size_t i = 0; i < std::min(rows, links.size()); ++i) {
        const TransferFit& fit = run.facts.collectives.fits[i];
        const std::string title = fitTitle(run, links[i]);
        sayMarks(title, fit, lines);
        sayAlgorithms(title, fit, links[i], lines);
        unknown_speed = unknown_speed || !links[i].link_gb_per_s;
    }
    if (rows < links.size()) {
        lines.push_back(fmt::format("And {} more, in --json.", formatCount(links.size() - rows)));
    }
    if (unknown_speed) {
        lines.emplace_back(
            "The link's bandwidth is not known across hosts, nor where hosts or GPUs are not recorded. Enter "
            "--link-speed inside=GB or across=GB.");
    }
    return lines;
}

std::string fitNote() {
    return "Transfer = latency + bytes / bandwidth, fitted on the median transfer of each size. A transfer starts when "
           "the last rank arrives. Bus bandwidth is as in nccl-tests. The error is |measured - predicted| / measured.";
}

Table overlapByRank(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"", "step", "comm hidden", "comm exposed", "overlap efficiency", "all hidden", "none hidden"};
    for (RankPosition position{0}; position < run.facts.ranks.size() && table.rows.size() < rows; ++position) {
        const std::optional<OverlapEfficiency> sum = overlapOf(run.facts.ranks[position]);
        if (!sum) {
            continue;
        }
        const auto mean = [&sum](DurationNs ns) { return formatDuration(ns / static_cast<DurationNs>(sum->steps)); };
        table.rows.push_back({rankLabel(*run.run->ranks[position], position), mean(sum->step_ns), mean(sum->hidden_ns),
                              mean(sum->exposed_ns), formatPercent(sum->efficiency()), mean(sum->bestStep()),
                              mean(sum->worstStep())});
    }
    return table;
}

std::string overlapNote(const AnalysedRun& run, std::size_t rows) {
    std::string note =
        "Means of each rank's complete, steady-state steps. Overlap efficiency: of the communication that compute "
        "could hide, the share that is hidden. The last two columns are the step if all of that, or none, were hidden.";
    // Prices leave out the first step if enough others follow it.
    const auto steady = static_cast<std::size_t>(std::ranges::count_if(run.facts.steps, isSteady));
    const std::size_t priced = pricedSteps(run.facts.steps).size();
    if (priced < steady) {
        note += fmt::format(" They use {}. Prices and statistics over ranks use {}: those that follow another step.",
                            formatCounted(steady, "step"), formatCount(priced));
    }
    const auto ranks = static_cast<std::size_t>(
        std::ranges::count_if(run.facts.ranks, [](const RankFacts& rank) { return overlapOf(rank).has_value(); }));
    if (ranks > rows) {
        note += fmt::format(" And {} more ranks, in --json.", formatCount(ranks - rows));
    }
    return note;
}

}  // namespace rankscope::report
