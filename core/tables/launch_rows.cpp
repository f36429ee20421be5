// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>

#include "core/tables/model_rows.h"
#include "core/tables/slice_places.h"

namespace rankscope::tables {
namespace {

enum LaunchColumn : std::size_t { kLaunchRun, kLaunchRank, kLaunchHost, kLaunchDevice, kLatency };

/// The launches of one rank, and the number of the first one.
struct LaunchesOfRank {
    const AnalysedRun* run = nullptr;
    RankPosition rank;
    std::span<const Launch> launches;
    std::uint64_t first = 0;

    [[nodiscard]] const RankTrace& trace() const { return *run->run->ranks[rank]; }
};

class LaunchReader : public RowReader {
  public:
    LaunchReader(const std::vector<LaunchesOfRank>& ranks, const SlicePlaces& places)
        : ranks_(ranks), places_(places) {}

    Value at(std::uint64_t row, std::size_t column) override {
        if (row < begin_ || row >= end_) {
            of_ = &*std::prev(std::ranges::upper_bound(ranks_, row, {}, &LaunchesOfRank::first));
            begin_ = of_->first;
            end_ = begin_ + of_->launches.size();
        }
        const Launch& launch = of_->launches[row - begin_];
        switch (column) {
            case kLaunchRun: return std::string_view(of_->run->run->name);
            case kLaunchRank: return rankValue(*of_->run, of_->rank);
            case kLaunchHost: return places_.idOf(*of_->run, of_->rank, launch.host);
            case kLaunchDevice: return places_.idOf(*of_->run, of_->rank, launch.device);
            default: return latencyOf(launch);
        }
    }

  private:
    [[nodiscard]] Value latencyOf(const Launch& launch) const {
        const RankTrace& trace = of_->trace();
        const bool both = launch.host.valid() && launch.device.valid();
        return both ? Value(trace.span(launch.device).start_ns - trace.span(launch.host).start_ns) : Value();
    }

    const std::vector<LaunchesOfRank>& ranks_;
    const SlicePlaces& places_;
    const LaunchesOfRank* of_ = nullptr;
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
};

class LaunchRows : public IndexedRows {
  public:
    explicit LaunchRows(const Runs& runs) : places_(runs) {
        places_.eachRank([this](const AnalysedRun& run, RankPosition rank) {
            const std::span<const Launch> launches = run.run->ranks[rank]->launches.all();
            if (!launches.empty()) {
                ranks_.push_back({&run, rank, launches, size_});
            }
            size_ += launches.size();
        });
    }

    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] std::unique_ptr<RowReader> reader() const override {
        return std::make_unique<LaunchReader>(ranks_, places_);
    }

  private:
    SlicePlaces places_;
    std::vector<LaunchesOfRank> ranks_;
    std::uint64_t size_ = 0;
};

}  // namespace

Table launchTable() {
    return {"launch",
            "One piece of GPU work and the call that launched it.",
            {{"run", Type::Text, "name of the run"},
             {"rank", Type::Integer, "number of the rank; null where no file says it", Access::Seek},
             {"host", Type::Integer, "slice.id of the call", Access::Seek},
             {"device", Type::Integer, "slice.id of the GPU work", Access::Seek},
             {"latency_ns", Type::Integer, "from the start of the call to the start on the GPU"}},
            [](const Runs& runs) -> std::unique_ptr<Rows> { return std::make_unique<LaunchRows>(runs); }};
}

}  // namespace rankscope::tables
