// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "core/analysis/facts.h"
#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/frame/sentences.h"

namespace rankscope {

/// Asks all rules for what a run has, in the order in which savings are attributed (Attribution), and adds what is
/// found to `diagnosis`, not yet in the order of the list. Where `stop` is requested, that is of no use.
void judgeByRules(const RuleContext& context, const std::stop_token& stop, Diagnosis& diagnosis);

/// The last word on the findings of a run, once all are known. A late rank whose saving is all in another forecast is
/// not listed: the text of that finding names it. The same is true of a slow stage and the slow group that its ranks
/// are. Each finding says what of its saving others save too. Then all get their severity and their order.
void settleFindings(const RunFacts& facts, const Sentences& say, Diagnosis& diagnosis);

/// The verdict and the first of the settled findings as one story. The headline is the bound of the critical path, if
/// a finding names a part of it, or it is compute; else it says that the cause is not known, and what to record. The
/// first finding gives it instead where it is of a kind that the path does not name (late ranks, a pipeline, a shared
/// GPU, a few long steps), and of medium severity or more, or the path has no bound. Where the first finding is of
/// another kind than the bound, the text names it.
[[nodiscard]] Headline headlineOf(const RuleContext& context, const Diagnosis& diagnosis);

}  // namespace rankscope
