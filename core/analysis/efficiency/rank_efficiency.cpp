// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/rank_efficiency.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "core/analysis/efficiency/matrix_kernels.h"
#include "core/analysis/efficiency/product_tables.h"
#include "core/analysis/efficiency/products.h"
#include "core/analysis/steps/run_steps.h"

namespace rankscope {
namespace {

/// The limit of the roofline that a product is under.
enum class Roof : std::uint8_t { Compute, Memory, Unknown };
constexpr std::size_t kRoofs = 3;

/// The time of a product at the peak, and its roof.
struct Rating {
    double peak_ns = 0;    ///< 0 if the peak is not known
    double memory_ns = 0;  ///< the time for moving its bytes, if `roof` is known
    Roof roof = Roof::Unknown;
};

Rating rate(const CountedProduct& product, const std::optional<DevicePeak>& peak) {
    Rating rating;
    const std::optional<double> tflops = peak ? peak->tflops[product.type] : std::nullopt;
    if (!tflops) {
        return rating;
    }
    constexpr double kTeraPerNs = 1e3;  // 1e12 per second are 1e3 per nanosecond
    rating.peak_ns = product.flops / (*tflops * kTeraPerNs);
    if (peak->memory_gb_per_s && product.bytes > 0) {
        rating.memory_ns = product.bytes / *peak->memory_gb_per_s;  // 1e9 per second are 1 per nanosecond
        rating.roof = rating.memory_ns > rating.peak_ns ? Roof::Memory : Roof::Compute;
    }
    return rating;
}

/// The time of counted products in one step by their roof, and their time at the peak.
struct RoofTimes {
    std::array<DurationNs, kRoofs> time_ns{};
    std::array<double, kRoofs> useful_ns{};
    std::array<double, kRoofs> recomputed_ns{};
};

/// Whole nanoseconds; sums from damaged files are clamped to 64 bits.
DurationNs wholeNs(double ns) {
    constexpr double kLongest = 1e18;
    return std::llround(std::min(ns, kLongest));
}

void putCounted(const RoofTimes& roofs, PartTimes& parts) {
    constexpr std::array kBelow = {TimePart::ComputeBound, TimePart::MemoryBound, TimePart::Unrated};
    for (std::size_t roof = 0; roof < kRoofs; ++roof) {
        const DurationNs useful_ns = wholeNs(roofs.useful_ns[roof]);
        const DurationNs recomputed_ns = wholeNs(roofs.recomputed_ns[roof]);
        parts[TimePart::Useful] += useful_ns;
        parts[TimePart::Recomputed] += recomputed_ns;
        parts[kBelow[roof]] = roofs.time_ns[roof] - useful_ns - recomputed_ns;
    }
}

void putCommunication(const RankStep& step, const RoleTimes& exposed, const ParallelismFacts& roles, PartTimes& parts) {
    parts.communication = exposed;
    for (const ExposedWait& wait : step.waits) {
        parts.communication[roles.roleOf(wait.collective)] -= wait.span.length();
        parts[TimePart::Waiting] += wait.span.length();
    }
    parts[TimePart::Communication] = parts.communication.total();
}

/// Adds the sums over the counted steps to `into`.
class RankMeter {
  public:
    RankMeter(const RankContext& work, RankPosition position, const RunFacts& facts,
              const std::optional<DevicePeak>& peak)
        : work_(work),
          trace_(*work.trace),
          position_(position),
          facts_(facts),
          rank_(facts.ranks[position]),
          kinds_(trace_) {
        measured_.rank.peak = peak;
        measured_.rank.steps.resize(rank_.steps.size());
        roofs_.resize(rank_.steps.size());
        const auto counts = [](const RankStep& step) { return step.complete && !step.outlier; };
        const bool any = std::ranges::any_of(rank_.steps, counts);
        std::ranges::transform(rank_.steps, std::back_inserter(counts_),
                               [&](const RankStep& step) { return step.partition && (!any || counts(step)); });
        priced_.resize(rank_.steps.size());
        for (const RunStep* const step : pricedSteps(facts.steps)) {
            const std::optional<RankStepPosition> own = step->of(position);
            if (own && rank_.steps[*own].partition) {
                priced_[*own] = true;
                ++measured_.rank.priced_steps;
            }
        }
    }

    MeasuredEfficiency measure() {
        const RankProducts products = findProducts(trace_, work_.device, kinds_);
        measured_.rank.operators = products.operators;
        measured_.rank.untold = products.untold;
        for (const CountedProduct& product : products.calls) {
            ratings_.push_back(rate(product, measured_.rank.peak));
        }
        call_ns_.resize(products.calls.size());
        priced_ns_.resize(products.calls.size());
        step_of_.resize(products.calls.size(), kNowhere);
        walkEvents(products);
        for (std::size_t i = 0; i < products.calls.size(); ++i) {
            addCall(products.calls[i], i);
        }
        for (std::size_t s = 0; s < rank_.steps.size(); ++s) {
            closeStep(s);
        }
        nameRows();
        return std::move(measured_);
    }

  private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};

    [[nodiscard]] StringId nameOf(SliceRef slice) const { return trace_.track(slice).slices.name[slice.slice]; }

    /// Divides the computing time among steps and products, each instant once.
    void walkEvents(const RankProducts& products) {
        UnionLength counted;
        std::size_t first_step = 0;
        for (std::size_t i = 0; i < work_.device.events.size(); ++i) {
            const DeviceEvent& event = work_.device.events[i];
            if (event.work != WorkClass::Compute) {
                continue;
            }
            while (first_step < rank_.steps.size() && rank_.steps[first_step].span.end_ns <= event.span.start_ns) {
                ++first_step;
            }
            const std::uint32_t call = products.of_events[i];
            if (call == RankProducts::kNone) {
                addUncounted(event, first_step);
                continue;
            }
            const DurationNs own_ns = counted.add(event.span);
            if (step_of_[call] == kNowhere && isIn(first_step, event)) {
                step_of_[call] = first_step;
            }
            addCounted(event, {event.span.end_ns - own_ns, event.span.end_ns}, first_step, products.calls[call], call);
        }
    }

    [[nodiscard]] bool isIn(std::size_t step, const DeviceEvent& event) const {
        return step < rank_.steps.size() && rank_.steps[step].span.contains(event.span.start_ns);
    }

    void addUncounted(const DeviceEvent& event, std::size_t step) {
        if (!isIn(step, event) || !counts_[step]) {
            return;
        }
        UncountedKernel& row = uncounted_[nameOf(event.ref)];
        ++row.calls;
        row.time_ns += event.span.length();
        note(row.longest, event.ref, event.span.length());
    }

    void note(EfficiencyPlace& longest, SliceRef slice, DurationNs ns) const {
        if (ns > longest.ns) {
            longest = {position_, slice, ns};
        }
    }

    /// `own`: the part of the event without an earlier counted kernel.
    void addCounted(const DeviceEvent& event, const TimeSpan& own, std::size_t first_step,
                    const CountedProduct& product, std::uint32_t call) {
        const KernelKind& kind = kinds_.of(event.ref);
        for (std::size_t s = first_step; s < rank_.steps.size() && rank_.steps[s].span.start_ns < event.span.end_ns;
             ++s) {
            const DurationNs ns = intersect(own, rank_.steps[s].span).length();
            StepEfficiency& step = measured_.rank.steps[s];
            roofs_[s].time_ns[static_cast<std::size_t>(ratings_[call].roof)] += ns;
            step.counted_ns += ns;
            if (kind.tensor_cores) {
                (*kind.tensor_cores ? step.tensor_ns : step.plain_ns) += ns;
            }
            if (counts_[s]) {
                call_ns_[call] += ns;
                addKernel(event, kind, product, ns);
            }
            priced_ns_[call] += priced_[s] ? ns : 0;
        }
    }

    void addKernel(const DeviceEvent& event, const KernelKind& kind, const CountedProduct& product, DurationNs ns) {
        ProductKernel& row = kernels_[{nameOf(event.ref), product.type}];
        const bool multiplies = kind.multiplies || !product.named;
        const double share = multiplies && product.multiplying_ns > 0 ? static_cast<double>(event.span.length()) /
                                                                            static_cast<double>(product.multiplying_ns)
                                                                      : 0.0;
        ++row.calls;
        row.addWork(share * product.flops, share * product.bytes);
        row.time_ns += ns;
        row.tensor_cores = kind.tensor_cores;
        note(row.longest, event.ref, event.span.length());
    }

    void addCall(const CountedProduct& product, std::size_t call) {
        const std::size_t s = step_of_[call];
        if (s == kNowhere) {
            return;
        }
        StepEfficiency& step = measured_.rank.steps[s];
        const Rating& rating = ratings_[call];
        (product.recomputed ? step.recomputed_flops : step.model_flops) += product.flops;
        (product.recomputed ? step.recomputed_ns : step.useful_ns) += rating.peak_ns;
        step.flops[product.type] += product.flops;
        RoofTimes& roofs = roofs_[s];
        (product.recomputed ? roofs.recomputed_ns : roofs.useful_ns)[static_cast<std::size_t>(rating.roof)] +=
            rating.peak_ns;
        if (!counts_[s]) {
            return;
        }
        // Missing shapes are equal whether they were written or not.
        const StringId shapes = trace_.strings.view(product.shapes).empty() ? StringId() : product.shapes;
        ProductRow& row = products_[{nameOf(product.call), shapes, product.type, product.recomputed}];
        ++row.calls;
        row.addWork(product.flops, product.bytes);
        row.time_ns += call_ns_[call];
        row.peak_ns += rating.peak_ns;
        if (rating.roof != Roof::Unknown) {
            row.over_memory_ns = row.over_memory_ns.value_or(0) + rating.peak_ns - rating.memory_ns;
        }
        row.tensor_cores = product.tensor_cores;
        note(row.longest, product.call, call_ns_[call]);
        if (priced_[s]) {
            row.priced.flops += product.flops;
            row.priced.bytes += product.bytes;
            row.priced.time_ns += priced_ns_[call];
            note(row.priced.longest, product.call, priced_ns_[call]);
        }
    }

    /// Ids are valid in one file, names in all.
    void nameRows() {
        ProductTables& tables = measured_.tables;
        for (auto& [key, row] : products_) {
            const auto& [name, shapes, type, recomputed] = key;
            row.name = trace_.strings.view(name);
            row.shapes = trace_.strings.view(shapes);
            row.type = type;
            row.recomputed = recomputed;
            tables.products.push_back(row);
        }
        for (auto& [key, row] : kernels_) {
            row.name = trace_.strings.view(key.first);
            row.type = key.second;
            tables.kernels.push_back(row);
        }
        for (auto& [name, row] : uncounted_) {
            row.name = trace_.strings.view(name);
            row.multiplies = kinds_.of(row.longest.slice).multiplies;
            tables.uncounted.push_back(row);
        }
        sortRows(tables);
    }

    void closeStep(std::size_t s) {
        const RankStep& step = rank_.steps[s];
        StepEfficiency& out = measured_.rank.steps[s];
        if (!step.partition) {
            out = {};
            return;
        }
        out.time_ns = step.span.length();
        out.compute_ns = step.partition->compute_ns;
        putCounted(roofs_[s], out.parts);
        out.parts[TimePart::Uncounted] = out.compute_ns - out.counted_ns;
        putCommunication(step, facts_.parallelism.ranks[position_].steps[s], facts_.parallelism, out.parts);
        out.parts[TimePart::Copies] = step.partition->exposed_copy_ns;
        for (std::size_t cause = 0; cause < kCauseCount; ++cause) {
            out.parts[timePartOf(static_cast<Cause>(cause))] += step.idle_causes[static_cast<Cause>(cause)];
        }
        if (counts_[s]) {
            measured_.rank.counted += out;
            ++measured_.rank.counted_steps;
        }
    }

    const RankContext& work_;
    const RankTrace& trace_;
    RankPosition position_;
    const RunFacts& facts_;
    const RankFacts& rank_;
    KernelKinds kinds_;
    std::vector<bool> counts_;           // by step: whether it is counted
    std::vector<bool> priced_;           // by step: whether it is priced
    std::vector<RoofTimes> roofs_;       // by step
    std::vector<Rating> ratings_;        // by call
    std::vector<DurationNs> call_ns_;    // by call: its kernels' time in counted steps
    std::vector<DurationNs> priced_ns_;  // by call: the same in priced steps
    std::vector<std::size_t> step_of_;   // by call: the step in which its first kernel starts
    // The rows of the tables, by ids: there are many more look-ups by events than rows.
    std::map<std::tuple<StringId, StringId, NumberType, bool>, ProductRow> products_;
    std::map<std::pair<StringId, NumberType>, ProductKernel> kernels_;
    std::map<StringId, UncountedKernel> uncounted_;
    MeasuredEfficiency measured_;
};

}  // namespace

TimePart timePartOf(Cause cause) {
    switch (cause) {
        case Cause::DataLoader: return TimePart::Input;
        case Cause::Launch:
        case Cause::LaunchLatency:
        case Cause::KernelToKernel:
        case Cause::InsideGraph: return TimePart::Launches;
        case Cause::HostSync:
        case Cause::BlockingCopy:
        case Cause::Allocator: return TimePart::HostWaits;
        case Cause::HostStall: return TimePart::HostStalls;
        case Cause::Operator:
        case Cause::Python: return TimePart::HostCode;
        default: return TimePart::OtherIdle;
    }
}

MeasuredEfficiency measureRank(const RankContext& work, RankPosition position, const RunFacts& facts,
                               const std::optional<DevicePeak>& peak) {
    return RankMeter(work, position, facts, peak).measure();
}

const DeviceProperties* deviceOf(const RankTrace& trace, std::int32_t device) {
    const auto at = std::ranges::find(trace.devices, device, &DeviceProperties::id);
    if (at != trace.devices.end()) {
        return &*at;
    }
    const bool alike = !trace.devices.empty() && std::ranges::all_of(trace.devices, [&](const DeviceProperties& one) {
        return one.name == trace.devices.front().name;
    });
    return alike ? &trace.devices.front() : nullptr;
}

}  // namespace rankscope
