// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/run_facts.h"
#include "core/clock/run_clock.h"
#include "core/diagnosis/frame/advice.h"
#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/frame/sentences.h"
#include "core/diagnosis/prices/attribution.h"
#include "core/diagnosis/prices/pricing.h"
#include "core/trace/run.h"

namespace rankscope {

/// All that a rule may use.
struct RuleContext {
    const Run& run;
    const RunFacts& facts;
    const RunClock& clock;
    const std::vector<RankContext>& work;  ///< parallel to Run::ranks
    const Pricer& pricer;
    Attribution& attribution;  ///< makes findings of prices
    const Advice& advice;
    const Sentences& sentences;
};

/// What a rule says about a problem that is worth a finding. Empty fields get a default.
struct Explanation {
    std::string why;                                         ///< whole sentences with the numbers in them
    std::vector<std::string> conditions = {};                ///< conditions of the remedies in advice.json that fit
    std::optional<std::string> title = {};                   ///< default: the title in advice.json
    std::optional<std::vector<Evidence>> evidence = {};      ///< default: evidence of the longest parts of gaps that it
                                                             ///< owns
    std::optional<std::vector<RankPosition>> culprits = {};  ///< default: the ranks of the price
    Confidence at_most = Confidence::High;                   ///< lower if the rule knows less than the price does
    std::string doubt = {};                                  ///< a sentence: what the rule does not know in that case
    FindingCause cause = {};                                 ///< as Finding::cause
    std::optional<double> cause_share = {};                  ///< as Finding::cause_share
};

/// A problem that a rule found; judgeProblem() prices it and makes a finding of it. It may outlive the rule's function:
/// its parts refer to the context or own their data.
struct Problem {
    FindingId id = FindingId::DataloaderStall;
    LedgerFilter owned;  ///< the ledger entries that it claims
    RunChange change;    ///< what the replay without the problem leaves out
    Reach reach = Reach::SegmentTime;
    Claim claim = Claim::Named;
    bool at_most = false;  ///< as Finding::at_most
    /// The cost of the remedy itself, requested once the problem is known to be worth a finding; empty if it costs
    /// nothing.
    std::function<RemedyCost(const Price&)> cost = {};
    /// The text of the finding, requested once the problem is known to be worth a finding; nothing if there is nothing
    /// to show.
    std::function<std::optional<Explanation>(const Price&)> explain;
};

/// Prices the problem and, if it is worth it, adds a finding.
void judgeProblem(const RuleContext& context, const Problem& problem, Diagnosis& diagnosis);

// The rules whose findings have a price, each in core/diagnosis/rules in the file named after its finding. They return
// what is worth pricing, in the order of attribution.
using Rule = std::vector<Problem> (*)(const RuleContext& context);
[[nodiscard]] std::vector<Problem> hostStalls(const RuleContext& context);
[[nodiscard]] std::vector<Problem> sharedDevices(const RuleContext& context);
[[nodiscard]] std::vector<Problem> lateAnswers(const RuleContext& context);
[[nodiscard]] std::vector<Problem> warmUps(const RuleContext& context);
[[nodiscard]] std::vector<Problem> dataloaderStalls(const RuleContext& context);
[[nodiscard]] std::vector<Problem> unusedParameterSearches(const RuleContext& context);
[[nodiscard]] std::vector<Problem> gradientCopies(const RuleContext& context);
[[nodiscard]] std::vector<Problem> unpinnedCopies(const RuleContext& context);
[[nodiscard]] std::vector<Problem> hostSyncs(const RuleContext& context);
[[nodiscard]] std::vector<Problem> allocatorStalls(const RuleContext& context);
[[nodiscard]] std::vector<Problem> lateShardGathers(const RuleContext& context);
[[nodiscard]] std::vector<Problem> tensorCommunication(const RuleContext& context);
[[nodiscard]] std::vector<Problem> slowCollectives(const RuleContext& context);
[[nodiscard]] std::vector<Problem> smallBuckets(const RuleContext& context);
[[nodiscard]] std::vector<Problem> largeBuckets(const RuleContext& context);
[[nodiscard]] std::vector<Problem> exposedCommunication(const RuleContext& context);
[[nodiscard]] std::vector<Problem> hostCode(const RuleContext& context);
[[nodiscard]] std::vector<Problem> launchBound(const RuleContext& context);
[[nodiscard]] std::vector<Problem> unexplainedIdle(const RuleContext& context);

/// Adds a finding for each kind of rare long steps (core/diagnosis/evidence/long_steps.h) that is worth one. Their
/// price is of whole steps, not of ledger entries.
void judgeStepSpikes(const RuleContext& context, Diagnosis& diagnosis);

/// Adds a finding about GPUs that become slower during the run. Kernel time is not in the ledger: the price is a replay
/// with the kernels as fast as in the first steps.
void judgeSlowedGpus(const RuleContext& context, Diagnosis& diagnosis);

// The loss of a pipeline by its schedule and by uneven stages: priced by simulating the schedule (pipeline_prices.h).
void judgePipelineBubble(const RuleContext& context, Diagnosis& diagnosis);
void judgeStageImbalance(const RuleContext& context, Diagnosis& diagnosis);
/// Adds a finding if the experts of some ranks have so much more work than others that it is worth one. The price is
/// calculated, not replayed: kernels that exchange tokens couple no ranks.
void judgeExpertImbalance(const RuleContext& context, Diagnosis& diagnosis);

// What matrix products of narrower numbers would save at best. The price is calculated from the roofline, not replayed
// (precision_prices.h).
void judgeTensorCores(const RuleContext& context, Diagnosis& diagnosis);
void judgeLowPrecision(const RuleContext& context, Diagnosis& diagnosis);

// These two have no price, since they cost no time. Their severity is always low, and they come last.
void findMemoryPressure(const RuleContext& context, Diagnosis& diagnosis);
void findTraceHealth(const RuleContext& context, Diagnosis& diagnosis);
/// The cost of each part of DDP, worth a finding or not.
void priceDdp(const RuleContext& context, Diagnosis& diagnosis);
/// The findings that no rule can judge on these traces.
void listWhatCannotBeTold(const RuleContext& context, Diagnosis& diagnosis);

/// The same change for all ranks.
[[nodiscard]] RunChange onAllRanks(ReplayChange change);
/// A change that differs from rank to rank. `change` is called once per rank, when the first one is needed: most
/// problems are too small for a replay. May be read from several threads.
[[nodiscard]] RunChange onEachRank(const RuleContext& context, ChangeOfRank change);

/// "a step takes 12.0 ms instead of 14.0 ms": the result of the replay, for "Simulated without it, ...".
[[nodiscard]] std::string replayText(const RuleContext& context, const Price& price);
/// "Seen in 3 of 4 steps."
[[nodiscard]] std::string seenText(const RuleContext& context, const Price& price);

// What the rules on transfers share.

/// The step of a rank that contains an instant of its file clock; nullptr if none does.
[[nodiscard]] const RankStep* stepAt(const RankFacts& rank, TimeNs at_ns);

/// How long `transfer_ns`, the transfer of the collective or of one of its kernels, would take at the baseline speed of
/// its peers; unchanged if it is not slow.
[[nodiscard]] DurationNs baselinePart(const Collective& collective, DurationNs transfer_ns);

}  // namespace rankscope
