// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/run_facts.h"
#include "core/diagnosis/analysed_run.h"
#include "core/diagnosis/attribution.h"
#include "core/diagnosis/lateness.h"
#include "core/diagnosis/rule.h"
#include "core/diagnosis/settle_findings.h"

namespace rankscope {
namespace {

/// From what has a name to what is left over: the order in which savings are attributed. A thread that stands still
/// comes before all that it may stand in; then what a few long steps do that others do not, which would else be shared
/// out among all that follows: an evaluation among syncs and launches, a checkpoint among copies.
constexpr std::initializer_list<Rule> kRulesBeforeLongSteps = {hostStalls, dataloaderStalls};
constexpr std::initializer_list<Rule> kNamedRules = {
    sharedDevices,   unusedParameterSearches, gradientCopies, unpinnedCopies, hostSyncs,
    allocatorStalls, slowCollectives,         smallBuckets,   largeBuckets,   exposedCommunication};
/// What the host does from one launch to the next.
constexpr std::initializer_list<Rule> kHostRules = {hostCode, launchBound};

/// What has no price, or needs none.
constexpr auto kUnpriced = {findMemoryPressure, findTraceHealth, priceDdp, listWhatCannotBeTold};

/// Whether one problem is most of why ranks are late: then it has the name, and not the rank.
bool isMostOf(const RuleContext& context, const Problem& problem, const LateRanks& late) {
    return problem.id == FindingId::HostCode &&
           2 * context.pricer.typicalLedgerTime(problem.owned) >= late.cause.part_ns;
}

/// The ranks that hold the others up, and those of their findings that are due.
class LateJudge {
  public:
    explicit LateJudge(const RuleContext& context) : context_(context) {
        for (auto* const find : {stragglerRanks, movingStragglers}) {
            if (std::optional<LateRanks> found = find(context)) {
                late_.push_back(*std::move(found));
            }
        }
    }

    /// The same ranks in most steps, whose hosts are late in general; nullptr where there are none.
    [[nodiscard]] const LateRanks* ofSlowHosts() const {
        const auto found = std::ranges::find_if(late_, isOfSlowHosts);
        return found == late_.end() ? nullptr : &*found;
    }
    void judgeByLoader(Diagnosis& diagnosis) const { judge(isByLoader, diagnosis); }
    void judgeSlowHosts(Diagnosis& diagnosis) const { judge(isOfSlowHosts, diagnosis); }
    void judgeOthers(Diagnosis& diagnosis) const {
        judge([](const LateRanks& late) { return !isByLoader(late) && !isOfSlowHosts(late); }, diagnosis);
    }

  private:
    static bool isByLoader(const LateRanks& late) { return late.cause.because == LateBecause::DataLoader; }
    static bool isOfSlowHosts(const LateRanks& late) {
        return late.id == FindingId::StragglerRank && late.cause.because == LateBecause::Host;
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

/// Whether slow launching is of one rank or of all is decided here, before it is priced: a rank whose host is slower
/// than the others' in general comes first, and what is said of the launching of all is what is left. A piece of code
/// that is most of why that rank is late keeps its name.
void judgeHosts(const RuleContext& context, const LateJudge& late, const std::stop_token& stop, Diagnosis& diagnosis) {
    const LateRanks* const slow = late.ofSlowHosts();
    std::vector<Problem> problems;
    for (const Rule rule : kHostRules) {
        std::ranges::move(rule(context), std::back_inserter(problems));
    }
    const auto named =
        slow == nullptr ? problems.begin() : std::ranges::stable_partition(problems, [&](const Problem& problem) {
                                                 return isMostOf(context, problem, *slow);
                                             }).begin();
    for (auto problem = problems.begin(); problem != named; ++problem) {
        judgeProblem(context, *problem, diagnosis);
    }
    const std::size_t before = diagnosis.findings.size();
    late.judgeSlowHosts(diagnosis);
    const bool of_rank = diagnosis.findings.size() > before;
    for (auto problem = named; problem != problems.end() && !stop.stop_requested(); ++problem) {
        problem->claim = of_rank ? Claim::Rest : problem->claim;
        judgeProblem(context, *problem, diagnosis);
    }
}

/// Asks all rules. Where `stop` is requested, what is found is of no use.
void judge(const RuleContext& context, const std::stop_token& stop, Diagnosis& diagnosis) {
    // Ranks that are late because of their DataLoader come before the DataLoader itself, those with slow hosts before
    // slow launching, all others after what names the reason (see Attribution).
    const LateJudge late(context);
    const auto judge_rule = [&](Rule rule) {
        if (!stop.stop_requested()) {
            for (const Problem& problem : rule(context)) {
                judgeProblem(context, problem, diagnosis);
            }
        }
    };
    late.judgeByLoader(diagnosis);
    std::ranges::for_each(kRulesBeforeLongSteps, judge_rule);
    if (!stop.stop_requested()) {
        judgeStepSpikes(context, diagnosis);
    }
    std::ranges::for_each(kNamedRules, judge_rule);
    if (!stop.stop_requested()) {
        judgeHosts(context, late, stop, diagnosis);
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

Diagnosis diagnose(const Run& run, const AnalysisResult& analysed, unsigned threads, const std::stop_token& stop) {
    const Pricer pricer(analysed.facts, analysed.clock, analysed.model, stop);
    static const Advice advice = Advice::builtIn();  // parsed once
    Attribution attribution(pricer, analysed.facts, threads);
    const Sentences say = Sentences::builtIn().with("typical", std::string(stepBasisName(analysed.facts.basis)));
    const RuleContext context{run, analysed.facts, analysed.clock, analysed.work, pricer, attribution, advice, say};
    Diagnosis diagnosis;
    diagnosis.prices = pricer.coverage();
    if (std::ranges::any_of(run.ranks, [](const auto& rank) { return rank->health.ranks_mixed; })) {
        findTraceHealth(context, diagnosis);  // what else is found would be of no rank that there is
        return diagnosis;
    }
    judge(context, stop, diagnosis);
    settleFindings(analysed.facts, say, diagnosis);
    return diagnosis;
}

}  // namespace

Result<AnalysedRun> analyseRun(std::shared_ptr<const Run> run, const AnalysisOptions& options,
                               const ProgressSink& progress, std::stop_token stop) {
    AnalysedRun result;
    const ClockOptions clock{.file_times = options.file_clocks, .typed_offset_ns = options.typed_offset_ns};
    Result<AnalysisResult> analysed = analyseFacts(*run, options.rules, clock, options.threads, progress, stop);
    if (analysed.failed()) {
        return analysed.error();
    }
    if (analysed.cancelled()) {
        return Cancelled{};
    }
    result.diagnosis = diagnose(*run, analysed.value(), options.threads, stop);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    result.facts = std::move(analysed.value().facts);
    result.clock = std::move(analysed.value().clock);
    result.run = std::move(run);
    return result;
}

}  // namespace rankscope
