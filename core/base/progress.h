// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace rankscope {

/// The progress of a long job. For cancellation there is std::stop_token.
struct Progress {
    std::string stage;        ///< the current activity, for people: "reading", "linking launches"
    std::uint64_t done = 0;   ///< the part of `total` that is done, in the job's own unit (bytes for files)
    std::uint64_t total = 0;  ///< 0 if unknown
};

/// Called from worker threads, up to a few tens of times per second. May be empty.
using ProgressSink = std::function<void(const Progress&)>;

}  // namespace rankscope
