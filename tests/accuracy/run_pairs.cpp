// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/run_pairs.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <numeric>
#include <random>

#include "core/base/format.h"
#include "core/compare/step_samples.h"
#include "tests/accuracy/chance.h"
#include "tests/accuracy/shares.h"
#include "tests/accuracy/simulated_run.h"

namespace rankscope::accuracy {
namespace {

using tracegen::Config;
using tracegen::Fault;
using tracegen::FaultKind;

constexpr int kQuietPairs = 67;    // for each number of steps
constexpr int kChangedPairs = 30;  // for each number of steps and change

/// A run each step of which has some milliseconds of host code, give or take. Each reads a value back before that, as
/// loops that log their loss do: a host that runs ahead would hide what the chance takes, in some steps and not in
/// others, and steps would not spread as they were planted to.
Config noisyRun(std::uint64_t seed, int steps, double slower, bool skewed, std::mt19937_64& chance) {
    Config config;
    config.seed = seed;
    config.ranks = 2;
    config.layers = 6;
    config.steps = steps;
    config.warmup_steps = 4;  // a window in the middle of a job: the first step is like the others
    config.kernel_scale = slower;
    constexpr double kTypicalMs = 8;
    constexpr double kSpreadMs = 1.0;
    config.faults.push_back(tracegen::parseFault("host-sync:count=1,amount=0"));
    for (int step = 0; step < steps; ++step) {
        Fault fault = tracegen::parseFault("host-code");
        const double away = skewed ? exponential(chance) - 1 : normal(chance);
        fault.amount = std::max(0.05, kTypicalMs + kSpreadMs * away);
        fault.first_step = step;
        fault.last_step = step;
        config.faults.push_back(fault);
    }
    return config;
}

RunPair makePair(int change_percent, int steps, int number) {
    const auto seed = 1000 * static_cast<std::uint64_t>(change_percent) + 100 * static_cast<std::uint64_t>(steps) +
                      static_cast<std::uint64_t>(number);
    std::mt19937_64 chance(seed);
    // Half of the pairs without a change have a skewed spread; the theory for the others is of normal ones.
    const bool skewed = change_percent == 0 && number % 2 == 1;
    RunPair pair;
    pair.name = "pair/" + std::to_string(change_percent) + "%/" + std::to_string(steps) + "/" + std::to_string(number);
    pair.change_percent = change_percent;
    pair.steps = steps;
    pair.a = noisyRun(seed, steps, 1, skewed, chance);
    pair.b = noisyRun(seed, steps, 1, skewed, chance);
    pair.b.rerun = 1;  // else the two would share all other chance, and differ by less than two runs do
    return pair;
}

/// Without the first step, which has no end of a step before it to be counted from.
std::vector<double> trueSteps(const tracegen::RunResult& run) {
    std::vector<double> out;
    for (const DurationNs ns : run.stepTimes()) {
        out.push_back(static_cast<double>(ns));
    }
    out.erase(out.begin());
    return out;
}

double meanOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squaresOf(const std::vector<double>& values) {
    const double mean = meanOf(values);
    double sum = 0;
    for (const double value : values) {
        sum += (value - mean) * (value - mean);
    }
    return sum;
}

/// Which share of normal samples of this effect the two tests find, from many draws.
void putTheory(PairTally& tally) {
    constexpr int kDraws = 4000;
    constexpr double kMean = 1e9;
    std::mt19937_64 chance(static_cast<std::uint64_t>(tally.steps));
    const auto sample = [&](double factor) {
        std::vector<DurationNs> out;
        out.reserve(static_cast<std::size_t>(tally.steps));
        for (int i = 0; i < tally.steps; ++i) {
            out.push_back(std::llround(kMean * (factor + tally.true_spread * normal(chance))));
        }
        return out;
    };
    int ours = 0;
    int student = 0;
    for (int i = 0; i < kDraws; ++i) {
        const StepDifference step = differenceOf(sample(1), sample(1 + tally.true_share));
        ours += step.verdict == StepVerdict::Slower ? 1 : 0;
        student += step.means && step.means->p < 1 - kConfidence && step.means->t > 0 ? 1 : 0;
    }
    tally.expected = static_cast<double>(ours) / kDraws;
    tally.allowed = static_cast<double>(student) / kDraws;
}

}  // namespace

std::vector<RunPair> pairMatrix() {
    std::vector<RunPair> pairs;
    for (const int change : {0, 3, 10, 30}) {
        for (const int steps : {4, 8, 16}) {
            for (int number = 0; number < (change == 0 ? kQuietPairs : kChangedPairs); ++number) {
                pairs.push_back(makePair(change, steps, number));
                // Not all of a step is kernels; what came of it is measured.
                pairs.back().b.kernel_scale = 1 + change / 52.0;
            }
        }
    }
    return pairs;
}

PairScore judge(const RunPair& pair) {
    PairScore score{.name = pair.name, .change_percent = pair.change_percent, .steps = pair.steps, .error = {}};
    try {
        const tracegen::RunResult a = tracegen::simulate(pair.a);
        const tracegen::RunResult b = tracegen::simulate(pair.b);
        const std::vector<double> steps_a = trueSteps(a);
        const std::vector<double> steps_b = trueSteps(b);
        const double mean_a = meanOf(steps_a);
        score.true_share = meanOf(steps_b) / mean_a - 1;
        score.true_spread = std::sqrt((squaresOf(steps_a) + squaresOf(steps_b)) / (2.0 * pair.steps - 4)) / mean_a;
        const AnalysedRun run_a = analyseAlone(loadSimulated(a));
        const AnalysedRun run_b = analyseAlone(loadSimulated(b));
        score.verdict =
            differenceOf(sampleSteps(run_a.facts).durations_ns, sampleSteps(run_b.facts).durations_ns).verdict;
    } catch (const std::exception& error) {
        score.error = error.what();
    }
    return score;
}

std::vector<PairTally> tallyOf(const std::vector<PairScore>& scores) {
    std::map<std::pair<int, int>, PairTally> tallies;
    for (const PairScore& score : scores) {
        PairTally& tally = tallies[{score.change_percent, score.steps}];
        tally.change_percent = score.change_percent;
        tally.steps = score.steps;
        ++tally.pairs;
        tally.slower += score.verdict == StepVerdict::Slower ? 1U : 0U;
        tally.faster += score.verdict == StepVerdict::Faster ? 1U : 0U;
        tally.true_share += score.true_share;
        tally.true_spread += score.true_spread * score.true_spread;
    }
    std::vector<PairTally> out;
    for (auto& [key, tally] : tallies) {
        tally.true_share /= static_cast<double>(tally.pairs);
        tally.true_spread = std::sqrt(tally.true_spread / static_cast<double>(tally.pairs));
        if (tally.change_percent > 0) {
            putTheory(tally);
        }
        out.push_back(tally);
    }
    return out;
}

bool holds(const std::vector<PairTally>& tallies) {
    std::size_t quiet = 0;
    std::size_t alarms = 0;
    std::size_t changed = 0;
    std::size_t wrong_way = 0;
    for (const PairTally& tally : tallies) {
        const auto pairs = static_cast<double>(tally.pairs);
        const double chance = std::sqrt(pairs * tally.expected * (1 - tally.expected));
        if (tally.change_percent == 0) {
            quiet += tally.pairs;
            alarms += tally.wrong();
        } else if (static_cast<double>(tally.slower) < pairs * tally.expected - 3 * chance - 1) {
            return false;
        } else {
            changed += tally.pairs;
            wrong_way += tally.wrong();
        }
    }
    return 20 * alarms <= quiet && 40 * wrong_way <= changed;
}

std::string markdownOf(const std::vector<PairTally>& tallies) {
    std::string out =
        "| planted | steps of each run | pairs | change of the step | steps spread by | judged slower | "
        "judged faster | expected | t-test allows |\n|---|---|---|---|---|---|---|---|---|\n";
    for (const PairTally& tally : tallies) {
        const bool changed = tally.change_percent > 0;
        out += "| " + (changed ? std::to_string(tally.change_percent) + " %" : std::string("nothing")) + " | " +
               std::to_string(tally.steps) + " | " + std::to_string(tally.pairs) + " | " +
               (changed ? formatDecimal(100 * tally.true_share, 1) + " %" : "-") + " | " +
               formatDecimal(100 * tally.true_spread, 1) + " % | " + std::to_string(tally.slower) + " | " +
               std::to_string(tally.faster) + " | " + (changed ? percent(tally.expected) : "under 5 %") + " | " +
               (changed ? percent(tally.allowed) : "5 %") + " |\n";
    }
    return out;
}

}  // namespace rankscope::accuracy
