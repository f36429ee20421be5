// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/run.h"

namespace rankscope::test {

/// Where in a step a collective is launched.
enum class Sent : std::uint8_t {
    Forward,   ///< by the main thread in a range named forward
    Gradient,  ///< by autograd between its nodes, as DDP's reducer does
    Node,      ///< by autograd inside a node of the backward
    After      ///< by the main thread in no phase
};

/// A collective of a rank: NCCL's, with args, of 10 us on a stream of its own.
struct Call {
    Sent where = Sent::After;
    std::string_view name;  ///< `Collective name`
    std::size_t group = 0;  ///< index in Rank::groups; beyond them: no args
    std::string kernel = "ncclDevKernel_Generic";
    std::string_view range{};      ///< around the launch, if any
    std::int64_t elements = 1000;  ///< of four bytes
};

/// One rank of a job that was made by hand.
struct Rank {
    std::int32_t number = 0;
    std::int32_t world = 0;
    std::vector<ProcessGroup> groups;  ///< its `pg_config`
    std::vector<Call> calls;
    bool ddp = false;    ///< its forward is in DistributedDataParallel.forward
    int steps = 1;       ///< in each of which it calls all of them
    bool marked = true;  ///< its steps have marks
};

[[nodiscard]] ProcessGroup groupOf(std::string name, std::string description, std::initializer_list<int> ranks);

/// `count` calls that are alike.
[[nodiscard]] std::vector<Call> times(std::size_t count, const Call& call);
/// All of them, one after the other.
[[nodiscard]] std::vector<Call> together(std::initializer_list<std::vector<Call>> parts);

/// The trace of the rank.
[[nodiscard]] std::shared_ptr<const RankTrace> traceOf(const Rank& rank);
/// A run of these ranks.
[[nodiscard]] std::shared_ptr<const Run> jobOf(const std::vector<Rank>& ranks);

}  // namespace rankscope::test
