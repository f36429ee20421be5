// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/what_if_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/format.h"
#include "tests/accuracy/drawn_machine.h"
#include "tests/tracegen/machine/job_faults.h"

namespace rankscope::accuracy {
namespace {

namespace sim = tracegen::machine;

/// A change, and how the machine makes it.
struct Change {
    std::string kind;
    std::string text;
    std::function<void(sim::Config&)> make;
};

std::string factorText(double factor) {
    return "x" + formatDecimal(factor, 3);
}

/// A factor as its text has it.
double drawFactor(Lot& lot, double low, double high) {
    constexpr double kDecimals = 1000;
    return std::round(kDecimals * lot.evenly(low, high)) / kDecimals;
}

void addMade(WhatIfJob& job, const std::vector<const Change*>& changes) {
    MadeChange made;
    made.kind = changes.size() == 1 ? changes.front()->kind : "two";
    made.after = job.before;
    for (const Change* const change : changes) {
        made.changes.push_back(change->text);
        change->make(made.after);
    }
    job.made.push_back(std::move(made));
}

/// Each of them alone, and those of different kinds in pairs of neighbours.
void addAll(WhatIfJob& job, const std::vector<Change>& changes, std::size_t pairs) {
    for (const Change& change : changes) {
        addMade(job, {&change});
    }
    const std::size_t apart = changes.size() / 2;
    for (std::size_t i = 0; i + apart < changes.size() && pairs > 0; ++i) {
        const Change& other = changes[i + apart];
        const std::string subject = changes[i].kind.substr(0, changes[i].kind.find(':'));
        if (!other.kind.starts_with(subject)) {
            addMade(job, {&changes[i], &other});
            --pairs;
        }
    }
}

// ---- the changes

Change scaleKernels(const std::string& part, double factor) {
    return {"kernels", "kernels:" + part + ":" + factorText(factor), [=](sim::Config& config) {
                config.model.rescaled.push_back({part, "", factor, 1});
            }};
}

Change scaleCompute(double factor) {
    return {"class:compute", "class:compute:" + factorText(factor),
            [=](sim::Config& config) { config.model.device_scale *= factor; }};
}

Change scaleOperator(const std::string& name, double factor) {
    return {"operator", "operator:" + name + ":" + factorText(factor), [=](sim::Config& config) {
                config.model.rescaled.push_back({"", name, factor, std::min(1.0, factor)});
            }};
}

Change scaleHost(double factor) {
    return {"host", "host:" + factorText(factor), [=](sim::Config& config) {
                for (sim::RankSpec& rank : config.ranks) {
                    rank.host_slowdown /= factor;
                    if (rank.loader.workers > 0) {  // else the training process makes the batches
                        rank.loader.cpu_ns = std::llround(static_cast<double>(rank.loader.cpu_ns) / factor);
                    }
                }
            }};
}

Change scaleLinks(double factor) {
    return {"link:x", "link:" + factorText(factor), [=](sim::Config& config) {
                config.network.bytes_per_ns *= factor;
                if (config.job) {
                    config.job->inner_bytes_per_ns *= factor;
                }
            }};
}

Change scaleCommunication(double factor) {
    return {"class:communication", "class:communication:" + factorText(factor), [=](sim::Config& config) {
                config.network.bytes_per_ns /= factor;
                config.network.latency_ns = std::llround(static_cast<double>(config.network.latency_ns) * factor);
                if (config.job) {
                    config.job->inner_bytes_per_ns /= factor;
                    config.job->inner_latency_ns =
                        std::llround(static_cast<double>(config.job->inner_latency_ns) * factor);
                }
            }};
}

Change scaleCopies(double factor) {
    return {"class:copy", "class:copy:" + factorText(factor),
            [=](sim::Config& config) { config.model.copy_factor *= factor; }};
}

Change resizeBuckets(int mb) {
    return {"bucket_cap_mb", "bucket_cap_mb=" + std::to_string(mb),
            [=](sim::Config& config) { config.model.bucket_mb = mb; }};
}

Change changeOverlap(bool perfect) {
    return {perfect ? "overlap:perfect" : "overlap:none", perfect ? "overlap:perfect" : "overlap:none",
            [=](sim::Config& config) {
                config.model.gradient_wait = perfect ? sim::GradientWait::NextStep : sim::GradientWait::AtOnce;
            }};
}

Change captureGraphs() {
    return {"launch:graphs", "launch:graphs", [](sim::Config& config) { config.model.captured = true; }};
}

Change fuseKernels(const std::string& part) {
    return {"fuse", "fuse:" + part, [=](sim::Config& config) { config.model.fused = part; }};
}

Change dropSyncs() {
    return {"sync:none", "sync:none", [](sim::Config& config) { config.habits.reads_wait = false; }};
}

Change coolDown() {
    return {"cool", "cool", [](sim::Config& config) {
                for (sim::RankSpec& rank : config.ranks) {
                    rank.device.step_slowdowns.clear();
                }
            }};
}

Change scaleModule(double factor) {
    return {"module", "module:Linear:" + factorText(factor), [=](sim::Config& config) {
                config.model.rescaled.push_back({"gemm", "", factor, 1});  // nothing else multiplies
            }};
}

/// fp32 products on tensor cores in bf16: at best as much faster as the peak, on real GPUs less.
Change multiplyInBf16(double of_best) {
    constexpr double kBest = 19.5 / 312;  // A100: TFLOPS of fp32, and of bf16
    return {"precision", "precision:bf16", [=](sim::Config& config) {
                config.model.rescaled.push_back({"gemm", "", kBest / of_best, 1});
            }};
}

Change reduceInTrees() {
    return {"algorithm", "algorithm:tree", [](sim::Config& config) { config.network.trees = true; }};
}

Change dropCollections() {
    return {"gc:off", "gc:off", [](sim::Config& config) { config.habits.collector.reset(); }};
}

Change setLinks(bool inside, double gb_per_s) {
    const std::string kind = inside ? "link:inside" : "link:across";
    return {kind, kind + "=" + formatDecimal(gb_per_s, 1), [=](sim::Config& config) {
                (inside ? config.job->inner_bytes_per_ns : config.network.bytes_per_ns) = gb_per_s;
            }};
}

// ---- the jobs

WhatIfJob ofRanks(const std::string& name, std::uint64_t seed, int ranks) {
    return {name, drawMachine(seed, ranks), {}};
}

/// Ranks that are alike, with kernels up to 1.15 times as long beside communication.
void communicateAlike(Lot& lot, sim::Config& config) {
    config.ranks.front().device.beside_communication = 1 + lot.evenly(0.0, 0.15);
    std::ranges::fill(config.ranks, config.ranks.front());
}

int ranksFor(int number) {
    constexpr std::array kRanks = {4, 1, 8};
    return kRanks.at(static_cast<std::size_t>(number) % kRanks.size());
}

/// Enough workers that no batch is late.
void neverLate(sim::Config& config) {
    for (sim::RankSpec& rank : config.ranks) {
        rank.loader.cpu_ns = stepsLongOf(config, 0.4);
        rank.loader.read_ns = 0;
    }
}

WhatIfJob boundByComputation(Lot& lot, std::uint64_t seed, int number) {
    WhatIfJob job = ofRanks("computation", seed, ranksFor(number));
    const bool alone = job.before.rankCount() == 1;
    if (!alone) {
        communicateAlike(lot, job.before);
    }
    std::vector<Change> changes = {scaleKernels("gemm", drawFactor(lot, 0.3, 0.9)),
                                   scaleKernels("elementwise", drawFactor(lot, 1.5, 4)),
                                   scaleCompute(drawFactor(lot, 0.4, 0.9)),
                                   scaleCompute(drawFactor(lot, 1.1, 2)),
                                   scaleOperator("aten::addmm", drawFactor(lot, 0.3, 0.8)),
                                   scaleOperator("aten::mm", drawFactor(lot, 1.2, 2)),
                                   scaleHost(2),
                                   scaleHost(0.5)};
    if (!alone) {
        changes.insert(changes.end(), {scaleLinks(0.25), scaleLinks(2), scaleCommunication(drawFactor(lot, 1.5, 4)),
                                       changeOverlap(false)});
    }
    addAll(job, changes, 3);
    job.before.records_shapes = true;
    const Change bf16 = multiplyInBf16(lot.evenly(0.3, 1));
    addMade(job, {&bf16});
    return job;
}

WhatIfJob boundByLaunches(Lot& lot, std::uint64_t seed, int number) {
    WhatIfJob job = ofRanks("launches", seed, ranksFor(number));
    sim::Config& before = job.before;
    before.model.blocks = lot.whole(4, 8);
    before.model.device_scale = lot.evenly(0.4, 0.9);
    before.model.pieces = lot.whole(12, 32);
    before.habits.logs_loss = number % 2 == 0;
    neverLate(before);
    addAll(
        job,
        {scaleKernels("gemm", drawFactor(lot, 0.3, 0.8)), scaleKernels("gemm", drawFactor(lot, 1.5, 4)), scaleHost(2),
         scaleHost(0.5), scaleOperator("aten::gelu", drawFactor(lot, 0.3, 0.8)), fuseKernels("GeluCUDAKernel"),
         fuseKernels("bn_bw"), captureGraphs(), scaleCompute(drawFactor(lot, 0.3, 0.8))},
        3);
    return job;
}

WhatIfJob boundByLoading(Lot& lot, std::uint64_t seed, int number) {
    WhatIfJob job = ofRanks("loading", seed, ranksFor(number));
    sim::Config& before = job.before;
    const double batch = lot.evenly(0.3, 4);  // in steps
    constexpr int kMostWorkers = 10;
    before.model.pinned = lot.heads();
    drawCrowding(lot, before, batch);
    giveCores(before, kMostWorkers);
    for (sim::RankSpec& rank : before.ranks) {
        rank.loader.workers = 0;
        rank.loader.cpu_ns = stepsLongOf(before, batch * 0.75);
        rank.loader.read_ns = stepsLongOf(before, batch * 0.25);
    }
    const double pageable = withFreshPages(lot, before.model.pageable_bytes_per_ns);
    const DurationNs hand_over_ns = std::llround(lot.evenly(0.1e6, 2e6));
    const auto workers = [=](const std::string& kind, const std::string& text, int count) {
        return Change{kind, text, [=](sim::Config& config) {
                          config.model.pageable_bytes_per_ns = pageable;
                          for (sim::RankSpec& rank : config.ranks) {
                              rank.loader.workers = count;
                              rank.loader.hand_over_ns = hand_over_ns;
                          }
                      }};
    };
    std::vector<Change> changes = {workers("loader:ready", "loader:ready", kMostWorkers)};
    for (const int count : {1, 2, 4, 8}) {
        changes.push_back(workers("loader:workers", "loader:workers=" + std::to_string(count), count));
    }
    const Change faster = scaleKernels("gemm", drawFactor(lot, 0.3, 0.8));
    addAll(job, changes, 0);
    addMade(job, {&changes[2], &faster});
    addMade(job, {&changes[3], &faster});
    return job;
}

WhatIfJob boundByNetwork(Lot& lot, std::uint64_t seed, int number) {
    WhatIfJob job = ofRanks("network", seed, number % 2 == 0 ? 4 : 8);
    sim::Config& before = job.before;
    communicateAlike(lot, before);
    before.model.block_parameters = std::llround(lot.evenly(2e6, 9e6));
    before.model.gradient_nodes = 4;
    before.network.bytes_per_ns = lot.evenly(8, 60);
    before.network.latency_ns = std::llround(lot.evenly(20e3, 300e3));
    before.model.bucket_mb = number % 3 == 0 ? 5 : 25;
    addAll(job,
           {scaleLinks(0.5), scaleLinks(2), scaleLinks(4), scaleCommunication(drawFactor(lot, 0.3, 0.8)),
            changeOverlap(true), changeOverlap(false), resizeBuckets(10), resizeBuckets(50), resizeBuckets(100),
            scaleKernels("gemm", drawFactor(lot, 0.4, 0.8)), scaleCompute(drawFactor(lot, 1.2, 2))},
           3);
    const Change trees = reduceInTrees();
    addMade(job, {&trees});
    return job;
}

/// One rank is slow, or two are: by its device, or by its host where hosts matter.
WhatIfJob unevenRanks(Lot& lot, std::uint64_t seed, int number) {
    WhatIfJob job = ofRanks("uneven", seed, number % 2 == 0 ? 4 : 8);
    sim::Config& before = job.before;
    communicateAlike(lot, before);
    const bool by_host = number % 3 == 2;
    if (by_host) {
        for (sim::RankSpec& rank : before.ranks) {
            rank.host_slowdown *= 3.5;
        }
        neverLate(before);
    }
    const int slow = lot.whole(0, before.rankCount() - 1);
    const double factor = by_host ? lot.evenly(3, 6) : lot.evenly(1.1, 1.6);
    const auto slow_down = [=](sim::Config& config, double by) {
        sim::RankSpec& rank = config.ranks[static_cast<std::size_t>(slow)];
        (by_host ? rank.host_slowdown : rank.device.slowdown) *= by;
    };
    slow_down(before, factor);
    const auto remedy = [=](sim::Config& config) { slow_down(config, 1 / factor); };
    addAll(job,
           {{"rank=R:like-median", "rank=" + std::to_string(slow) + ":like-median", remedy},
            {"ranks:equal", "ranks:equal", remedy},
            scaleKernels("gemm", drawFactor(lot, 0.4, 0.8)),
            scaleLinks(0.25)},
           2);
    return job;
}

WhatIfJob boundByWaits(Lot& lot, std::uint64_t seed, int number) {
    WhatIfJob job = ofRanks("waiting", seed, ranksFor(number));
    job.before.habits.items = lot.whole(2, 24);
    job.before.habits.logs_loss = lot.heads();
    for (sim::RankSpec& rank : job.before.ranks) {
        rank.host_slowdown *= lot.evenly(1, 6);
    }
    neverLate(job.before);
    addAll(job,
           {dropSyncs(), scaleHost(2), scaleKernels("gemm", drawFactor(lot, 0.4, 0.8)),
            scaleCompute(drawFactor(lot, 1.2, 2))},
           2);
    return job;
}

WhatIfJob boundByCopies(Lot& lot, std::uint64_t seed, int number) {
    WhatIfJob job = ofRanks("copying", seed, ranksFor(number));
    job.before.model.batch_bytes = std::int64_t{lot.whole(12, 48)} << 20U;
    job.before.model.pinned = number % 3 == 0;
    neverLate(job.before);
    addAll(job,
           {scaleCopies(drawFactor(lot, 0.3, 0.7)), scaleCopies(drawFactor(lot, 1.3, 3)),
            scaleCompute(drawFactor(lot, 0.5, 0.8)), scaleHost(2)},
           1);
    return job;
}

/// A GPU, or all of them, become slower after some steps.
WhatIfJob slowedByHeat(Lot& lot, std::uint64_t seed, int number) {
    WhatIfJob job = ofRanks("heating", seed, ranksFor(number));
    sim::Config& before = job.before;
    before.steps = 14;
    const double slow = lot.evenly(1.1, 1.5);
    const int from = lot.whole(4, 7);
    const int hot = lot.whole(0, before.rankCount() - 1);
    for (int rank = 0; rank < before.rankCount(); ++rank) {
        for (int step = 0; step < before.steps && (rank == hot || number % 2 == 0); ++step) {
            before.ranks[static_cast<std::size_t>(rank)].device.step_slowdowns.push_back(step < from ? 1 : slow);
        }
    }
    addAll(job, {coolDown(), scaleKernels("gemm", drawFactor(lot, 0.4, 0.8))}, 1);
    return job;
}

/// Collections of garbage between short steps, and layers that were recorded.
WhatIfJob collecting(Lot& lot, std::uint64_t seed, int number) {
    WhatIfJob job = ofRanks("collecting", seed, ranksFor(number));
    sim::Config& before = job.before;
    before.model.modules = true;
    before.habits.logs_loss = number % 2 == 0;
    before.habits.collector = sim::Collector{1, stepsLongOf(before, lot.evenly(0.1, 0.6)), {}, true};
    neverLate(before);
    addAll(
        job,
        {dropCollections(), scaleModule(drawFactor(lot, 0.3, 0.8)), scaleHost(2), scaleModule(drawFactor(lot, 1.2, 2))},
        2);
    return job;
}

/// Work that is divided among ranks in other ways than DDP's.
WhatIfJob dividedWork(Lot& lot, std::uint64_t seed, int number) {
    constexpr std::array kPresets = {"fsdp2",      "hsdp2", "tensor-sequence", "grid",
                                     "grid-fsdp2", "fsdp1", "context-torch"};
    WhatIfJob job{"divided", sim::jobConfig(kPresets.at(static_cast<std::size_t>(number) % kPresets.size()), seed), {}};
    job.before.hosts.resize(2, job.before.hosts.front());
    addAll(job,
           {scaleLinks(0.5), scaleLinks(2), setLinks(true, 100), setLinks(false, 40),
            scaleCommunication(drawFactor(lot, 1.3, 2)), scaleCompute(drawFactor(lot, 0.6, 0.9)),
            scaleCompute(drawFactor(lot, 1.2, 1.8)), scaleHost(2), scaleHost(0.5)},
           3);
    return job;
}

}  // namespace

std::vector<WhatIfJob> whatIfJobs(std::uint64_t first_seed) {
    struct Bound {
        int count;
        WhatIfJob (*make)(Lot& lot, std::uint64_t seed, int number);
    };
    constexpr std::uint64_t kApart = 1'000;
    std::vector<WhatIfJob> jobs;
    std::uint64_t seed = first_seed;
    for (const Bound& bound :
         {Bound{8, boundByComputation}, Bound{7, boundByLaunches}, Bound{9, boundByLoading}, Bound{8, boundByNetwork},
          Bound{8, unevenRanks}, Bound{6, boundByWaits}, Bound{5, boundByCopies}, Bound{6, slowedByHeat},
          Bound{5, collecting}, Bound{7, dividedWork}}) {
        for (int number = 1; number <= bound.count; ++number) {
            Lot lot(seed + static_cast<std::uint64_t>(number));
            jobs.push_back(bound.make(lot, seed + static_cast<std::uint64_t>(number), number - 1));
            jobs.back().name += '/' + std::to_string(number);
        }
        seed += kApart;
    }
    return jobs;
}

}  // namespace rankscope::accuracy
