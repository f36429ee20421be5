// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/judge_by_rules.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/evidence/baseline_work.h"
#include "core/diagnosis/evidence/gathers.h"
#include "core/diagnosis/evidence/lateness.h"
#include "core/diagnosis/prices/attribution.h"

namespace rankscope {
namespace {

/// The order in which savings are attributed: from specific causes to the rest. A stalled thread comes before
/// everything it may stall in, and so does one-time work. Then come things that only a few long steps do: otherwise the
/// following rules would share them, an evaluation as syncs and launches, a checkpoint as copies.
constexpr std::initializer_list<Rule> kRulesBeforeLongSteps = {hostStalls, dataloaderStalls, warmUps};
constexpr std::initializer_list<Rule> kNamedRules = {sharedDevices, lateAnswers, unusedParameterSearches,
                                                     gradientCopies};
/// After each wait for the GPU, the GPU is idle until the CPU has launched more: the longer, the slower the CPU.
constexpr std::initializer_list<Rule> kRulesOfWaits = {unpinnedCopies, hostSyncs, allocatorStalls};
constexpr std::initializer_list<Rule> kCommunicationRules = {slowCollectives, lateShardGathers, tensorCommunication,
                                                             smallBuckets,    largeBuckets,     exposedCommunication};
/// What the CPU does from one launch to the next.
constexpr std::initializer_list<Rule> kHostRules = {hostCode, launchBound};

/// Rules without a price, or priced without a replay of the ranks.
constexpr auto kUnpriced = {judgePipelineBubble, judgeStageImbalance, judgeExpertImbalance, judgeTensorCores,
                            judgeLowPrecision,   findMemoryPressure,  findTraceHealth,      priceDdp,
                            listWhatCannotBeTold};

/// Whether one problem is the main reason why ranks are late: then the finding names the problem, not the rank.
bool isMostOf(const RuleContext& context, const Problem& problem, const LateRanks& late) {
    return problem.id == FindingId::HostCode &&
           2 * context.pricer.typicalLedgerTime(problem.owned) >= late.cause.part_ns;
}

/// The ranks that delay the others, and which of their findings are due.
class LateJudge {
  public:
    explicit LateJudge(const RuleContext& context) : context_(context) {
        for (auto* const find : {stragglerRanks, movingStragglers}) {
            if (std::optional<LateRanks> found = find(context)) {
                if (found->id == FindingId::StragglerRank) {
                    nameLateGatherers(context, *found);
                }
                late_.push_back(*std::move(found));
            }
        }
    }

    /// The same ranks in most steps, whose CPUs are slow in general; nullptr if there are none.
    [[nodiscard]] const LateRanks* ofSlowHosts() const {
        const auto found = std::ranges::find_if(late_, isOfSlowHosts);
        return found == late_.end() ? nullptr : &*found;
    }
    /// Whether these are late also in steps without stalls of their threads, or take longer for the same operators:
    /// then a slow CPU is the reason for the stalls, and for everything else that takes long on it.
    [[nodiscard]] bool areSlowThroughout() const;
    void judgeByLoader(Diagnosis& diagnosis) const { judge(isByLoader, diagnosis); }
    void judgeSlowHosts(Diagnosis& diagnosis) const { judge(isOfSlowHosts, diagnosis); }
    void judgeOthers(Diagnosis& diagnosis) const {
        judge([](const LateRanks& late) { return !isByLoader(late) && !isOfSlowHosts(late); }, diagnosis);
    }

  private:
    static bool isByLoader(const LateRanks& late) { return late.cause.because == LateBecause::DataLoader; }
    [[nodiscard]] bool areLateWithoutStalls(const LateRanks& slow) const;
    static bool isOfSlowHosts(const LateRanks& late) {
        return late.id != FindingId::MovingStraggler && late.cause.because == LateBecause::Host;
    }
    template <class Wanted>
    void judge(const Wanted& wanted, Diagnosis& diagnosis) const {
        for (const LateRanks& late : late_) {
            if (wanted(late)) {
                judgeLateness(context_, late, diagnosis);
            }
        }
    }

    const RuleContext& context_;
    std::vector<LateRanks> late_;
};

bool LateJudge::areSlowThroughout() const {
    const LateRanks* const slow = ofSlowHosts();
    return slow != nullptr && (areLateWithoutStalls(*slow) || haveSlowCpus(context_, slow->steps));
}

bool LateJudge::areLateWithoutStalls(const LateRanks& slow) const {
    constexpr std::size_t kLeastQuiet = 3;
    const std::vector<Problem> stalls = hostStalls(context_);
    if (stalls.empty()) {
        return false;
    }
    const LedgerSet stalled(context_.facts.ledger, stalls.front().owned);
    const std::vector<RunStepPosition> judged = judgedSteps(context_);
    std::size_t quiet = 0;
    std::size_t late = 0;
    for (const RunStepPosition position : judged) {
        const RunStep& step = context_.facts.steps[position];
        const bool is_late = std::ranges::binary_search(slow.steps, position, {}, &LateStep::step);
        const std::vector<RankPosition>& ranks = slow.steps.front().ranks;
        const bool stands_still = std::ranges::any_of(ranks, [&](RankPosition rank) {
            const auto ns = static_cast<double>(context_.pricer.ledgerTime(rank, step, stalled));
            return ns >= Pricer::kLeastShare * static_cast<double>(step.duration_ns);
        });
        quiet += stands_still ? 0U : 1U;
        late += !stands_still && is_late ? 1U : 0U;
    }
    return quiet >= kLeastQuiet && 2 * quiet >= judged.size() && 4 * late >= 3 * quiet;
}

/// What the CPU does from one launch to the next; if `slow` is not null, the main reasons for its lateness come first.
struct HostProblems {
    std::vector<Problem> all;
    std::size_t named = 0;  ///< how many of them keep their name, and are not attributed to that rank's CPU
};

HostProblems hostProblems(const RuleContext& context, const LateRanks* slow) {
    HostProblems problems;
    for (const Rule rule : kHostRules) {
        std::ranges::move(rule(context), std::back_inserter(problems.all));
    }
    if (slow != nullptr) {
        const auto rest = std::ranges::stable_partition(
            problems.all, [&](const Problem& problem) { return isMostOf(context, problem, *slow); });
        problems.named = problems.all.size() - rest.size();
    }
    return problems;
}

/// Decides, before pricing, whether slow launching is a problem of one rank or of all. A rank whose CPU is generally
/// slower than the others' comes first, and slow launching on all ranks is the rest. A piece of code that is the main
/// reason for that rank's lateness keeps its name.
void judgeHosts(const RuleContext& context, const LateJudge& late, bool of_rank, const std::stop_token& stop,
                Diagnosis& diagnosis) {
    HostProblems problems = hostProblems(context, late.ofSlowHosts());
    for (std::size_t i = 0; i < problems.all.size() && !stop.stop_requested(); ++i) {
        if (i == problems.named && !of_rank) {
            const std::size_t before = diagnosis.findings.size();
            late.judgeSlowHosts(diagnosis);
            of_rank = diagnosis.findings.size() > before;
        }
        Problem& problem = problems.all[i];
        // An upper bound takes nothing away from a forecast, so the rest would not be its bound.
        const bool has_rest = of_rank && i >= problems.named && !problem.at_most;
        problem.claim = has_rest ? Claim::Rest : problem.claim;
        judgeProblem(context, problem, diagnosis);
    }
}

/// Adds the finding about ranks whose CPUs are slow throughout; returns its index, or nothing if there is none.
std::optional<std::size_t> judgeSlowHostFirst(const RuleContext& context, const LateJudge& late, Diagnosis& diagnosis) {
    if (!late.areSlowThroughout() || hostProblems(context, late.ofSlowHosts()).named > 0) {
        return std::nullopt;
    }
    const std::size_t before = diagnosis.findings.size();
    late.judgeSlowHosts(diagnosis);
    return diagnosis.findings.size() > before ? std::optional(before) : std::nullopt;
}

/// Judges a problem that may be another symptom of a slow CPU, whose finding is at `host`: it gets the rest, and if
/// there is none, that finding says that it includes it.
void judgeBehindSlowHost(const RuleContext& context, const Rule rule, std::size_t host, Diagnosis& diagnosis) {
    for (Problem& problem : rule(context)) {
        const std::size_t before = diagnosis.findings.size();
        problem.claim = Claim::Rest;
        judgeProblem(context, problem, diagnosis);
        const Price alone = context.pricer.price(problem.owned, problem.change, problem.reach, {});
        if (diagnosis.findings.size() == before && alone.share >= Pricer::kLeastShare) {
            diagnosis.findings[host].why += context.sentences.fill(
                "common.holds-another",
                {{"title", context.advice.title(problem.id)}, {"saving", formatDuration(alone.saving_ns)}});
        }
    }
}

}  // namespace

void judgeByRules(const RuleContext& context, const std::stop_token& stop, Diagnosis& diagnosis) {
    // Ranks that are late because of their DataLoader come before the DataLoader itself, those with slow CPUs before
    // slow launching, all others after the findings that name the reason (see Attribution).
    const LateJudge late(context);
    const auto judge_rule = [&](Rule rule) {
        if (!stop.stop_requested()) {
            for (const Problem& problem : rule(context)) {
                judgeProblem(context, problem, diagnosis);
            }
        }
    };
    judgeSlowedGpus(context, diagnosis);
    late.judgeByLoader(diagnosis);
    const std::optional<std::size_t> slow_host = judgeSlowHostFirst(context, late, diagnosis);
    const auto judge_symptom = [&](Rule rule) {
        if (slow_host && !stop.stop_requested()) {
            judgeBehindSlowHost(context, rule, *slow_host, diagnosis);
        } else {
            judge_rule(rule);
        }
    };
    std::ranges::for_each(kRulesBeforeLongSteps, judge_symptom);
    if (!stop.stop_requested()) {
        judgeStepSpikes(context, diagnosis);
    }
    std::ranges::for_each(kNamedRules, judge_rule);
    std::ranges::for_each(kRulesOfWaits, judge_symptom);
    std::ranges::for_each(kCommunicationRules, judge_rule);
    if (!stop.stop_requested()) {
        judgeHosts(context, late, slow_host.has_value(), stop, diagnosis);
    }
    judge_rule(unexplainedIdle);
    if (!stop.stop_requested()) {
        late.judgeOthers(diagnosis);
    }
    for (auto* const find : kUnpriced) {
        if (!stop.stop_requested()) {
            find(context, diagnosis);
        }
    }
}

}  // namespace rankscope
