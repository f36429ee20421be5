// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/efficiency.h"

#include <numeric>

namespace rankscope {
namespace {

struct Words {
    std::string_view name;
    std::string_view title;
};

constexpr std::array<Words, kTimeParts> kParts = {{
    {"useful", "Useful, at peak"},
    {"recomputed", "Recomputed, at peak"},
    {"compute-bound", "Compute-bound kernels"},
    {"memory-bound", "Memory-bound kernels"},
    {"unrated", "Unrated kernels: FLOPs, peak or bytes unknown"},
    {"uncounted", "Kernels without counted FLOPs"},
    {"communication", "Exposed communication"},
    {"waiting", "Waiting for other ranks"},
    {"copies", "Exposed copies"},
    {"input", "Idle: input"},
    {"launches", "Idle: launches"},
    {"host-waits", "Idle: CPU waits (synchronisation, copies, allocator)"},
    {"host-stalls", "Idle: stalled CPU threads"},
    {"host-code", "Idle: operators and Python"},
    {"other-idle", "Idle: other"},
}};

constexpr double kTera = 1e12;
constexpr double kNsPerSecond = 1e9;

std::optional<double> over(double part, double whole) {
    return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

/// Operations in nanoseconds as 1e12 operations per second.
std::optional<double> teraflops(double flops, DurationNs ns) {
    return over(flops * kNsPerSecond / kTera, static_cast<double>(ns));
}

}  // namespace

std::string_view timePartName(TimePart part) {
    return kParts.at(static_cast<std::size_t>(part)).name;
}

std::string_view timePartTitle(TimePart part) {
    return kParts.at(static_cast<std::size_t>(part)).title;
}

std::optional<RoofBound> ProductRow::bound() const {
    return over_memory_ns && bytes > 0 ? std::optional(*over_memory_ns < 0 ? RoofBound::Memory : RoofBound::Compute)
                                       : std::nullopt;
}

std::string_view roofBoundName(RoofBound bound) {
    return bound == RoofBound::Compute ? "compute" : "memory";
}

std::optional<double> EfficiencyOptions::stepFlops(const ModelSize& model) const {
    if (model_flops) {
        return *model_flops * batch.value_or(1);
    }
    if (!model.parameters || !tokens) {
        return std::nullopt;
    }
    constexpr double kPerParameter = 6;
    constexpr double kAttention = 12;
    const auto real = [](const std::optional<std::int64_t>& count) { return static_cast<double>(count.value_or(0)); };
    // Zero if one of the three is not entered.
    const double attention = kAttention * real(model.layers) * real(model.hidden) * real(model.sequence);
    return (kPerParameter * real(model.parameters) + attention) * *tokens * batch.value_or(1);
}

DurationNs PartTimes::total() const {
    return std::accumulate(ns.begin(), ns.end(), DurationNs{0});
}

PartTimes& PartTimes::operator+=(const PartTimes& other) {
    for (std::size_t i = 0; i < ns.size(); ++i) {
        ns[i] += other.ns[i];
    }
    communication += other.communication;
    return *this;
}

StepEfficiency& StepEfficiency::operator+=(const StepEfficiency& other) {
    time_ns += other.time_ns;
    model_flops += other.model_flops;
    recomputed_flops += other.recomputed_flops;
    useful_ns += other.useful_ns;
    recomputed_ns += other.recomputed_ns;
    compute_ns += other.compute_ns;
    counted_ns += other.counted_ns;
    tensor_ns += other.tensor_ns;
    plain_ns += other.plain_ns;
    for (std::size_t i = 0; i < kNumberTypes; ++i) {
        flops.of[i] += other.flops.of[i];
    }
    parts += other.parts;
    return *this;
}

std::optional<double> StepEfficiency::mfu() const {
    return any() ? over(useful_ns, static_cast<double>(time_ns)) : std::nullopt;
}

std::optional<double> StepEfficiency::hfu() const {
    return any() ? over(useful_ns + recomputed_ns, static_cast<double>(time_ns)) : std::nullopt;
}

std::optional<double> StepEfficiency::tflops() const {
    return any() ? teraflops(model_flops, time_ns) : std::nullopt;
}

std::optional<double> StepEfficiency::countedShare() const {
    return over(static_cast<double>(counted_ns), static_cast<double>(compute_ns));
}

void ProductSums::addWork(double more_flops, double more_bytes) {
    const bool known = (flops <= 0 || bytes > 0) && (more_flops <= 0 || more_bytes > 0);
    flops += more_flops;
    bytes = known ? bytes + more_bytes : 0;
}

std::optional<double> ProductSums::tflops() const {
    return teraflops(flops, time_ns);
}

std::optional<double> ProductSums::intensity() const {
    return over(flops, bytes);
}

std::optional<double> ProductRow::ofPeak() const {
    return peak_ns > 0 ? over(peak_ns, static_cast<double>(time_ns)) : std::nullopt;
}

double utilization(double step_flops, double seconds, double devices, double peak_tflops) {
    const double possible = seconds * devices * peak_tflops * kTera;
    return possible > 0 ? step_flops / possible : 0;
}

}  // namespace rankscope
