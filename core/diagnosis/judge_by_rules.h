// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "core/diagnosis/rule.h"

namespace rankscope {

/// Asks all rules for what a run has, in the order in which savings are attributed (Attribution), and adds what is
/// found to `diagnosis`, not yet in the order of the list. Where `stop` is requested, that is of no use.
void judgeByRules(const RuleContext& context, const std::stop_token& stop, Diagnosis& diagnosis);

}  // namespace rankscope
