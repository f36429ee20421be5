// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/faults.h"

#include <algorithm>
#include <stdexcept>

namespace rankscope::tracegen {
namespace {

std::string_view cut(std::string_view& text, char at) {
    const std::size_t end = std::min(text.find(at), text.size());
    const std::string_view head = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return head;
}

void setField(Fault& fault, std::string_view key, std::string_view value) {
    if (key == "ranks") {
        while (!value.empty()) {
            fault.ranks.push_back(std::stoi(std::string(cut(value, '+'))));
        }
    } else if (key == "first") {
        fault.first_step = std::stoi(std::string(value));
    } else if (key == "last") {
        fault.last_step = std::stoi(std::string(value));
    } else if (key == "amount") {
        fault.amount = std::stod(std::string(value));
    } else if (key == "count") {
        fault.count = std::stoi(std::string(value));
    } else {
        throw std::invalid_argument("a fault has no '" + std::string(key) + "'");
    }
}

}  // namespace

bool Fault::hits(int rank, int step) const {
    const bool begun = step >= first_step || first_step == 0;
    return begun && step <= last_step && (ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end());
}

const std::vector<FaultTraits>& allFaultTraits() {
    static const std::vector<FaultTraits> traits_table = {
        {FaultKind::Dataloader, "dataloader", "dataloader-stall", 0, 0, "ms to make a batch; 0: what a worker takes",
         ""},
        {FaultKind::ColdBatches, "cold-batches", "moving-straggler", 70, 0, "ms longer", ""},
        {FaultKind::SlowLoader, "slow-loader", "straggler-rank", 300, 0, "ms longer a batch", ""},
        {FaultKind::HostSync, "host-sync", "host-sync", 0.2, 8, "ms of Python after each", "syncs a step"},
        {FaultKind::UnpinnedMemcpy, "unpinned-memcpy", "unpinned-memcpy", 6, 0, "GB/s of the copy", ""},
        {FaultKind::SlowKernels, "slow-kernels", "straggler-rank", 1.15, 0, "times longer", ""},
        {FaultKind::Throttling, "throttling", "gpu-slows-down", 1.3, 2, "times longer once it is hot",
         "steps until it is"},
        {FaultKind::UnevenWork, "uneven-work", "moving-straggler", 1.15, 0, "times longer", ""},
        {FaultKind::TinyKernels, "tiny-kernels", "launch-bound", 0, 64, "", "kernels for one"},
        {FaultKind::AllocatorStall, "allocator", "allocator-stall", 0.6, 3, "ms a cudaMalloc", "cudaMalloc a step"},
        {FaultKind::FindUnused, "find-unused-parameters", "find-unused-parameters", 4, 2, "ms to walk the graph",
         "parameters a layer", Extent::AllRanks},
        {FaultKind::GradientCopies, "gradient-copies", "gradient-copies", 0, 8, "", "parameters a layer"},
        {FaultKind::BucketSize, "bucket-size", "bucket-size", 1, 0, "MiB a bucket", "", Extent::WholeRun},
        {FaultKind::SlowNetwork, "slow-network", "exposed-communication", 6, 0, "GB/s of the bus", "",
         Extent::AllRanks},
        {FaultKind::LateAllReduce, "late-all-reduce", "exposed-communication", 0, 0, "", "", Extent::AllRanks},
        {FaultKind::SlowCollective, "slow-collective", "slow-collective", 40, 3, "times slower", "which bucket, from 0",
         Extent::AllRanks},
        {FaultKind::HostCode, "host-code", "host-code", 30, 0, "ms", ""},
        {FaultKind::MemoryPressure, "memory-pressure", "memory-pressure", 0.97, 0, "of the device is held", ""},
    };
    return traits_table;
}

const FaultTraits& traitsOf(FaultKind kind) {
    const auto& all = allFaultTraits();
    return *std::find_if(all.begin(), all.end(), [kind](const FaultTraits& t) { return t.kind == kind; });
}

Fault parseFault(std::string_view text) {
    const std::string_view name = cut(text, ':');
    const auto& all = allFaultTraits();
    const auto traits = std::find_if(all.begin(), all.end(), [name](const FaultTraits& t) { return t.name == name; });
    if (traits == all.end()) {
        throw std::invalid_argument("no fault is called '" + std::string(name) + "'");
    }
    Fault fault;
    fault.kind = traits->kind;
    fault.amount = traits->amount;
    fault.count = traits->count;
    while (!text.empty()) {
        std::string_view field = cut(text, ',');
        const std::string_view key = cut(field, '=');
        setField(fault, key, field);
    }
    return fault;
}

}  // namespace rankscope::tracegen
