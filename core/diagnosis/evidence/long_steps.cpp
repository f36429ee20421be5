// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/long_steps.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "core/analysis/steps/run_steps.h"

namespace rankscope {
namespace {

/// This many other steps are needed as a baseline.
constexpr std::size_t kLeastOthers = 3;
/// Rare means this many others for each long step.
constexpr std::size_t kOthersALongStep = 2;
/// The cause of a long step takes at least this share of its extra time.
constexpr double kMainPart = 0.5;
/// A loss or metrics that are read back are a few bytes; more than this is part of a model, an optimizer's state, or an
/// image.
constexpr std::int64_t kLeastSavedBytes = std::int64_t{1} << 20U;
constexpr std::int64_t kTimesBaselineBytes = 10;

/// Which steps are long, and which are not.
struct Lengths {
    std::vector<RunStepPosition> warming;  ///< long steps at the start of the window
    std::vector<RunStepPosition> spikes;
    std::vector<RunStepPosition> others;
};

Lengths divide(const std::vector<RunStep>& steps) {
    std::vector<RunStepPosition> complete;
    std::vector<DurationNs> durations;
    for (RunStepPosition p{0}; p < steps.size(); ++p) {
        if (steps[p].complete && !steps[p].other_kind && steps[p].duration_ns > 0) {
            complete.push_back(p);
            durations.push_back(steps[p].duration_ns);
        }
    }
    const std::vector<bool> is_long = findOutliers(durations);
    Lengths lengths;
    bool opens = false;
    for (std::size_t i = 0; i < complete.size(); ++i) {
        // A step that follows none begins where the window begins, or where a new one begins after a pause of the
        // profiler.
        opens = !steps[complete[i]].follows || (opens && is_long[i - 1]);
        if (is_long[i]) {
            (opens ? lengths.warming : lengths.spikes).push_back(complete[i]);
        } else if (steps[complete[i]].follows) {
            lengths.others.push_back(complete[i]);
        }
    }
    return lengths;
}

DurationNs meanLength(const std::vector<RunStep>& steps, const std::vector<RunStepPosition>& of) {
    std::vector<DurationNs> lengths;
    for (const RunStepPosition p : of) {
        lengths.push_back(steps[p].duration_ns);
    }
    return meanOf(lengths);
}

/// How much more a step has than the mean of its rank's other steps.
struct Excess {
    DurationNs own_ns = 0;
    DurationNs compute_ns = 0;
    DurationNs late_host_ns = 0;
    DurationNs stalled_ns = 0;  ///< the part in which a thread is known to stall
    DurationNs profiler_ns = 0;
    DurationNs loader_ns = 0;
    DurationNs allocator_ns = 0;
    std::int64_t bytes_to_host = 0;
    std::int64_t baseline_bytes = 0;
    double forward = 0;         ///< the number of kernels outside backward and optimizer, divided by the others' mean
    double training = 0;        ///< the number of kernels in backward and optimizer, divided by the others' mean
    bool trains_alone = false;  ///< the optimizer works in this step, but not in the others
};

bool isMainPart(DurationNs part_ns, DurationNs of_ns) {
    return static_cast<double>(part_ns) >= kMainPart * static_cast<double>(of_ns);
}

/// The mean of a value over the others' contents.
template <class Value>
std::int64_t meanOfOthers(const std::vector<const StepContent*>& others, const Value& value) {
    std::vector<std::int64_t> values;
    for (const StepContent* other : others) {
        values.push_back(static_cast<std::int64_t>(value(*other)));
    }
    return meanOf(values);
}

Excess excessOf(const StepContent& step, const std::vector<const StepContent*>& others) {
    const auto more = [&](const auto& value) {
        return static_cast<std::int64_t>(value(step)) - meanOfOthers(others, value);
    };
    const auto forward = [](const StepContent& c) { return c.kernels - c.training_kernels; };
    const auto training = [](const StepContent& c) { return c.training_kernels; };
    const auto optimizer = [](const StepContent& c) { return c.optimizer_kernels; };
    const auto over = [&](const auto& value) {
        const auto baseline = static_cast<double>(meanOfOthers(others, value));
        return baseline > 0 ? static_cast<double>(value(step)) / baseline : 0;
    };
    Excess excess;
    excess.own_ns = more([](const StepContent& c) { return c.own(); });
    excess.compute_ns = more([](const StepContent& c) { return c.compute_ns; });
    excess.late_host_ns = more([](const StepContent& c) { return c.lateHost(); });
    excess.stalled_ns = more([](const StepContent& c) { return c.idle[Cause::HostStall]; });
    excess.profiler_ns = more([](const StepContent& c) { return c.profiler_ns; });
    excess.loader_ns = more([](const StepContent& c) { return c.idle[Cause::DataLoader]; });
    excess.allocator_ns = more([](const StepContent& c) { return c.idle[Cause::Allocator]; });
    excess.bytes_to_host = more([](const StepContent& c) { return c.bytes_to_host; });
    excess.baseline_bytes = meanOfOthers(others, [](const StepContent& c) { return c.bytes_to_host; });
    excess.forward = over(forward);
    excess.training = over(training);
    excess.trains_alone = optimizer(step) > 0 && meanOfOthers(others, optimizer) == 0;
    return excess;
}

bool hasAny(std::string_view name, std::span<const std::string_view> words) {
    std::string lower;
    std::ranges::transform(name, std::back_inserter(lower),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::any_of(words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

bool hints(const OnlyThere& news, std::span<const std::string_view> words) {
    return std::ranges::any_of(news.names, [&](const OnlyThere::Name& name) { return hasAny(name.name, words); });
}

constexpr std::array<std::string_view, 5> kSaves = {"checkpoint", "ckpt", "state_dict", "torch/serialization.py",
                                                    "save_model"};
constexpr std::array<std::string_view, 3> kCollects = {"gc.collect", "built-in function collect", "gc.py("};

/// What makes a step of a rank longer by `long_ns`, and how much of that it takes.
struct Judged {
    SpikeCause cause = SpikeCause::HostPause;
    DurationNs ns = 0;
};

std::optional<Judged> judge(const Excess& excess, const OnlyThere& news, DurationNs long_ns) {
    if (excess.trains_alone) {
        return std::nullopt;
    }
    if (isMainPart(excess.profiler_ns, long_ns)) {
        return Judged{SpikeCause::Profiler, excess.profiler_ns};
    }
    if (isMainPart(excess.loader_ns, long_ns)) {
        return Judged{SpikeCause::DataLoader, excess.loader_ns};
    }
    if (isMainPart(excess.allocator_ns, long_ns)) {
        return Judged{SpikeCause::Allocator, excess.allocator_ns};
    }
    const bool copies_much =
        excess.bytes_to_host >= std::max(kLeastSavedBytes, kTimesBaselineBytes * excess.baseline_bytes);
    const bool computes = isMainPart(excess.compute_ns, long_ns);
    if (!computes && (copies_much || (isMainPart(news.covered_ns, long_ns) && hints(news, kSaves)))) {
        return Judged{SpikeCause::Checkpoint, excess.own_ns};
    }
    // At least half a forward more, with an unchanged backward and optimizer. A forward of small batches may make the
    // device wait for launches, so a part of the time is enough.
    const bool no_more_training = excess.training > 0.9 && excess.training < 1.1;
    if (excess.forward >= 1.5 && no_more_training && excess.compute_ns > 0 &&
        multiple(4, excess.compute_ns) >= long_ns) {
        return Judged{SpikeCause::Evaluation, excess.own_ns};
    }
    if (!isMainPart(excess.late_host_ns, long_ns)) {
        return std::nullopt;
    }
    if (hints(news, kCollects)) {
        return Judged{SpikeCause::Collection, excess.late_host_ns};
    }
    return Judged{isMainPart(news.covered_ns, long_ns) ? SpikeCause::HostCode : SpikeCause::HostPause,
                  excess.late_host_ns};
}

/// What the ranks of a run did in each step.
class Contents {
  public:
    Contents(const RuleContext& context, const std::vector<RunStepPosition>& others)
        : context_(context), others_(context.facts.ranks.size()), of_rank_(context.facts.ranks.size()) {
        for (RankPosition r{0}; r < of_rank_.size(); ++r) {
            if (context.facts.ranks[r].device < 0) {
                continue;
            }
            of_rank_[r] = stepContents(context, r);
            for (const RunStepPosition p : others) {
                if (const auto own = context.facts.steps[p].of(r)) {
                    others_[r].push_back(&of_rank_[r][*own]);
                }
            }
        }
    }

    [[nodiscard]] std::optional<Excess> excess(RankPosition rank, RunStepPosition step) const {
        const std::optional<RankStepPosition> own = context_.facts.steps[step].of(rank);
        if (others_[rank].size() < kLeastOthers || !own) {
            return std::nullopt;
        }
        return excessOf(of_rank_[rank][*own], others_[rank]);
    }
    [[nodiscard]] OnlyThere news(RankPosition rank, const std::vector<RunStepPosition>& steps) const {
        std::vector<TimeSpan> there;
        for (const RunStepPosition p : steps) {
            if (const auto own = context_.facts.steps[p].of(rank)) {
                there.push_back(of_rank_[rank][*own].host);
            }
        }
        std::vector<TimeSpan> elsewhere;
        for (const StepContent* other : others_[rank]) {
            elsewhere.push_back(other->host);
        }
        return namesOnlyIn(context_.work[rank], there, elsewhere);
    }

  private:
    const RuleContext& context_;
    std::vector<std::vector<const StepContent*>> others_;  // by rank
    std::vector<std::vector<StepContent>> of_rank_;
};

/// One long step with its cause.
struct Explained {
    RunStepPosition step;
    std::vector<RankPosition> ranks;  ///< the one with the largest part first
    Judged judged;
    Excess excess;             ///< excess of the first rank
    bool stand_still = false;  ///< a thread of one of the ranks is known to stall for most of a pause
};

std::optional<Explained> explain(const RuleContext& context, const Contents& contents, RunStepPosition step,
                                 DurationNs baseline_ns) {
    std::vector<std::pair<DurationNs, RankPosition>> own;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        if (const std::optional<Excess> excess = contents.excess(r, step)) {
            own.emplace_back(excess->own_ns, r);
        }
    }
    std::ranges::stable_sort(own, std::greater<>(), &std::pair<DurationNs, RankPosition>::first);
    const DurationNs long_ns = context.facts.steps[step].duration_ns - baseline_ns;
    if (own.empty() || static_cast<double>(own.front().first) < kMainPart * static_cast<double>(long_ns)) {
        return std::nullopt;
    }
    Explained explained{.step = step, .ranks = {}, .judged = {}, .excess = *contents.excess(own.front().second, step)};
    for (const auto& [ns, rank] : own) {
        if (2 * ns >= own.front().first) {
            explained.ranks.push_back(rank);
        }
    }
    const std::optional<Judged> judged = judge(explained.excess, contents.news(own.front().second, {step}), long_ns);
    if (!judged) {
        return std::nullopt;
    }
    explained.judged = *judged;
    explained.stand_still =
        judged->cause == SpikeCause::HostPause && std::ranges::any_of(explained.ranks, [&](RankPosition rank) {
            return isMainPart(contents.excess(rank, step)->stalled_ns, judged->ns);
        });
    return explained;
}

/// Whether the cause is certain enough to distinguish it from warm-up.
bool isProven(SpikeCause cause) {
    return cause == SpikeCause::Checkpoint || cause == SpikeCause::Evaluation || cause == SpikeCause::HostCode;
}

bool shareCause(const Explained& a, const Explained& b) {
    // If nothing says what the CPU does, it is one problem only if it is on the same ranks.
    const auto sorted = [](std::vector<RankPosition> ranks) {
        std::ranges::sort(ranks);
        return ranks;
    };
    return a.judged.cause == b.judged.cause && (a.judged.cause != SpikeCause::HostPause ||
                                                (a.stand_still && b.stand_still) || sorted(a.ranks) == sorted(b.ranks));
}

std::optional<std::int64_t> regularity(const RuleContext& context, const std::vector<RunStepPosition>& steps) {
    std::optional<std::int64_t> every;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        const std::int64_t apart = context.facts.steps[steps[i]].index - context.facts.steps[steps[i - 1]].index;
        if (every && *every != apart) {
            return std::nullopt;
        }
        every = apart;
    }
    return every;
}

/// The ranks that most of the steps name. If threads stall on one rank after another, all of them.
std::vector<RankPosition> culpritsOf(const std::vector<Explained>& steps, std::size_t ranks) {
    const bool stand_still = std::ranges::all_of(steps, &Explained::stand_still);
    std::vector<std::size_t> named(ranks);
    for (const Explained& step : steps) {
        for (const RankPosition r : step.ranks) {
            ++named[r];
        }
    }
    std::vector<RankPosition> culprits;
    for (RankPosition r{0}; r < ranks; ++r) {
        if (stand_still ? named[r] > 0 : 2 * named[r] > steps.size()) {
            culprits.push_back(r);
        }
    }
    return culprits.empty() ? steps.front().ranks : culprits;
}

/// Whether to report what makes these steps long. A CPU pause that occurs only once is reported only if a thread is
/// known to stall for at least the length of a normal step: that is not jitter.
bool isTold(const std::vector<Explained>& group, DurationNs baseline_ns) {
    return group.size() > 1 || group.front().judged.cause != SpikeCause::HostPause ||
           group.front().excess.stalled_ns >= baseline_ns;
}

StepSpikes gather(const RuleContext& context, const Contents& contents, const Lengths& lengths,
                  const std::vector<Explained>& group) {
    StepSpikes spikes;
    spikes.cause = group.front().judged.cause;
    spikes.stand_still = std::ranges::any_of(group, &Explained::stand_still);
    spikes.others = lengths.others;
    std::vector<DurationNs> cause_ns;
    std::vector<std::int64_t> bytes;
    DurationNs own_ns = 0;
    DurationNs compute_ns = 0;
    for (const Explained& one : group) {
        spikes.steps.push_back(one.step);
        cause_ns.push_back(one.judged.ns);
        bytes.push_back(one.excess.bytes_to_host + one.excess.baseline_bytes);
        own_ns += one.excess.own_ns;
        compute_ns += std::max<DurationNs>(0, one.excess.compute_ns);
    }
    std::ranges::sort(spikes.steps);
    spikes.ranks = culpritsOf(group, context.facts.ranks.size());
    spikes.every = regularity(context, spikes.steps);
    spikes.length_ns = meanLength(context.facts.steps, spikes.steps);
    spikes.baseline_ns = meanLength(context.facts.steps, spikes.others);
    spikes.cause_ns = meanOf(cause_ns);
    spikes.bytes_to_host = meanOf(bytes);
    spikes.computing = own_ns > 0 ? std::min(1.0, static_cast<double>(compute_ns) / static_cast<double>(own_ns)) : 0;
    spikes.news = contents.news(spikes.ranks.front(), spikes.steps);
    return spikes;
}

}  // namespace

bool isCollection(std::string_view function) {
    return hasAny(function, kCollects);
}

std::vector<StepSpikes> findStepSpikes(const RuleContext& context) {
    const Lengths lengths = divide(context.facts.steps);
    const std::size_t others = lengths.others.size();
    if (lengths.spikes.empty() || others < kLeastOthers || others < kOthersALongStep * lengths.spikes.size()) {
        return {};
    }
    const Contents contents(context, lengths.others);
    const DurationNs baseline_ns = meanLength(context.facts.steps, lengths.others);
    std::vector<std::vector<Explained>> groups;
    const auto group_of = [&](const Explained& one) {
        return std::ranges::find_if(groups, [&](const auto& group) { return shareCause(group.front(), one); });
    };
    for (const RunStepPosition step : lengths.spikes) {
        if (std::optional<Explained> one = explain(context, contents, step, baseline_ns)) {
            const auto group = group_of(*one);
            (group == groups.end() ? groups.emplace_back() : *group).push_back(*std::move(one));
        }
    }
    for (const RunStepPosition step : lengths.warming) {
        if (std::optional<Explained> one = explain(context, contents, step, baseline_ns);
            one && isProven(one->judged.cause)) {
            if (const auto group = group_of(*one); group != groups.end()) {
                group->push_back(*std::move(one));
            }
        }
    }
    std::vector<StepSpikes> spikes;
    for (const std::vector<Explained>& group : groups) {
        if (isTold(group, baseline_ns)) {
            spikes.push_back(gather(context, contents, lengths, group));
        }
    }
    return spikes;
}

}  // namespace rankscope
