// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/reruns.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
#include <random>
#include <span>

#include "core/compare/sides.h"
#include "core/compare/step_samples.h"
#include "tests/accuracy/chance.h"
#include "tests/accuracy/shares.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/restart.h"

namespace rankscope::accuracy {
namespace {

constexpr std::uint64_t kStartsOfASide = 120;
constexpr int kDeals = 10;
constexpr std::size_t kSideSizes[] = {1, 2, 3, 5};

/// Eight steps, each with a piece of host code that takes a time of chance: half a per cent of the step apart.
JobStart startOf(int change_percent, std::uint64_t number) {
    constexpr int kSteps = 8;
    constexpr double kTypicalMs = 8;
    constexpr double kStepsApartMs = 0.1;
    // About half of a step is kernels; what came of it is measured.
    constexpr double kKernelsOfStep = 52;
    const std::uint64_t start = 1000 * static_cast<std::uint64_t>(change_percent) + number;
    std::mt19937_64 chance(start + 1);
    tracegen::Config config = tracegen::configOf(2, kSteps, {"host-sync:count=1,amount=0"});
    config.layers = 6;
    config.warmup_steps = 4;
    config.kernel_scale = 1 + change_percent / kKernelsOfStep;
    for (int step = 0; step < kSteps; ++step) {
        tracegen::Fault code = tracegen::parseFault("host-code");
        code.amount = std::max(0.05, kTypicalMs + kStepsApartMs * normal(chance));
        code.first_step = step;
        code.last_step = step;
        config.faults.push_back(code);
    }
    return {"start/" + std::to_string(change_percent) + "%/" + std::to_string(number), change_percent,
            tracegen::startedAgain(config, start + 1)};
}

using Starts = std::vector<const StartScore*>;

/// `size` starts of a side, from place `at` on.
std::vector<Recording> sideAt(const Starts& starts, std::size_t at, std::size_t size) {
    std::vector<Recording> side;
    for (const StartScore* start : std::span(starts).subspan(at, size)) {
        side.push_back(start->recording);
    }
    return side;
}

void count(StepVerdict verdict, RerunTally& tally) {
    ++tally.comparisons;
    tally.slower += verdict == StepVerdict::Slower ? 1U : 0U;
    tally.faster += verdict == StepVerdict::Faster ? 1U : 0U;
    tally.nothing += verdict == StepVerdict::NoDifferenceSeen ? 1U : 0U;
    tally.apart += verdict == StepVerdict::DifferenceOfRecordings ? 1U : 0U;
}

void compareAll(const Starts& a, const Starts& b, RerunTally& tally) {
    const std::size_t size = tally.recordings;
    for (std::size_t at = 0; at + size <= std::min(a.size(), b.size()); at += size) {
        const StepDifference steps = size == 1 ? differenceOf(a[at]->steps_ns, b[at]->steps_ns) : StepDifference();
        count(answerOf(sideAt(a, at, size), sideAt(b, at, size), steps).verdict, tally);
    }
}

double meanStep(const Starts& starts) {
    double sum = 0;
    for (const StartScore* start : starts) {
        sum += start->true_step_ns / static_cast<double>(starts.size());
    }
    return sum;
}

/// How far apart the recordings of two sides are, of all starts.
RerunSpread spreadOf(const Starts& a, const Starts& b) {
    return answerOf(sideAt(a, 0, a.size()), sideAt(b, 0, b.size()), {}).spread.value_or(RerunSpread());
}

/// Which share of normal medians with this effect and spread is judged slower, from many draws.
double slowerOf(const RerunTally& tally, double within) {
    constexpr int kDraws = 4000;
    constexpr double kMeanNs = 1e9;
    if (tally.recordings < 2) {
        return 0;
    }
    std::mt19937_64 chance(tally.recordings);
    const auto draw = [&](double factor) {
        std::vector<Recording> side(tally.recordings);
        for (Recording& one : side) {
            one.step.samples = kFewestSteps;
            one.step.middle_ns = std::llround(kMeanNs * factor * std::exp(tally.spread * normal(chance)));
            one.step.standard_error_ns = within * static_cast<double>(one.step.middle_ns);
        }
        return side;
    };
    int slower = 0;
    for (int i = 0; i < kDraws; ++i) {
        slower += answerOf(draw(1), draw(1 + tally.true_share), {}).verdict == StepVerdict::Slower ? 1 : 0;
    }
    return static_cast<double>(slower) / kDraws;
}

RerunTally tallyOf(Starts a, Starts b, int change_percent, std::size_t size) {
    RerunTally tally{.change_percent = change_percent, .recordings = size};
    tally.disjoint = std::min(a.size(), b.size()) / size;
    tally.true_share = meanStep(b) / meanStep(a) - 1;
    const RerunSpread spread = spreadOf(a, b);
    tally.spread = spread.share;
    tally.within = spread.within;
    std::mt19937_64 chance(size);
    const auto deal = [&chance](Starts& starts) {
        for (std::size_t i = starts.size(); i > 1; --i) {
            std::swap(starts[i - 1], starts[chance() % i]);
        }
    };
    for (int i = 0; i < kDeals; ++i) {
        deal(a);
        deal(b);
        compareAll(a, b, tally);
    }
    if (change_percent > 0) {
        tally.expected = slowerOf(tally, tally.within);
        tally.allowed = slowerOf(tally, 0);
    }
    return tally;
}

}  // namespace

std::vector<JobStart> jobStarts() {
    std::vector<JobStart> starts;
    for (const int change : {0, 2, 3, 5}) {
        for (std::uint64_t number = 0; number < (change == 0 ? 2 : 1) * kStartsOfASide; ++number) {
            starts.push_back(startOf(change, number));
        }
    }
    return starts;
}

StartScore judge(const JobStart& start) {
    StartScore score;
    score.name = start.name;
    score.change_percent = start.change_percent;
    try {
        const tracegen::RunResult run = tracegen::simulate(start.config);
        std::vector<DurationNs> own = run.stepTimes();
        own.erase(own.begin());  // it has no end of a step before it to be counted from
        score.true_step_ns = static_cast<double>(std::accumulate(own.begin(), own.end(), DurationNs{0})) /
                             static_cast<double>(own.size());
        const AnalysedRun analysed = analyseAlone(loadSimulated(run));
        score.recording = sideOf({&analysed}).recordings.front();
        score.steps_ns = sampleSteps(analysed.facts).durations_ns;
    } catch (const std::exception& error) {
        score.error = error.what();
        score.recording.left_out = error.what();
    }
    return score;
}

std::vector<RerunTally> tallyOf(const std::vector<StartScore>& scores) {
    Starts base;
    Starts again;
    std::vector<RerunTally> tallies;
    for (const StartScore& score : scores) {
        if (score.change_percent == 0 && score.error.empty()) {
            (base.size() < kStartsOfASide ? base : again).push_back(&score);
        }
    }
    for (const int change : {0, 2, 3, 5}) {
        Starts changed = change == 0 ? again : Starts();
        for (const StartScore& score : scores) {
            if (change > 0 && score.change_percent == change && score.error.empty()) {
                changed.push_back(&score);
            }
        }
        for (const std::size_t size : kSideSizes) {
            if (std::min(base.size(), changed.size()) > size) {
                tallies.push_back(tallyOf(base, changed, change, size));
            }
        }
    }
    return tallies;
}

bool holds(const std::vector<RerunTally>& tallies) {
    std::size_t quiet = 0;
    std::size_t alarms = 0;
    std::size_t changed = 0;
    std::size_t wrong_way = 0;
    for (const RerunTally& tally : tallies) {
        if (tally.recordings == 1) {
            if (tally.slower + tally.faster > 0) {
                return false;
            }
            continue;
        }
        const auto chances = static_cast<double>(std::max<std::size_t>(1, tally.disjoint));
        const double chance = std::sqrt(tally.expected * (1 - tally.expected) / chances);
        const double found = static_cast<double>(tally.slower) / static_cast<double>(tally.comparisons);
        if (tally.change_percent == 0) {
            quiet += tally.comparisons;
            alarms += tally.wrong();
        } else if (found < tally.expected - 3 * chance - 1 / chances) {
            return false;
        } else {
            changed += tally.comparisons;
            wrong_way += tally.wrong();
        }
    }
    return 20 * alarms <= quiet && 40 * wrong_way <= changed;
}

std::string markdownOf(const std::vector<RerunTally>& tallies) {
    std::string out =
        "| changed | recordings of each side | comparisons | change of the step | recordings spread by | of which "
        "steps "
        "| slower | faster | difference of recordings | expected | t-test allows |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const RerunTally& tally : tallies) {
        const auto share = [&tally](std::size_t part) {
            return percentText(100 * static_cast<double>(part) / static_cast<double>(tally.comparisons));
        };
        const bool changed = tally.change_percent > 0;
        const bool alone = tally.recordings == 1;
        out += "| " + (changed ? std::to_string(tally.change_percent) + " %" : std::string("nothing")) + " | " +
               std::to_string(tally.recordings) + " | " + std::to_string(tally.comparisons) + " | " +
               (changed ? percentText(100 * tally.true_share) : "-") + " | " + percentText(100 * tally.spread) + " | " +
               percentText(100 * tally.within) + " | " + share(tally.slower) + " | " + share(tally.faster) + " | " +
               (alone ? share(tally.apart) : "-") + " | " +
               (alone     ? "none | none"
                : changed ? percent(tally.expected) + " | " + percent(tally.allowed)
                          : std::string("under 5 % | 5 %")) +
               " |\n";
    }
    return out;
}

}  // namespace rankscope::accuracy
