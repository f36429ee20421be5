// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hang/same_call.h"

#include <algorithm>
#include <optional>

#include "core/analysis/collectives/collective_names.h"

namespace rankscope::hang {
namespace {

/// The type of all tensors of a call; empty if it is unknown, or if they differ.
std::string_view typeOf(const FlightCall& call) {
    const bool is_one = !call.types.empty() && std::ranges::all_of(call.types, [&call](const std::string& type) {
        return type == call.types.front();
    });
    return is_one ? std::string_view(call.types.front()) : std::string_view();
}

/// The bytes of a call as Collective::bytes; nothing if they are unknown, or may differ between ranks.
std::optional<std::int64_t> bytesOf(const FlightCall& call, CollectiveKind kind) {
    std::int64_t bytes = 0;
    const auto& tensors = kind == CollectiveKind::AllGather ? call.outputs : call.inputs;
    const std::optional<std::int64_t> size = elementBytes(typeOf(call));
    const bool is_shared = kind == CollectiveKind::AllReduce || kind == CollectiveKind::AllGather ||
                           kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::Broadcast;
    return is_shared && size && !tensors.empty() && !__builtin_mul_overflow(elementsOf(tensors), *size, &bytes)
               ? std::optional(bytes)
               : std::nullopt;
}

/// A barrier is recorded by its name, or as the all-reduce of one element that it is.
bool maySameKind(CollectiveKind a, CollectiveKind b) {
    const auto is_barrier_or_sum = [](CollectiveKind kind) {
        return kind == CollectiveKind::Barrier || kind == CollectiveKind::AllReduce;
    };
    return a == b || a == CollectiveKind::Unknown || b == CollectiveKind::Unknown ||
           (is_barrier_or_sum(a) && is_barrier_or_sum(b));
}

}  // namespace

std::int64_t elementsOf(const std::vector<std::vector<std::int64_t>>& tensors) {
    constexpr std::int64_t kMost = std::int64_t{1} << 62;
    std::int64_t sum = 0;
    for (const std::vector<std::int64_t>& sizes : tensors) {
        std::int64_t product = 1;
        for (const std::int64_t size : sizes) {
            const std::int64_t factor = std::max<std::int64_t>(size, 0);
            product = factor != 0 && product > kMost / factor ? kMost : product * factor;
        }
        sum = std::min(kMost - product, sum) + product;
    }
    return sum;
}

bool maySameCall(const FlightCall& call, const Collective& collective) {
    const CollectiveKind kind = collectiveKindOf(call.kind);
    const std::string_view type = typeOf(call);
    const bool is_barrier = kind == CollectiveKind::Barrier || collective.kind == CollectiveKind::Barrier;
    const std::optional<std::int64_t> bytes = bytesOf(call, kind);
    return maySameKind(kind, collective.kind) &&
           (is_barrier || ((type.empty() || collective.dtype.empty() || type == collective.dtype) &&
                           (!bytes || !collective.bytes || *bytes == *collective.bytes)));
}

bool isAtOtherTime(const FlightCall& call, const CollectiveMember& member, const RankTrace& trace) {
    constexpr TimeNs kSince2001 = 1'000'000'000'000'000'000;  // a smaller time counts from the start of a host
    constexpr DurationNs kClocksAgree = 10'000'000'000;       // those of PyTorch and of the profiler, on one host
    const TimeNs begin = member.op.valid()     ? trace.span(member.op).start_ns
                         : member.call.empty() ? member.span.start_ns
                                               : member.call.start_ns;
    return call.created_ns && *call.created_ns > kSince2001 && begin > kSince2001 &&
           (*call.created_ns < begin - kClocksAgree || *call.created_ns > member.span.end_ns + kClocksAgree);
}

}  // namespace rankscope::hang
