// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/digests.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "core/base/parallel.h"
#include "core/report/version.h"

namespace rankscope {

void makeDigests(const std::vector<DigestTask>& tasks, unsigned jobs, const DigestDone& done,
                 const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    const unsigned at_once = std::min<unsigned>(threadCount(jobs), static_cast<unsigned>(tasks.size() + 1));
    DigestMaker maker;
    maker.tool = toolVersion();
    maker.definitions = kDefinitions;
    maker.threads = std::max(1U, threadCount(0) / std::max(1U, at_once));
    forEachIndex(tasks.size(), at_once, [&](std::size_t i) {
        const Clock::time_point begin = Clock::now();
        const Result<MadeDigest> made = makeDigest(tasks[i], maker, stop);
        done(tasks[i], made, std::chrono::nanoseconds(Clock::now() - begin).count());
    });
}

}  // namespace rankscope
