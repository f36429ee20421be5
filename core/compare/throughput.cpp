// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compare_runs.h"

namespace rankscope {

std::vector<ThroughputPair> compareThroughput(const RunFacts& a, const RunFacts& b) {
    std::vector<ThroughputPair> pairs;
    for (const IterationSums& of_a : a.iterations.kinds) {
        const IterationSums* const of_b = b.iterations.of(of_a.kind);
        if (of_b == nullptr) {
            continue;
        }
        const ThroughputPair pair{.kind = of_a.kind, .a = of_a.tokensPerSecond(), .b = of_b->tokensPerSecond()};
        if (pair.a || pair.b) {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

}  // namespace rankscope
