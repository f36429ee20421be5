// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/hang/hang.h"

namespace rankscope::test {

/// A job of some ranks whose calls a test makes one by one, and the dumps of their flight recorders.
class Job {
  public:
    explicit Job(std::int64_t ranks);

    /// Adds a group that its members know under `name`.
    std::size_t group(const std::string& description, std::vector<std::int64_t> ranks, const std::string& name = {});
    /// Each of these ranks makes the next call of the group.
    void make(std::size_t group, const std::string& kind, const std::vector<std::int64_t>& ranks,
              const std::vector<std::int64_t>& sizes = {32});
    /// A rank sends or receives: "send 0->1", in places of the group.
    void exchange(std::size_t group, const std::string& kind, std::int64_t rank);
    /// All calls so far are complete on these ranks.
    void complete(const std::vector<std::int64_t>& ranks);
    /// All ranks make a call, and complete it.
    void completeCall(std::size_t group, const std::string& kind);

    [[nodiscard]] std::vector<FlightDump>& dumps() { return dumps_; }
    [[nodiscard]] hang::Hang hang() const { return hang::findHang(dumps_); }
    [[nodiscard]] std::vector<std::int64_t> all() const;

  private:
    FlightCall& add(std::size_t group, const std::string& kind, std::int64_t rank);

    std::vector<FlightDump> dumps_;
    std::vector<std::vector<std::int64_t>> members_;      // by group
    std::vector<std::vector<std::size_t>> index_;         // by group and rank: the group's index in the dump
    std::vector<std::vector<std::int64_t>> collectives_;  // by group and rank
    std::vector<std::vector<std::int64_t>> exchanges_;    // the same
    std::int64_t clock_ns_ = 1'700'000'000'000'000'000;
};

/// The ranks of culprits, and their reasons.
using Verdicts = std::vector<std::pair<std::int64_t, hang::Why>>;
[[nodiscard]] Verdicts verdictsOf(const hang::Hang& hang);

}  // namespace rankscope::test
