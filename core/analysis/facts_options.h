// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/device/name_rules.h"
#include "core/analysis/efficiency/efficiency.h"
#include "core/analysis/model_size.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/clock/run_clock.h"
#include "core/trace/iteration_names.h"

namespace rankscope {

/// How the facts of a run are made, and what the user says of it that its files do not say.
struct FactsOptions {
    NameRules rules = NameRules::builtIn();
    unsigned threads = 0;  ///< 0: one for each core
    ClockOptions clock = {};
    RoleChoices roles = {};  ///< what the user says of process groups
    /// Which iterations of a server medians and prices are of; nothing: those that most time goes to.
    std::optional<IterationKind> iterations = {};
    ModelSize model = {};               ///< what the user says of the model
    EfficiencyOptions efficiency = {};  ///< what the user says of a step's work and of the devices
};

}  // namespace rankscope
