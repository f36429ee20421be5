// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/gaps/host_names.h"
#include "core/analysis/gaps/host_threads.h"
#include "core/analysis/steps/step_marks.h"

namespace rankscope {

/// What the analyses of one rank share: kept until the diagnosis is done.
struct RankContext {
    std::shared_ptr<const RankTrace> trace;
    HostNames names;
    HostThreads threads;
    DeviceWork device;
    StepMarks marks;
};

}  // namespace rankscope
