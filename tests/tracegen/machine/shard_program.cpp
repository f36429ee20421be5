// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters and gradients that lie on all ranks of the data dimension: FSDP, old and new, and plain replicas.
#include <algorithm>
#include <string>

#include "tests/tracegen/machine/job_builder.h"
#include "tests/tracegen/vocabulary.h"

namespace rankscope::tracegen::machine {
namespace {

constexpr double kMemoryBytesPerNs = 1'300;

// Units: layers, then these two.
bool isEnd(const JobSpec& job, int unit) {
    return unit >= job.layers;
}

// Of a unit that begins with this layer: a chunk may end before it is full.
int layersInUnit(const JobSpec& job, int unit) {
    return job.unit_layers == 1 ? 1 : std::min(job.unit_layers, job.layersOfChunk() - unit % job.layersOfChunk());
}

std::int64_t parametersOf(const JobSpec& job, int unit) {
    const std::int64_t all =
        isEnd(job, unit) ? job.layer_parameters / 2 : job.layer_parameters * layersInUnit(job, unit);
    return all / job.tensor / job.sharers() * job.sharers();
}

bool shards(const JobSpec& job) {
    return job.sharing != Sharing::Replicate && job.sharers() > 1;
}

// With several micro-batches parameters stay where they are until the step is over.
bool reshards(const JobSpec& job) {
    return job.micro_batches == 1;
}

DurationNs copyTime(std::int64_t bytes) {
    return 3'000 + static_cast<DurationNs>(2 * static_cast<double>(bytes) / kMemoryBytesPerNs);
}

void labelUnit(JobBuilder& j, int unit) {
    WorkLabel label = j.b.label();
    label.unit = static_cast<std::int16_t>(unit);
    j.b.label(label);
}

JobCollective gatherOf(const JobSpec& job, int unit, Stream stream) {
    JobCollective gather;
    gather.kind = CollectiveKind::AllGather;
    gather.group = GroupKind::Shard;
    gather.stream = stream;
    gather.elements = parametersOf(job, unit) / job.sharers();
    gather.elements_out = parametersOf(job, unit);
    return gather;
}

JobCollective scatterOf(const JobSpec& job, int unit, Stream stream) {
    JobCollective scatter;
    scatter.kind = CollectiveKind::ReduceScatter;
    scatter.group = GroupKind::Shard;
    scatter.stream = stream;
    scatter.elements = parametersOf(job, unit);
    scatter.elements_out = parametersOf(job, unit) / job.sharers();
    scatter.type = ElementType::Float;
    return scatter;
}

// What a gather of FSDP2 sends is put together on a stream of its own, so that it goes beside the computation. Where
// prefetching is off and gathers are asynchronous that is done on the compute stream, behind all that it has to do.
void gatherUnit(JobBuilder& j, int unit) {
    labelUnit(j, unit);
    const auto range = j.b.annotation("FSDP::all_gather (" + unitName(j.job, unit) + ")");
    const Stream stream = j.job.prefetch ? Stream::CopyIn : Stream::Compute;
    {
        const auto copy_in = j.b.operation("fsdp::all_gather_copy_in");
        j.b.work(22'000);
        if (j.job.prefetch && j.state.copied_out) {
            j.b.waitEvent(stream, *j.state.copied_out);
        }
        j.b.kernel(kernels::kForeachUnary, copyTime(parametersOf(j.job, unit) / j.job.sharers() * 2), stream);
    }
    const std::uint32_t ready = j.newEvent();
    j.b.recordEvent(stream, ready);
    j.state.gathered[unit] = j.start(gatherOf(j.job, unit, Stream::Gather), ready);
}

void copyOutUnit(JobBuilder& j, int unit) {
    j.b.waitEvent(Stream::Compute, j.state.gathered.at(unit));
    j.state.gathered.erase(unit);
    const auto range = j.b.annotation("FSDP::all_gather_copy_out (" + unitName(j.job, unit) + ")");
    const auto copy_out = j.b.operation("fsdp::split_with_sizes_copy");
    j.b.work(15'000);
    j.b.kernel(kernels::kSplitCopy, copyTime(parametersOf(j.job, unit) * 2));
    j.state.copied_out = j.newEvent();
    j.b.recordEvent(Stream::Compute, *j.state.copied_out);
    j.state.whole.insert(unit);
}

// Hybrid shards: what a reduce-scatter has added up is added up over the replicas.
void reduceReplicas(JobBuilder& j, int unit, std::uint32_t scattered) {
    if (j.job.sharers() == j.job.data) {
        j.state.reductions.push_back(scattered);
        return;
    }
    JobCollective reduce;
    reduce.group = GroupKind::Data;
    reduce.stream = Stream::Replicas;
    reduce.elements = parametersOf(j.job, unit) / j.job.sharers();
    reduce.type = ElementType::Float;
    j.state.reductions.push_back(j.start(reduce, scattered));
}

void reduceUnit(JobBuilder& j, int unit) {
    labelUnit(j, unit);
    const auto range = j.b.annotation("FSDP::post_backward_reduce (" + unitName(j.job, unit) + ")");
    {
        const auto copy_in = j.b.operation("fsdp::chunk_cat");
        j.b.work(18'000);
        j.b.kernel(kernels::kChunkCat, copyTime(parametersOf(j.job, unit) * 4));
    }
    reduceReplicas(j, unit, j.start(scatterOf(j.job, unit, Stream::Scatter)));
}

// At most two units that are on their way or whole: the host waits until the oldest of those that were freed is free
// on the device too.
void limitGathers(JobBuilder& j) {
    constexpr std::size_t kInFlight = 2;
    if (j.job.limit_gathers && j.state.freed.size() >= kInFlight) {
        const auto range = j.b.annotation("FullyShardedDataParallel.rate_limiter");
        j.b.synchronizeEvent(j.state.freed.front());
        j.state.freed.erase(j.state.freed.begin());
    }
}

void freeFlat(JobBuilder& j) {
    if (j.job.limit_gathers && j.job.sharing == Sharing::Fsdp1) {
        j.state.freed.push_back(j.newEvent());
        j.b.recordEvent(Stream::Compute, j.state.freed.back());
    }
}

// FSDP1 has one flat parameter a unit, and all its collectives on one stream.
void gatherFlat(JobBuilder& j, int unit) {
    labelUnit(j, unit);
    limitGathers(j);
    std::optional<std::uint32_t> ready;
    if (j.job.prefetch) {
        // The unshard stream, which has done whatever it had to do.
        ready = j.newEvent();
        j.b.recordEvent(Stream::CopyIn, *ready);
    }
    j.state.gathered[unit] = j.start(gatherOf(j.job, unit, Stream::Communication), ready);
}

void awaitFlat(JobBuilder& j, int unit) {
    j.b.waitEvent(Stream::Compute, j.state.gathered.at(unit));
    j.state.gathered.erase(unit);
    j.state.whole.insert(unit);
}

void finishUnit(JobBuilder& j, int unit, bool last_micro_batch) {
    {
        const auto range = j.b.annotation("FSDP::post_backward_accumulate (" + unitName(j.job, unit) + ")");
        j.b.work(6'000);
    }
    {
        const auto range = j.b.annotation("FSDP::post_backward_reshard (" + unitName(j.job, unit) + ")");
        j.b.work(9'000);
    }
    if (last_micro_batch) {
        reduceUnit(j, unit);
    }
}

// A node in front of the unit does it; of the first unit, whose input needs no gradient, what the engine calls at the
// end of all.
void afterBackward2(JobBuilder& j, int unit, bool last_micro_batch) {
    if (unit == embeddingUnit(j.job)) {
        const auto root = j.b.annotation("FSDP::root_post_backward_callback");
        finishUnit(j, unit, last_micro_batch);
        return;
    }
    const auto engine = j.b.operation("autograd::engine::evaluate_function: RegisterPostBackwardFunctionBackward");
    const auto node = j.b.operation("RegisterPostBackwardFunctionBackward");
    finishUnit(j, unit, last_micro_batch);
}

void afterBackward1(JobBuilder& j, int unit, bool last_micro_batch) {
    const auto engine = j.b.operation("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad");
    const auto node = j.b.operation("torch::autograd::AccumulateGrad");
    const auto range = j.b.annotation("FullyShardedDataParallel._post_backward_hook");
    j.b.work(25'000);
    if (last_micro_batch) {
        labelUnit(j, unit);
        reduceReplicas(j, unit, j.start(scatterOf(j.job, unit, Stream::Communication)));
    }
}

bool isMissing(const JobBuilder& j, int unit) {
    return !j.state.whole.contains(unit) && !j.state.gathered.contains(unit);
}

void makeWhole(JobBuilder& j, int unit) {
    j.b.work(8'000);
    if (isMissing(j, unit)) {
        gatherUnit(j, unit);
    }
    if (!j.state.whole.contains(unit)) {
        copyOutUnit(j, unit);
    }
}

void beforeForward2(JobBuilder& j, int unit) {
    const auto range = j.b.annotation("FSDP::pre_forward (" + unitName(j.job, unit) + ")");
    makeWhole(j, unit);
}

void beforeBackward2(JobBuilder& j, int unit, std::optional<int> next) {
    // A hook on the output, which the engine runs before its node.
    const auto engine = j.b.operation("autograd::engine::evaluate_function: AddBackward0");
    const auto range = j.b.annotation("FSDP::pre_backward (" + unitName(j.job, unit) + ")");
    makeWhole(j, unit);
    if (j.job.prefetch && next && isMissing(j, *next)) {
        const auto ahead = j.b.annotation("FSDP::backward_prefetch for " + unitName(j.job, *next));
        gatherUnit(j, *next);
    }
    labelUnit(j, unit);
}

void beforeForward1(JobBuilder& j, int unit) {
    const auto range = j.b.annotation("FullyShardedDataParallel._pre_forward");
    j.b.work(25'000);
    if (isMissing(j, unit)) {
        gatherFlat(j, unit);
    }
    if (!j.state.whole.contains(unit)) {
        awaitFlat(j, unit);
    }
}

void beforeBackward1(JobBuilder& j, int unit, std::optional<int> next) {
    const auto range = j.b.annotation("FullyShardedDataParallel._pre_backward_hook");
    j.b.work(20'000);
    if (isMissing(j, unit)) {
        gatherFlat(j, unit);
    }
    if (!j.state.whole.contains(unit)) {
        awaitFlat(j, unit);
    }
    if (j.job.prefetch && next && isMissing(j, *next)) {
        const auto ahead = j.b.annotation("FullyShardedDataParallel._pre_backward_prefetch");
        gatherFlat(j, *next);
    }
    labelUnit(j, unit);
}

}  // namespace

int embeddingUnit(const JobSpec& job) {
    return job.layers;
}

int outputUnit(const JobSpec& job) {
    return job.layers + 1;
}

std::vector<ShardUnit> unitsOf(const JobSpec& job, int stage, int chunk) {
    std::vector<ShardUnit> units;
    for (const int layer : layersOf(job, stage, chunk)) {
        if (units.empty() || units.back().layers.size() == static_cast<std::size_t>(job.unit_layers)) {
            units.push_back({layer, {}});
        }
        units.back().layers.push_back(layer);
    }
    return units;
}

std::string unitName(const JobSpec& job, int unit) {
    if (isEnd(job, unit)) {
        return unit == embeddingUnit(job) ? "tok_embeddings" : "norm, output";
    }
    std::string name;
    for (int i = 0; i < layersInUnit(job, unit); ++i) {
        name += (i == 0 ? "layers." : ", layers.") + std::to_string(unit + i);
    }
    return name;
}

void shardBeforeForward(JobBuilder& j, int unit) {
    if (!shards(j.job)) {
        return;
    }
    if (j.job.sharing == Sharing::Fsdp2) {
        beforeForward2(j, unit);
    } else {
        beforeForward1(j, unit);
    }
}

void shardAfterForward(JobBuilder& j, int unit) {
    if (!shards(j.job)) {
        return;
    }
    const bool new_one = j.job.sharing == Sharing::Fsdp2;
    const auto range = j.b.annotation(new_one ? "FSDP::post_forward (" + unitName(j.job, unit) + ")"
                                              : std::string("FullyShardedDataParallel._post_forward"));
    j.b.work(12'000);
    // What the backward begins with is kept.
    if (reshards(j.job) && unit != outputUnit(j.job)) {
        j.state.whole.erase(unit);
        freeFlat(j);
    }
}

void shardBeforeBackward(JobBuilder& j, int unit, std::optional<int> next) {
    if (!shards(j.job)) {
        return;
    }
    if (j.job.sharing == Sharing::Fsdp2) {
        beforeBackward2(j, unit, next);
    } else {
        beforeBackward1(j, unit, next);
    }
}

void shardAfterBackward(JobBuilder& j, int unit, bool last_micro_batch) {
    if (!shards(j.job)) {
        return;
    }
    if (j.job.sharing == Sharing::Fsdp1) {
        afterBackward1(j, unit, last_micro_batch);
    } else {
        afterBackward2(j, unit, last_micro_batch);
    }
    if (reshards(j.job)) {
        j.state.whole.erase(unit);
        freeFlat(j);
    }
}

void reduceGradients(JobBuilder& j, int layer) {
    if (j.job.sharing != Sharing::Replicate || j.job.data == 1) {
        return;
    }
    labelUnit(j, layer);
    JobCollective reduce;
    reduce.group = j.job.framework == Framework::Megatron ? GroupKind::DataGradients : GroupKind::Data;
    reduce.elements = j.job.layer_parameters / j.job.tensor;
    reduce.type = ElementType::Float;
    j.state.reductions.push_back(j.start(reduce));
}

void awaitGradients(JobBuilder& j) {
    for (const std::uint32_t over : j.state.reductions) {
        j.b.waitEvent(Stream::Compute, over);
        j.b.work(2'000);
    }
    j.state.reductions.clear();
}

}  // namespace rankscope::tracegen::machine
