// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/rank_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "core/analysis/device/overlap_efficiency.h"
#include "core/analysis/steps/phase_statistics.h"
#include "core/diagnosis/evidence/rank_measures.h"
#include "core/report/tables/run_tables.h"
#include "core/report/tables/step_medians.h"
#include "core/report/words/vocabulary.h"

namespace rankscope::report {
namespace {

/// Which end of the values is worse.
enum class WorseEnd : std::uint8_t { More, Less, Neither };

using ValuesOfRanks = std::vector<std::optional<double>>;

void describeValues(RankStatistic& statistic, WorseEnd worse) {
    double sum = 0;
    for (const std::optional<double>& value : statistic.of) {
        if (value) {
            statistic.min = statistic.ranks == 0 ? *value : std::min(statistic.min, *value);
            statistic.max = statistic.ranks == 0 ? *value : std::max(statistic.max, *value);
            sum += *value;
            ++statistic.ranks;
        }
    }
    const auto count = static_cast<double>(std::max<std::size_t>(1, statistic.ranks));
    statistic.mean = sum / count;
    double squares = 0;
    for (const std::optional<double>& value : statistic.of) {
        squares += value ? (*value - statistic.mean) * (*value - statistic.mean) : 0;
    }
    statistic.deviation = std::sqrt(squares / count);
    if (worse != WorseEnd::Neither && statistic.min < statistic.max) {
        const auto at = std::ranges::find(statistic.of, worse == WorseEnd::More ? statistic.max : statistic.min);
        statistic.worst = RankPosition(at - statistic.of.begin());
    }
}

class StatisticsMaker {
  public:
    explicit StatisticsMaker(const AnalysedRun& run) : run_(run) {
        for (RankPosition r{0}; r < run.facts.ranks.size(); ++r) {
            medians_.push_back(pricedMedians(run.facts, r));
        }
    }

    [[nodiscard]] std::vector<RankStatistic> make() {
        addStep();
        addParts();
        addIdleCauses();
        addPhases();
        addMeasures();
        addEfficiency();
        addMemory();
        return std::move(out_);
    }

  private:
    void add(std::string key, std::string title, Unit unit, ValuesOfRanks values, WorseEnd worse) {
        const bool any = std::ranges::any_of(values, [](const auto& value) { return value && *value != 0; });
        if (any) {
            RankStatistic statistic;
            statistic.key = std::move(key);
            statistic.title = std::move(title);
            statistic.unit = unit;
            statistic.of = std::move(values);
            describeValues(statistic, worse);
            out_.push_back(std::move(statistic));
        }
    }

    /// The value of each rank for which `of` returns one from its medians.
    [[nodiscard]] ValuesOfRanks valuesOf(const std::function<std::optional<double>(const StepMedians&)>& of) const {
        ValuesOfRanks values;
        for (const std::optional<StepMedians>& medians : medians_) {
            values.push_back(medians ? of(*medians) : std::nullopt);
        }
        return values;
    }

    void addStep() {
        add("step_ns", "step", Unit::Duration,
            valuesOf([](const StepMedians& m) { return std::optional(static_cast<double>(m.duration_ns)); }),
            WorseEnd::More);
    }

    void addPart(const char* key, const char* title, std::optional<DurationNs> (*part)(const Partition&),
                 WorseEnd worse = WorseEnd::More) {
        const auto value = [part](const StepMedians& m) -> std::optional<double> {
            const std::optional<DurationNs> ns = m.partition ? part(*m.partition) : std::nullopt;
            return ns ? std::optional(static_cast<double>(*ns)) : std::nullopt;
        };
        add(key, title, Unit::Duration, valuesOf(value), worse);
    }

    void addParts() {
        using P = const Partition&;
        using Length = std::optional<DurationNs>;
        addPart("compute_ns", "compute", [](P p) { return Length(p.compute_ns); });
        addPart("exposed_comm_ns", "exposed comm", [](P p) { return Length(p.exposed_comm_ns); });
        addPart("exposed_transfer_ns", "exposed comm: transfer", [](P p) { return p.exposed_transfer_ns; });
        addPart("exposed_wait_ns", "exposed comm: waiting", [](P p) { return p.exposed_wait_ns; });
        addPart("exposed_copy_ns", "exposed copy", [](P p) { return Length(p.exposed_copy_ns); });
        addPart("idle_ns", "idle", [](P p) { return Length(p.idle_ns); });
        addPart("comm_ns", "comm", [](P p) { return Length(p.comm_ns); });
        addPart("copy_ns", "copy", [](P p) { return Length(p.copy_ns); });
        addPart(
            "overlap_ns", "comm under compute", [](P p) { return Length(p.overlap_ns); }, WorseEnd::Neither);
        add("overlap_share", "comm overlapped", Unit::Share, valuesOf([](const StepMedians& m) { return m.overlap; }),
            WorseEnd::Less);
        add("busy_share", "GPU busy", Unit::Share, valuesOf([](const StepMedians& m) { return m.utilisation; }),
            WorseEnd::Less);
        ValuesOfRanks efficiency;
        for (const RankFacts& rank : run_.facts.ranks) {
            const std::optional<OverlapEfficiency> overlap = overlapOf(rank);
            efficiency.push_back(overlap ? std::optional(overlap->efficiency()) : std::nullopt);
        }
        add("overlap_efficiency", "overlap efficiency", Unit::Share, std::move(efficiency), WorseEnd::Less);
    }

    void addIdleCauses() {
        for (std::size_t i = 0; i < kCauseCount; ++i) {
            const auto cause = static_cast<Cause>(i);
            std::string key(causeName(cause));
            std::ranges::replace(key, '-', '_');
            const auto value = [cause](const StepMedians& m) -> std::optional<double> {
                return m.partition ? std::optional(static_cast<double>(m.idle_causes[cause])) : std::nullopt;
            };
            add("idle_" + key + "_ns", "idle: " + std::string(causeTitle(cause)), Unit::Duration, valuesOf(value),
                WorseEnd::More);
        }
    }

    void addPhases() {
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            const auto phase = static_cast<Phase>(p);
            ValuesOfRanks host;
            ValuesOfRanks device;
            for (const RankFacts& rank : run_.facts.ranks) {
                const std::optional<PhaseStatistics> times = phaseStatistics(rank, phase);
                host.push_back(times ? std::optional(static_cast<double>(times->host.median_ns)) : std::nullopt);
                const bool has_device = times && rank.device >= 0;
                device.push_back(has_device ? std::optional(static_cast<double>(times->device.median_ns))
                                            : std::nullopt);
            }
            const std::string name(phaseName(phase));
            add(name + "_host_ns", name + " on the CPU", Unit::Duration, std::move(host), WorseEnd::More);
            add(name + "_device_ns", name + " on the GPU", Unit::Duration, std::move(device), WorseEnd::More);
        }
    }

    void addMeasure(const char* key, const char* title, Unit unit, RankMeasure measure) {
        ValuesOfRanks values;
        for (const std::optional<std::int64_t>& value : rankValues(run_, measure).of) {
            values.push_back(value ? std::optional(static_cast<double>(*value)) : std::nullopt);
        }
        add(key, title, unit, std::move(values), WorseEnd::More);
    }

    void addMeasures() {
        addMeasure("late_ns", "lateness", Unit::Duration, RankMeasure::Lateness);
        ValuesOfRanks segments(run_.facts.ranks.size());
        for (const RankLateness& rank : run_.facts.stragglers.ranks) {
            segments[rank.rank] = static_cast<double>(rank.segment_ns);
        }
        add("segment_ns", "segment time", Unit::Duration, std::move(segments), WorseEnd::More);
        addMeasure("in_passes_ns", "in passes of the pipeline", Unit::Duration, RankMeasure::InPasses);
        const bool whole = std::ranges::all_of(run_.facts.pipeline.pipelines, &Pipeline::whole);
        addMeasure("bubble_ns", whole ? "bubble of the pipeline" : "bubble of the pipeline, at least", Unit::Duration,
                   RankMeasure::Bubble);
    }

    /// A figure about how well each rank uses its device; nothing for a rank without counted products.
    void addFigure(const char* key, const char* title, Unit unit, bool needs_peak,
                   std::optional<double> (StepEfficiency::*figure)() const) {
        ValuesOfRanks values;
        for (const RankEfficiency& rank : run_.facts.efficiency.ranks) {
            const bool is_known =
                rank.counted.model_flops + rank.counted.recomputed_flops > 0 && (rank.rated || !needs_peak);
            values.push_back(is_known ? (rank.counted.*figure)() : std::nullopt);
        }
        add(key, title, unit, std::move(values), WorseEnd::Less);
    }

    void addEfficiency() {
        addFigure("mfu", "MFU", Unit::Share, true, &StepEfficiency::mfu);
        addFigure("hfu", "HFU", Unit::Share, true, &StepEfficiency::hfu);
        addFigure("tflop_per_s", "achieved TFLOP/s", Unit::Decimal, false, &StepEfficiency::tflops);
    }

    void addMemory() {
        addMeasure("reserved_bytes", "memory reserved, peak", Unit::Bytes, RankMeasure::Memory);
        ValuesOfRanks allocated;
        for (const RankFacts& rank : run_.facts.ranks) {
            const auto at = std::ranges::find(rank.memory, rank.device, &DeviceMemory::device);
            allocated.push_back(at == rank.memory.end() ? std::nullopt
                                                        : std::optional(static_cast<double>(at->peak.allocated_bytes)));
        }
        add("allocated_bytes", "memory allocated, peak", Unit::Bytes, std::move(allocated), WorseEnd::More);
    }

    const AnalysedRun& run_;
    std::vector<std::optional<StepMedians>> medians_;
    std::vector<RankStatistic> out_;
};

/// A value in the unit of its statistic, for people.
std::string statisticText(double value, Unit unit) {
    return cellText(Cell(value), unit);
}

}  // namespace

std::vector<RankStatistic> rankStatistics(const AnalysedRun& run) {
    return StatisticsMaker(run).make();
}

DataTable rankStatisticsTable(const AnalysedRun& run) {
    DataTable table{"rank_statistics",
                    {{"run", "run", Unit::Name},
                     {"measure", "measure", Unit::Word},
                     {"title", "rank fact", Unit::Text},
                     {"ranks", "ranks", Unit::Count},
                     {"mean", "mean", Unit::OfRow},
                     {"min", "min", Unit::OfRow},
                     {"max", "max", Unit::OfRow},
                     {"std", "standard deviation", Unit::OfRow},
                     {"worst_id", "worst position", Unit::Number},
                     {"worst_rank", "worst rank", Unit::Number}},
                    {}};
    for (const RankStatistic& one : rankStatistics(run)) {
        std::vector<Cell> row = {run.run->name, one.key, one.title, numberCell(one.ranks),
                                 one.mean,      one.min, one.max,   one.deviation};
        if (one.worst) {
            putRank(row, run, *one.worst);
        }
        row.resize(table.columns.size());
        table.rows.push_back(std::move(row));
        table.row_units.push_back(one.unit);
    }
    return table;
}

Table rankStatisticsText(const AnalysedRun& run) {
    Table table;
    table.header = {"", "mean", "min", "max", "std", "worst"};
    if (run.run->ranks.size() < 2) {
        return table;
    }
    for (const RankStatistic& one : rankStatistics(run)) {
        const std::string worst = one.worst ? rankLabel(*run.run->ranks[*one.worst], *one.worst) : "-";
        table.rows.push_back({one.title, statisticText(one.mean, one.unit), statisticText(one.min, one.unit),
                              statisticText(one.max, one.unit), statisticText(one.deviation, one.unit), worst});
    }
    return table;
}

std::string rankStatisticsNote() {
    return "Over the ranks that have a value, each with its value from the tables above: its priced step, or its "
           "memory peak. Worst is the rank with the highest value, or the lowest where more is better. Facts that are "
           "zero on all ranks are left out.";
}

}  // namespace rankscope::report
