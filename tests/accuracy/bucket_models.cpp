// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/bucket_models.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "core/base/format.h"
#include "tests/accuracy/shares.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/machine/faults.h"

namespace rankscope::accuracy {
namespace {

namespace machine = tracegen::machine;

constexpr std::size_t kFreshModels = 40;

/// Numbers of chance that are the same everywhere: distributions of the standard library are not.
class Chance {
  public:
    explicit Chance(std::uint64_t seed) : bits_(seed) {}
    /// From 0 up to `count`, this excluded.
    [[nodiscard]] std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits_() % count); }
    /// Evenly between two numbers by their ratio.
    [[nodiscard]] double byRatio(double least, double most) {
        constexpr double kSpan = 18446744073709551616.0;  // 2^64
        return least * std::pow(most / least, static_cast<double>(bits_()) / kSpan);
    }

  private:
    std::mt19937_64 bits_;
};

std::string rowOf(const BucketScore& score) {
    const BucketModel& model = score.model;
    const std::string row = "| " + std::to_string(model.ranks) + " | " + std::to_string(model.blocks) + " x " +
                            formatDecimal(static_cast<double>(model.block_parameters) / 1e6, 1) + " | " +
                            formatDecimal(model.device_scale, 2) + " | " + formatDecimal(model.gb_per_s, 0) + " | " +
                            formatDecimal(static_cast<double>(model.latency_ns) / 1e3, 0) + " | " +
                            formatDecimal(model.bucket_mb, 0) + " | ";
    if (!score.told()) {
        return row + "cannot tell | - | - | - | - |\n";
    }
    return row + (score.forecast.best ? "" : "stay at ") + std::to_string(kBucketCaps.at(score.toldBest())) + " | " +
           std::to_string(kBucketCaps.at(score.trueBest())) + " | " + std::to_string(score.sizesApart()) + " | " +
           percentText(100 * score.lost()) + " | " + of(score.barsThatHold(), kBucketCaps.size()) + " |\n";
}

}  // namespace

machine::Config BucketModel::with(double mb) const {
    machine::Config config = machine::healthyConfig(seed, ranks);
    config.steps = 10;
    config.model.step_marks = true;
    config.model.blocks = blocks;
    config.model.block_parameters = block_parameters;
    config.model.device_scale = device_scale;
    config.model.bucket_mb = mb;
    config.model.gradient_nodes = 4;  // one a parameter, as PyTorch has it
    config.network.bytes_per_ns = gb_per_s;
    config.network.latency_ns = latency_ns;
    config.noise.hiccups_per_mille = 0;
    return config;
}

std::vector<BucketModel> freshBucketModels(std::uint64_t first_seed) {
    constexpr std::array kRanks = {2, 4, 8, 16};
    std::vector<BucketModel> models;
    for (std::size_t m = 0; m < kFreshModels; ++m) {
        Chance chance(first_seed + m);
        BucketModel model;
        model.seed = first_seed + m;
        model.ranks = kRanks.at(chance.below(kRanks.size()));
        model.blocks = static_cast<int>(std::lround(chance.byRatio(4, 32)));
        model.block_parameters = std::llround(chance.byRatio(0.5e6, 16e6));
        model.device_scale = chance.byRatio(0.5, 2.5);
        model.gb_per_s = chance.byRatio(4, 150);
        model.latency_ns = std::llround(chance.byRatio(10e3, 600e3));
        model.bucket_mb = kBucketCaps.at(chance.below(kBucketCaps.size()));
        models.push_back(model);
    }
    return models;
}

std::size_t BucketScore::toldBest() const {
    const auto today =
        std::ranges::lower_bound(kBucketCaps, model.bucket_mb, {}, [](int mb) { return double{1} * mb; });
    return forecast.best.value_or(
        std::min(static_cast<std::size_t>(today - kBucketCaps.begin()), kBucketCaps.size() - 1));
}

std::size_t BucketScore::trueBest() const {
    return static_cast<std::size_t>(std::ranges::min_element(true_ns) - true_ns.begin());
}

std::size_t BucketScore::sizesApart() const {
    const std::size_t told = toldBest();
    std::size_t apart = true_ns.size();
    for (std::size_t i = 0; i < true_ns.size(); ++i) {
        if (true_ns[i] == true_ns[trueBest()]) {
            apart = std::min(apart, std::max(told, i) - std::min(told, i));
        }
    }
    return apart;
}

double BucketScore::lost() const {
    // Today's cap may lie between those that are looked at.
    const DurationNs taken_ns = forecast.best ? true_ns[*forecast.best] : true_today_ns;
    const DurationNs least_ns = std::min(true_ns[trueBest()], true_today_ns);
    return static_cast<double>(taken_ns - least_ns) / static_cast<double>(least_ns);
}

std::size_t BucketScore::barsThatHold() const {
    std::size_t hold = 0;
    for (std::size_t i = 0; i < true_ns.size(); ++i) {
        const BucketCap& cap = forecast.caps[i];
        hold += cap.error_ns && std::abs(cap.step_ns - true_ns[i]) <= *cap.error_ns ? 1U : 0U;
    }
    return hold;
}

BucketForecast forecastBucketsOf(const machine::TrueRun& run) {
    AnalysisOptions options;
    options.bucket_sizes = true;
    return analyseSimulated(run, options).diagnosis.buckets.value_or(BucketForecast());
}

BucketScore judge(const BucketModel& model) {
    BucketScore score;
    score.model = model;
    const machine::TrueRun today = machine::simulate(model.with(model.bucket_mb));
    score.true_today_ns = today.meanStep();
    score.forecast = forecastBucketsOf(today);
    for (const BucketCap& cap : score.forecast.caps) {
        score.true_ns.push_back(cap.mb == model.bucket_mb ? score.true_today_ns
                                                          : machine::simulate(model.with(cap.mb)).meanStep());
    }
    return score;
}

bool holds(std::span<const BucketScore> scores) {
    const auto told = static_cast<std::size_t>(std::ranges::count_if(scores, &BucketScore::told));
    const auto near = static_cast<std::size_t>(std::ranges::count_if(
        scores, [](const BucketScore& score) { return score.told() && score.sizesApart() <= 1; }));
    constexpr std::size_t kOfTen = 9;
    return told > 0 && 10 * near >= kOfTen * told;
}

std::string markdownOf(std::span<const BucketScore> scores) {
    std::size_t told = 0;
    std::size_t near = 0;
    std::size_t bars = 0;
    std::vector<double> lost;
    std::string rows =
        "| ranks | blocks x million parameters | kernel times | GB/s | latency, us | today, MB | "
        "forecast best | true best | sizes apart | lost | bars that are right |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const BucketScore& score : scores) {
        rows += rowOf(score);
        if (score.told()) {
            ++told;
            near += score.sizesApart() <= 1 ? 1U : 0U;
            bars += score.barsThatHold();
            lost.push_back(score.lost());
        }
    }
    std::ranges::sort(lost);
    std::string text = std::to_string(scores.size()) + " models; " + std::to_string(told) +
                       " have a forecast. Its best size is within one of the machine's in " + of(near, told) + ".";
    if (!lost.empty()) {
        text += " A step with that size takes " + percentText(100 * lost[lost.size() / 2]) +
                " more than the machine's shortest (median), " + percentText(100 * lost.back()) +
                " at worst. The error bars contain the machine's step in " + of(bars, told * kBucketCaps.size()) +
                " cases.";
    }
    return text + "\n\n" + rows;
}

std::string stepsText(const BucketScore& score) {
    constexpr DurationNs kUs = 1'000;
    std::string text = "seed " + std::to_string(score.model.seed) + ", forecast/true (+-) in us: today " +
                       std::to_string(score.forecast.step_ns / kUs) + "/" + std::to_string(score.true_today_ns / kUs);
    for (std::size_t i = 0; i < score.true_ns.size(); ++i) {
        const BucketCap& cap = score.forecast.caps[i];
        text += " " + std::to_string(cap.mb) + ": " + std::to_string(cap.step_ns / kUs) + "/" +
                std::to_string(score.true_ns[i] / kUs) + " (" + std::to_string(cap.error_ns.value_or(0) / kUs) + ")";
    }
    return text + (score.forecast.reason.empty() ? "" : " " + score.forecast.reason) + "\n";
}

}  // namespace rankscope::accuracy
