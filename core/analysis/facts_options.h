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

/// How the facts of a run are computed, and what the user enters that its files do not contain.
struct FactsOptions {
    NameRules rules = NameRules::builtIn();
    unsigned threads = 0;  ///< 0: one per core
    ClockOptions clock = {};
    RoleChoices roles = {};  ///< what the user says about process groups
    /// The kind of a server's iterations for medians and prices; nothing: the kind with most time.
    std::optional<IterationKind> iterations = {};
    ModelSize model = {};               ///< what the user says about the model
    EfficiencyOptions efficiency = {};  ///< what the user says about a step's work and the devices
};

}  // namespace rankscope
