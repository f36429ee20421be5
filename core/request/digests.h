// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/condense/make_digest.h"
#include "core/condense/plan.h"

namespace rankscope {

/// Called when the digest of a task is made, or when that failed: the task, the result, and the time it took.
using DigestDone = std::function<void(const DigestTask& task, const Result<MadeDigest>& made, DurationNs took_ns)>;

/// Makes the digests of these tasks, `jobs` at once (0: one per core), with the versions of this program. Calls `done`
/// from the threads that make them, also from several at once. After a stop the remaining tasks are cancelled. A task
/// that fails does not affect others.
void makeDigests(const std::vector<DigestTask>& tasks, unsigned jobs, const DigestDone& done,
                 const std::stop_token& stop = {});

}  // namespace rankscope
