// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives and messages as c10d sends them.
#include <stdexcept>

#include "tests/tracegen/machine/job_builder.h"
#include "tests/tracegen/vocabulary.h"

namespace rankscope::tracegen::machine {
namespace {

struct CallNames {
    std::string_view operation;
    std::string_view range;
    std::string_view kernel;
};

CallNames namesOf(CollectiveKind kind, ElementType type) {
    const bool float32 = type == ElementType::Float;
    const Vocabulary& words = vocabularyOf(Vendor::Cuda, Dialect::Modern);
    switch (kind) {
        case CollectiveKind::AllReduce:
            return {"c10d::allreduce_", "nccl:all_reduce", float32 ? words.all_reduce : nccl::kAllReduce};
        case CollectiveKind::Broadcast: return {"c10d::broadcast_", "nccl:broadcast", words.broadcast};
        case CollectiveKind::AllGather: return {"c10d::_allgather_base_", "nccl:_all_gather_base", nccl::kAllGather};
        case CollectiveKind::ReduceScatter:
            return {"c10d::_reduce_scatter_base_", "nccl:_reduce_scatter_base",
                    float32 ? nccl::kReduceScatterFloat : nccl::kReduceScatter};
        case CollectiveKind::AllToAll: return {"c10d::alltoall_base_", "nccl:all_to_all", nccl::kSendRecv};
        case CollectiveKind::Send: return {"c10d::send", "nccl:send ", nccl::kSendRecv};
        case CollectiveKind::Receive: break;
    }
    return {"c10d::recv_", "nccl:recv ", nccl::kSendRecv};
}

// The call as c10d makes it: it waits for `ready` on its own stream, and leaves an event at its end.
std::uint32_t launchCall(JobBuilder& j, const CollectiveCall& call, const CallNames& names, std::string_view range,
                         Stream stream, std::optional<std::uint32_t> ready) {
    StepBuilder& b = j.b;
    const auto outer = b.operation(names.operation);
    b.work(7'000);
    std::uint32_t before = 0;
    if (ready) {
        before = *ready;
    } else {
        before = j.newEvent();
        b.recordEvent(Stream::Compute, before);
    }
    const auto parameters = b.operation("record_param_comms", -1, call);
    if (!j.job.brief) {
        b.call("cudaStreamIsCapturing", 900);
    }
    b.waitEvent(stream, before);
    const auto annotation = b.annotation(range);
    b.work(5'000);
    b.collective(call, names.kernel, stream);
    const std::uint32_t over = j.newEvent();
    b.recordEvent(stream, over);
    b.work(3'000);
    return over;
}

}  // namespace

std::uint32_t JobBuilder::start(const JobCollective& collective, std::optional<std::uint32_t> ready) {
    CollectiveCall call;
    call.group = groupOf(job, collective.group, b.rank());
    call.elements = collective.elements;
    call.elements_out = collective.elements_out;
    call.sequence = ++counters_.collectives[call.group];
    call.kind = collective.kind;
    call.type = collective.type;
    call.split_in = collective.split_in;
    call.split_out = collective.split_out;
    const CallNames names = namesOf(call.kind, call.type);
    return launchCall(*this, call, names, names.range, collective.stream, ready);
}

CollectiveCall JobBuilder::callOf(GroupKind group, int peer, bool sends, bool counts) {
    CollectiveCall call;
    call.group = groupOf(job, group, b.rank());
    call.elements = job.activations;
    call.type = ElementType::BFloat16;
    call.kind = sends ? CollectiveKind::Send : CollectiveKind::Receive;
    call.peer = peer;
    std::uint64_t& counted = counters_.messages[call.group];
    counted += counts ? 1 : 0;
    call.sequence = counted;
    const std::pair<int, int> way = sends ? std::pair(b.rank(), peer) : std::pair(peer, b.rank());
    call.message = ++counters_.between_ranks[way];
    return call;
}

CollectiveCall JobBuilder::callOf(const Message& message, bool counts) {
    const bool sends = message.from == place.pipeline;
    const int peer = rankAt(job, {place.data, sends ? message.to : message.from, place.tensor});
    return callOf(GroupKind::Pipeline, peer, sends, counts);
}

void JobBuilder::passAlone(const Message& message) {
    const CollectiveCall call = callOf(message, true);
    const bool sends = call.kind == CollectiveKind::Send;
    const int peer_stage = sends ? message.to : message.from;
    const CallNames names = namesOf(call.kind, call.type);
    // c10d counts ranks of the group here.
    const std::string range =
        std::string(names.range) + std::to_string(place.pipeline) + (sends ? "->" : "<-") + std::to_string(peer_stage);
    // Two ranks have a communicator of their own, and that a stream.
    const bool is_next = peer_stage == (place.pipeline + 1) % job.pipeline;
    const std::uint32_t over =
        launchCall(*this, call, names, range, is_next ? Stream::Next : Stream::Previous, std::nullopt);
    if (!sends) {
        state.arrived[{message.forward, {message.micro_batch, message.chunk}}] = over;
    }
}

// The calls are counted once and told one by one; what is launched at the end belongs to none of them.
std::uint32_t JobBuilder::launchBatch(std::vector<CollectiveCall> batch, Stream stream) {
    for (const CollectiveCall& call : batch) {
        const auto outer = b.operation(namesOf(call.kind, call.type).operation);
        b.work(4'000);
        const auto parameters = b.operation("record_param_comms", -1, call);
        b.work(2'000);
    }
    const std::uint32_t before = newEvent();
    b.recordEvent(Stream::Compute, before);
    b.waitEvent(stream, before);
    const std::uint32_t over = newEvent();
    const auto annotation = b.annotation("nccl:coalesced");
    b.work(6'000);
    b.messages(std::move(batch), nccl::kSendRecv, stream);
    b.recordEvent(stream, over);
    return over;
}

void JobBuilder::passTogether(const std::vector<Message>& messages) {
    std::vector<CollectiveCall> batch;
    for (const Message& message : messages) {
        batch.push_back(callOf(message, batch.empty()));
    }
    const std::uint32_t over = launchBatch(std::move(batch), Stream::Next);
    for (const Message& message : messages) {
        if (message.to == place.pipeline) {
            state.arrived[{message.forward, {message.micro_batch, message.chunk}}] = over;
        }
    }
}

std::uint32_t JobBuilder::passInRing(std::int64_t elements) {
    const int first = place.data / job.context * job.context;
    const int own = place.data - first;
    const auto member = [&](int by) {
        return rankAt(job, {first + (own + by + job.context) % job.context, place.pipeline, place.tensor});
    };
    std::vector<CollectiveCall> batch = {callOf(GroupKind::Context, member(1), true, true),
                                         callOf(GroupKind::Context, member(-1), false, false)};
    for (CollectiveCall& call : batch) {
        call.elements = elements;
    }
    return launchBatch(std::move(batch), Stream::Context);
}

void JobBuilder::pass(const std::vector<Message>& messages) {
    if (job.batched && !messages.empty()) {
        passTogether(messages);
        return;
    }
    for (const Message& message : messages) {
        passAlone(message);
    }
}

void JobBuilder::awaitInput(const StageAction& action) {
    if (const auto input = inputOf(job, place.pipeline, action)) {
        b.waitEvent(Stream::Compute, state.arrived.at({input->forward, {input->micro_batch, input->chunk}}));
    }
}

}  // namespace rankscope::tracegen::machine
