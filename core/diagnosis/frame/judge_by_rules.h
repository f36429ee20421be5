// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "core/analysis/facts.h"
#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/frame/sentences.h"

namespace rankscope {

/// Runs all rules on a run, in the order in which savings are attributed (Attribution), and adds the findings to
/// `diagnosis`, not yet in their final order. Once `stop` is requested, the result is of no use.
void judgeByRules(const RuleContext& context, const std::stop_token& stop, Diagnosis& diagnosis);

/// Completes the findings of a run, once all are known. A late rank whose saving is all in another forecast is not
/// listed: the text of that finding names it. The same is true of a slow stage and the slow group that its ranks form.
/// Each finding states how much of its saving others save too. Then all get their severity and their order.
void settleFindings(const RunFacts& facts, const Sentences& say, Diagnosis& diagnosis);

/// The verdict and the first of the settled findings as one story. The headline is the bound of the critical path, if a
/// finding names a part of it, or if it is compute; else it says that the cause is not known, and what to record. The
/// first finding gives the headline instead if the path has no bound, or if the path does not name findings of its kind
/// (late ranks, a pipeline, a shared GPU, a few long steps) and its severity is medium or higher. If the first finding
/// differs from the bound, the text names it.
[[nodiscard]] Headline headlineOf(const RuleContext& context, const Diagnosis& diagnosis);

}  // namespace rankscope
