// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/hang/job.h"

#include <numeric>

namespace rankscope::test {

Job::Job(std::int64_t ranks) {
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        FlightDump& dump = dumps_.emplace_back();
        dump.path = "rank_" + std::to_string(rank) + ".pickle";
        dump.rank = rank;
        dump.version = "2.9";
    }
}

std::size_t Job::group(const std::string& description, std::vector<std::int64_t> ranks, const std::string& name) {
    const std::size_t group = members_.size();
    std::vector<std::size_t>& index = index_.emplace_back(dumps_.size());
    for (const std::int64_t rank : ranks) {
        const auto at = static_cast<std::size_t>(rank);
        index[at] = dumps_[at].groups.size();
        FlightGroup& added = dumps_[at].groups.emplace_back();
        added.name = name.empty() ? std::to_string(group) : name;
        added.description = description;
        added.ranks = ranks;
    }
    members_.push_back(std::move(ranks));
    collectives_.emplace_back(dumps_.size());
    exchanges_.emplace_back(dumps_.size());
    return group;
}

FlightCall& Job::add(std::size_t group, const std::string& kind, std::int64_t rank) {
    const auto at = static_cast<std::size_t>(rank);
    FlightCall& call = dumps_[at].calls.emplace_back();
    call.record = static_cast<std::int64_t>(dumps_[at].calls.size());
    call.group = index_[group][at];
    call.kind = kind;
    clock_ns_ += 1000;
    call.created_ns = clock_ns_;
    return call;
}

void Job::make(std::size_t group, const std::string& kind, const std::vector<std::int64_t>& ranks,
               const std::vector<std::int64_t>& sizes) {
    for (const std::int64_t rank : ranks) {
        FlightCall& call = add(group, kind, rank);
        call.number = ++collectives_[group][static_cast<std::size_t>(rank)];
        call.inputs = {sizes};
        call.outputs = {sizes};
        call.types = {"Float"};
    }
}

void Job::exchange(std::size_t group, const std::string& kind, std::int64_t rank) {
    FlightCall& call = add(group, kind, rank);
    call.number = collectives_[group][static_cast<std::size_t>(rank)];
    call.exchange = ++exchanges_[group][static_cast<std::size_t>(rank)];
    call.is_exchange = true;
}

void Job::complete(const std::vector<std::int64_t>& ranks) {
    for (const std::int64_t rank : ranks) {
        for (FlightCall& call : dumps_[static_cast<std::size_t>(rank)].calls) {
            call.state = FlightState::Completed;
        }
    }
}

void Job::completeCall(std::size_t group, const std::string& kind) {
    make(group, kind, members_[group]);
    complete(members_[group]);
}

std::vector<std::int64_t> Job::all() const {
    std::vector<std::int64_t> ranks(dumps_.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

Verdicts verdictsOf(const hang::Hang& hang) {
    Verdicts verdicts;
    for (const hang::Culprit& culprit : hang.culprits) {
        verdicts.emplace_back(culprit.rank, culprit.why);
    }
    return verdicts;
}

}  // namespace rankscope::test
