// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/tables/missing_share.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

std::string percentOrDash(const std::optional<double>& share) {
    return share ? precisePercent(*share) : "-";
}

/// The start of a long text.
std::string shapesText(std::string_view written) {
    constexpr std::size_t kLongest = 40;
    const std::string text = sizesText(written);
    return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

/// A number with three digits, without an exponent however small it is.
std::string digitsText(const std::optional<double>& value) {
    constexpr double kWrittenOut = 1e-4;  // below this the general format uses an exponent
    constexpr double kLeast = 1e-9;
    if (!value || *value >= kWrittenOut || *value < kLeast) {
        return value ? fmt::format("{:.3g}", *value) : "-";
    }
    return fmt::format("{:.{}f}", *value, 2 - static_cast<int>(std::floor(std::log10(*value))));
}

/// "35.3 MFLOP/s" if it is far below a TFLOP/s.
std::string rateText(const std::optional<double>& tflops) {
    constexpr double kTera = 1e12;
    constexpr double kInTera = 0.01;
    return tflops && *tflops > 0 && *tflops < kInTera ? cellText(*tflops * kTera, Unit::Flops) + "/s"
                                                      : digitsText(tflops) + " TFLOP/s";
}

std::string whyNoFlops(NoFlops why, bool entered) {
    const std::string_view or_enter = entered ? "" : ", or enter --params and --tokens, or --model-flops";
    switch (why) {
        case NoFlops::NoDevice: return "No GPU work was recorded.";
        case NoFlops::NoShapes:
            return fmt::format(
                "Cannot tell: operators multiply matrices, but the shapes of their inputs were not recorded. Record "
                "with record_shapes=True (and with_flops=True){}.",
                or_enter);
        case NoFlops::Untold:
            return fmt::format(
                "Cannot tell: operators that multiply matrices launched GPU work, but their recorded inputs do not "
                "show how much. Record with record_shapes=True and with_flops=True (PyTorch 2.1 or later){}.",
                or_enter);
        case NoFlops::NoLaunch: break;
    }
    return fmt::format(
        "Cannot tell: no operator that multiplies matrices launched GPU work. CUDA graphs, compiled code and operators "
        "of other libraries hide them. Record the job without these{}.",
        or_enter);
}

/// "float32 15.7, float16 125": the peaks of the types that were multiplied.
std::string peaksText(const RankEfficiency& rank) {
    std::string text;
    for (std::size_t i = 0; i < kNumberTypes; ++i) {
        const auto type = static_cast<NumberType>(i);
        if (rank.counted.flops[type] > 0) {
            const std::optional<double> peak = rank.peak ? rank.peak->tflops[type] : std::nullopt;
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", numberTypeName(type),
                                peak ? fmt::format("{:g}", *peak) : "unknown");
        }
    }
    return text;
}

/// The first rank that multiplied anything.
const RankEfficiency* firstCounted(const EfficiencyFacts& facts) {
    const auto at = std::ranges::find_if(facts.ranks, [](const RankEfficiency& rank) {
        return rank.counted.model_flops + rank.counted.recomputed_flops > 0;
    });
    return at != facts.ranks.end() ? &*at : nullptr;
}

std::string peakLine(const RankEfficiency& rank) {
    const std::string device = rank.device.empty() ? "a GPU that the file does not name" : printable(rank.device);
    if (!rank.rated) {
        return fmt::format("The peak of {} is not known ({}). Enter --peak-tflops to get MFU and HFU.", device,
                           peaksText(rank));
    }
    return fmt::format("Peak of {} in dense TFLOP/s: {} ({}).", device, peaksText(rank), rank.peak->source);
}

std::string utilizationLine(const EfficiencyFacts& facts) {
    const StepEfficiency& total = facts.total;
    std::string line = facts.mfu() ? fmt::format("MFU {}, HFU {}: ", precisePercent(*facts.mfu()),
                                                 precisePercent(facts.hfu().value_or(0)))
                                   : std::string();
    line += fmt::format("{} counted products reach {} per GPU over the whole step", facts.mfu() ? "the" : "The",
                        rateText(total.tflops()));
    if (total.recomputed_flops > 0) {
        line += fmt::format(", {} of all FLOPs are recomputed in the backward",
                            formatPercent(total.recomputed_flops / (total.model_flops + total.recomputed_flops)));
    }
    return line + ".";
}

std::string coverageOfFlops(const StepEfficiency& total) {
    std::string line =
        fmt::format("Counted operators take {} of the GPU's compute time", percentOrDash(total.countedShare()));
    if (total.tensor_ns + total.plain_ns > 0) {
        line += fmt::format("; by kernel names, {} of their time is on tensor cores, {} is not",
                            formatPercent(static_cast<double>(total.tensor_ns) / static_cast<double>(total.counted_ns)),
                            formatPercent(static_cast<double>(total.plain_ns) / static_cast<double>(total.counted_ns)));
    }
    return line + ".";
}

std::string enteredLine(const EnteredEfficiency& entered) {
    const std::string step = fmt::format("Entered: {} per step of {} on {}", cellText(entered.step_flops, Unit::Flops),
                                         formatDuration(entered.step_ns), formatCounted(entered.devices, "GPU"));
    const std::string_view sample =
        entered.one_sample ? " These FLOPs are of 1 sample: enter the samples per step with --batch." : "";
    if (!entered.mfu) {
        return fmt::format("{}: the peak is not known; enter --peak-tflops.{}", step, sample);
    }
    const std::string_view doubt =
        *entered.mfu > 1 ? ", more than the GPU can do: the entered work, batch or peak is wrong" : "";
    return fmt::format("{}: MFU {} of {:g} TFLOP/s each{}.{}", step, precisePercent(*entered.mfu),
                       entered.peak_tflops.value_or(0), doubt, sample);
}

}  // namespace

DurationNs missingProducts(const EfficiencyFacts& facts) {
    DurationNs missing_ns = 0;
    for (const UncountedKernel& kernel : facts.uncounted) {
        missing_ns += kernel.multiplies ? kernel.time_ns : 0;
    }
    return missing_ns;
}

std::string ratedPeaks(const EfficiencyFacts& facts) {
    const RankEfficiency* const rank = firstCounted(facts);
    return rank == nullptr ? std::string() : peaksText(*rank);
}

std::vector<std::string> efficiencyLines(const AnalysedRun& run) {
    const EfficiencyFacts& facts = run.facts.efficiency;
    std::vector<std::string> lines;
    if (facts.no_flops) {
        lines.push_back(whyNoFlops(*facts.no_flops, facts.entered.has_value()));
    } else if (const RankEfficiency* const rank = firstCounted(facts)) {
        lines.push_back(utilizationLine(facts));
        lines.push_back(peakLine(*rank));
        lines.push_back(coverageOfFlops(facts.total));
        const UntoldFlops untold = untoldFlops(facts);
        const std::optional<double> missing = shareOf(untold.kernels_ns, facts.total.compute_ns);
        if (missing.value_or(0) >= kMissingToldFrom) {
            lines.push_back(
                fmt::format("Kernels that multiply, by their names, but have no operator that shows how much, take {} "
                            "of it. Their FLOPs are missing, so {} lower bounds.",
                            percentOrDash(missing), facts.mfu() ? "MFU and HFU are" : "the TFLOP/s are"));
        }
        if (untold.operators > 0) {
            lines.push_back(fmt::format(
                "{} could not be counted: {}.", formatCounted(untold.operators, "operator"),
                untold.operators == 1 ? "its inputs do not show its work" : "their inputs do not show their work"));
        }
    }
    if (facts.entered) {
        lines.push_back(enteredLine(*facts.entered));
    }
    return lines;
}

Table efficiencyTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"", "FLOPs per step", "recomputed", "TFLOP/s", "MFU", "HFU", "counted", "tensor cores"};
    table.left_columns = 1;
    const EfficiencyFacts& facts = run.facts.efficiency;
    if (!facts.any()) {
        return table;
    }
    for (RankPosition position{0}; position < std::min(rows, facts.ranks.size()); ++position) {
        const RankEfficiency& rank = facts.ranks[position];
        const StepEfficiency& sum = rank.counted;
        const double steps = static_cast<double>(std::max<std::size_t>(1, rank.counted_steps));
        table.rows.push_back(
            {rankLabel(*run.run->ranks[position], position), cellText(sum.model_flops / steps, Unit::Flops),
             cellText(sum.recomputed_flops / steps, Unit::Flops), digitsText(sum.tflops()),
             rank.rated ? percentOrDash(sum.mfu()) : "-", rank.rated ? percentOrDash(sum.hfu()) : "-",
             percentOrDash(sum.countedShare()), percentOrDash(shareOf(sum.tensor_ns, sum.counted_ns))});
    }
    return table;
}

Table missingShareTable(const AnalysedRun& run) {
    Table table;
    table.header = {"of the GPU's time", "per step and rank", "share"};
    table.left_columns = 1;
    if (!run.facts.efficiency.any()) {
        return table;
    }
    const MissingShare share = missingShare(run);
    const auto add = [&](const std::string& title, DurationNs ns) {
        table.rows.push_back({title, formatDuration(meanOfAStep(ns, share.steps).value_or(0)),
                              percentOrDash(shareOf(ns, share.time_ns))});
    };
    for (const MissingPart& part : share.parts) {
        add(missingPartTitle(part), part.ns);
    }
    add("Total: the step", share.time_ns);
    return table;
}

Table productTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"operator", "shapes",  "type",       "calls",    "time",
                    "TFLOP/s",  "of peak", "FLOPs/byte", "bound by", "tensor cores"};
    table.left_columns = 3;
    const std::vector<ProductRow>& products = run.facts.efficiency.products;
    for (std::size_t i = 0; i < std::min(rows, products.size()); ++i) {
        const ProductRow& row = products[i];
        table.rows.push_back({printable(row.name) + (row.recomputed ? " (recomputed)" : ""), shapesText(row.shapes),
                              std::string(numberTypeName(row.type)), formatCount(row.calls),
                              formatDuration(row.time_ns), digitsText(row.tflops()), percentOrDash(row.ofPeak()),
                              digitsText(row.intensity()),
                              row.bound() ? std::string(roofBoundName(*row.bound())) : "cannot tell",
                              row.tensor_cores ? (*row.tensor_cores ? "yes" : "no") : "cannot tell"});
    }
    return table;
}

Table uncountedTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"kernels without counted FLOPs", "calls", "time"};
    table.left_columns = 1;
    const EfficiencyFacts& facts = run.facts.efficiency;
    for (std::size_t i = 0; facts.any() && i < std::min(rows, facts.uncounted.size()); ++i) {
        const UncountedKernel& row = facts.uncounted[i];
        table.rows.push_back({shortName(row.name) + (row.multiplies ? " (multiplies)" : ""), formatCount(row.calls),
                              formatDuration(row.time_ns)});
    }
    return table;
}

std::string efficiencyNote() {
    return "Over the complete, steady-state steps of all ranks. FLOPs are of matrix products, convolutions and "
           "attention, from recorded shapes. MFU is their time at the peak of their number types over the step time. "
           "HFU also counts what is recomputed.";
}

}  // namespace rankscope::report
