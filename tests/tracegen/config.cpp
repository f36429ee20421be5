// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/config.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace rankscope::tracegen {

const Fault* Config::fault(FaultKind kind, int rank, int step) const {
    for (const Fault& fault : faults) {
        if (fault.kind == kind && fault.hits(rank, step)) {
            return &fault;
        }
    }
    return nullptr;
}

RankClock Config::clockOf(int rank) const {
    const auto index = static_cast<std::size_t>(rank);
    return index < clocks.size() ? clocks[index] : RankClock{};
}

double throttlingOf(const Config& config, int rank, int step) {
    const Fault* const fault = config.fault(FaultKind::Throttling, rank, step);
    if (fault == nullptr || step < fault->first_step) {
        return 1;
    }
    const double hot = static_cast<double>(step - fault->first_step + 1) / std::max(1, fault->count);
    return 1 + (fault->amount - 1) * std::min(1.0, hot);
}

bool recordsMemory(const Config& config, int rank) {
    return config.profile_memory || std::ranges::any_of(config.faults, [rank](const Fault& fault) {
               return fault.kind == FaultKind::MemoryPressure && fault.hits(rank, fault.first_step);
           });
}

std::int64_t deviceBytes(Vendor vendor) {
    return vendor == Vendor::Cuda ? 85'174'321'152 : 68'702'699'520;
}

Config without(Config config, std::size_t index) {
    config.faults.erase(config.faults.begin() + static_cast<std::ptrdiff_t>(index));
    return config;
}

void validate(const Config& config) {
    const auto need = [](bool holds, const char* what) {
        if (!holds) {
            throw std::invalid_argument(what);
        }
    };
    need(config.ranks >= 1 && config.ranks <= 64, "ranks must be 1 to 64");
    need(config.steps >= 1, "steps must be at least 1");
    need(config.warmup_steps >= 0, "warmup_steps must not be negative");
    need(config.first_step >= config.warmup_steps, "first_step must not be below warmup_steps");
    need(config.time_grid != TimeGrid::Double || config.dialect == Dialect::Modern, "old files have no such times");
    need(config.layers >= 2, "layers must be at least 2");
    need(config.kernel_scale > 0, "kernel_scale must be above 0");
    need(config.bus_gb_per_s > 0, "bus_gb_per_s must be above 0");
    need(config.bucket_mb >= 1, "bucket_mb must be at least 1");
    need(config.scaled_parameters >= 0, "scaled_parameters must not be negative");
    need(config.loader.workers >= 0 && config.loader.prefetch >= 1, "workers must be 0 or more, prefetch 1 or more");
    need(config.loader.batch_ns >= 0 && config.loader.batch_bytes > 0, "a batch must have bytes and no negative time");
    for (const Fault& fault : config.faults) {
        const FaultTraits& traits = traitsOf(fault.kind);
        need(traits.extent == Extent::AnyRank || fault.ranks.empty(), "a fault of the whole job names ranks");
        need(traits.extent != Extent::WholeRun || (fault.first_step == 0 && fault.last_step >= config.steps - 1),
             "a fault of the whole run names steps");
        need(fault.kind != FaultKind::BucketSize || fault.amount > 0, "a bucket must hold something");
        need(fault.amount >= 0 && fault.count >= 0, "a fault's amount and count must not be negative");
        for (const int rank : fault.ranks) {
            need(rank >= 0 && rank < config.ranks, "a fault names a rank that the run has not");
        }
    }
}

std::string_view nameOf(Vendor vendor) {
    return vendor == Vendor::Cuda ? "cuda" : "rocm";
}

std::string_view nameOf(Dialect dialect) {
    return dialect == Dialect::Modern ? "modern" : "old";
}

std::string_view nameOf(TimeGrid grid) {
    switch (grid) {
        case TimeGrid::Microseconds: return "microseconds";
        case TimeGrid::Double: return "double";
        case TimeGrid::OfDialect: break;
    }
    return "dialect";
}

std::ostream& operator<<(std::ostream& out, Vendor vendor) {
    return out << nameOf(vendor);
}

std::ostream& operator<<(std::ostream& out, Dialect dialect) {
    return out << nameOf(dialect);
}

}  // namespace rankscope::tracegen
