// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/run_facts.h"
#include "core/diagnosis/advice.h"
#include "core/diagnosis/claims.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/pricing.h"
#include "core/trace/run.h"

namespace rankscope {

/// All that a rule may look at.
struct RuleContext {
    const Run& run;
    const RunFacts& facts;
    const std::vector<RankWork>& work;
    const Pricer& pricer;
    Claims& claims;  ///< what makes findings of prices
    const Advice& advice;
};

// The rules: one file each. They add findings, and say what they cannot tell.
void findDataloaderStalls(const RuleContext& context, Diagnosis& diagnosis);
void findUnpinnedCopies(const RuleContext& context, Diagnosis& diagnosis);
void findHostSyncs(const RuleContext& context, Diagnosis& diagnosis);
void findAllocatorStalls(const RuleContext& context, Diagnosis& diagnosis);
void findSmallBuckets(const RuleContext& context, Diagnosis& diagnosis);
void findLargeBuckets(const RuleContext& context, Diagnosis& diagnosis);
void findExposedCommunication(const RuleContext& context, Diagnosis& diagnosis);
void findSlowTransfers(const RuleContext& context, Diagnosis& diagnosis);
void findHostCode(const RuleContext& context, Diagnosis& diagnosis);
void findLaunchBound(const RuleContext& context, Diagnosis& diagnosis);
void findUnusedParameterSearches(const RuleContext& context, Diagnosis& diagnosis);
void findGradientCopies(const RuleContext& context, Diagnosis& diagnosis);
void findUnexplainedIdle(const RuleContext& context, Diagnosis& diagnosis);
// These two have no price: what they tell of costs no time. They are always low, and stand last.
void findMemoryPressure(const RuleContext& context, Diagnosis& diagnosis);
void findTraceHealth(const RuleContext& context, Diagnosis& diagnosis);
void findStragglerRanks(const RuleContext& context, Diagnosis& diagnosis);
void findMovingStragglers(const RuleContext& context, Diagnosis& diagnosis);
/// What the parts of DDP cost, worth a finding or not.
void priceDdp(const RuleContext& context, Diagnosis& diagnosis);
/// What no rule can judge on these traces.
void listWhatCannotBeTold(const RuleContext& context, Diagnosis& diagnosis);

}  // namespace rankscope
