// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/prices/bucket_forecast.h"
#include "tests/tracegen/machine/config.h"
#include "tests/tracegen/machine/simulate.h"

namespace rankscope::accuracy {

/// A network that is trained by DDP on the event-driven machine, on links of some speed.
struct BucketModel {
    std::uint64_t seed = 1;
    int ranks = 4;
    int blocks = 8;
    std::int64_t block_parameters = 2'400'000;
    double device_scale = 1;  ///< of all kernel times
    double gb_per_s = 20;
    DurationNs latency_ns = 30'000;
    double bucket_mb = 25;  ///< today's bucket_cap_mb

    /// Its run with this cap.
    [[nodiscard]] tracegen::machine::Config with(double mb) const;
};

/// Models that were drawn by chance, and that no rule was chosen on: 2 to 16 ranks, 4 to 32 blocks of 0.5 to 16 million
/// parameters, devices five times as slow as the fastest, 4 to 150 GB/s, 10 to 600 us, today's cap one of kBucketCaps.
[[nodiscard]] std::vector<BucketModel> freshBucketModels(std::uint64_t first_seed = 8'000);

/// What is told of bucket sizes from one run, and the machine's own step with each of them.
struct BucketScore {
    BucketModel model;
    BucketForecast forecast;
    std::vector<DurationNs> true_ns;  ///< by kBucketCaps: the machine's mean step; empty where nothing is told
    DurationNs true_today_ns = 0;     ///< the same of today's cap

    [[nodiscard]] bool told() const { return !true_ns.empty(); }
    /// The place in kBucketCaps that is told to be best; where none is, today's.
    [[nodiscard]] std::size_t toldBest() const;
    /// The machine's best.
    [[nodiscard]] std::size_t trueBest() const;
    /// How many sizes the one lies from the nearest of those with the machine's shortest step.
    [[nodiscard]] std::size_t sizesApart() const;
    /// What the told one takes beyond the machine's shortest step, as a share of that.
    [[nodiscard]] double lost() const;
    /// The bars of kBucketCaps that hold the machine's step.
    [[nodiscard]] std::size_t barsThatHold() const;
};

/// What is told from the files of one run.
[[nodiscard]] BucketForecast forecastBucketsOf(const tracegen::machine::TrueRun& run);
[[nodiscard]] BucketScore judge(const BucketModel& model);

/// Nine of ten that are told lie within one size of the machine's best.
[[nodiscard]] bool holds(std::span<const BucketScore> scores);
/// A row a model, and what they say together, in Markdown.
[[nodiscard]] std::string markdownOf(std::span<const BucketScore> scores);
/// Told and true steps in us by cap, for a model that failed.
[[nodiscard]] std::string stepsText(const BucketScore& score);

}  // namespace rankscope::accuracy
