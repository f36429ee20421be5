// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/rank_test.h"

#include <algorithm>
#include <tuple>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// The distribution of Mann and Whitney's U for n and m different samples: by u, the share of all orders with u pairs
/// in the wrong order. Their recurrence: which sample is the largest of all.
std::vector<double> sharesOfU(std::size_t n, std::size_t m) {
    std::vector<std::vector<double>> ways(n + 1, std::vector<double>(n * m + 1, 0.0));
    for (std::vector<double>& of_i : ways) {
        of_i[0] = 1;
    }
    for (std::size_t j = 1; j <= m; ++j) {
        for (std::size_t i = 1; i <= n; ++i) {
            for (std::size_t u = j; u <= n * m; ++u) {
                ways[i][u] += ways[i - 1][u - j];
            }
        }
    }
    double all = 0;
    for (const double way : ways[n]) {
        all += way;
    }
    for (double& way : ways[n]) {
        way /= all;
    }
    return ways[n];
}

/// How many of the outermost differences on each side are outside the interval of this confidence; 0 if none can be
/// left out.
struct Outside {
    std::size_t count = 0;
    double confidence = 0;
};

Outside outsideOf(const std::vector<double>& shares, double confidence) {
    Outside found;
    double below = 0;
    for (std::size_t u = 0; u < shares.size(); ++u) {
        below += shares[u];
        if (below > (1 - confidence) / 2) {
            break;
        }
        found = {u + 1, 1 - 2 * below};
    }
    return found;
}

/// Twice the rank of each sample among all, so that the mean rank of equal samples is whole.
std::vector<std::size_t> doubledRanks(const std::vector<DurationNs>& samples, std::vector<DurationNs> all) {
    std::ranges::sort(all);
    std::vector<std::size_t> ranks;
    for (const DurationNs sample : samples) {
        const auto [first, last] = std::ranges::equal_range(all, sample);
        ranks.push_back(static_cast<std::size_t>((first - all.begin()) + (last - all.begin())) + 1);
    }
    return ranks;
}

/// The share of all ways to deal the samples in which the rank sum of the smaller sample is at least as extreme.
double exactP(const std::vector<DurationNs>& fewer, const std::vector<DurationNs>& more) {
    std::vector<DurationNs> all = fewer;
    all.insert(all.end(), more.begin(), more.end());
    std::size_t seen = 0;
    for (const std::size_t rank : doubledRanks(fewer, all)) {
        seen += rank;
    }
    const std::size_t n = fewer.size();
    std::vector<std::vector<double>> ways(n + 1, std::vector<double>(n * 2 * all.size() + 1, 0.0));
    ways[0][0] = 1;
    for (const std::size_t rank : doubledRanks(all, all)) {
        for (std::size_t i = n; i-- > 0;) {
            for (std::size_t sum = ways[i].size(); sum-- > rank;) {
                ways[i + 1][sum] += ways[i][sum - rank];
            }
        }
    }
    const std::size_t expected = n * (all.size() + 1);  // twice n (n + m + 1) / 2
    const auto away = [expected](std::size_t sum) { return sum > expected ? sum - expected : expected - sum; };
    double all_ways = 0;
    double as_odd = 0;
    for (std::size_t sum = 0; sum < ways[n].size(); ++sum) {
        all_ways += ways[n][sum];
        as_odd += away(sum) >= away(seen) ? ways[n][sum] : 0;
    }
    return as_odd / all_ways;
}

/// The ratios of each sample of B to each of A, minus 1, sorted; none if a sample of A is 0.
std::vector<double> sortedShares(const std::vector<DurationNs>& a_ns, const std::vector<DurationNs>& b_ns) {
    std::vector<double> shares;
    for (const DurationNs a : a_ns) {
        for (const DurationNs b : b_ns) {
            if (a <= 0) {
                return {};
            }
            shares.push_back(static_cast<double>(b) / static_cast<double>(a) - 1);
        }
    }
    std::ranges::sort(shares);
    return shares;
}

}  // namespace

std::optional<RankTest> testRanks(const std::vector<DurationNs>& a_ns, const std::vector<DurationNs>& b_ns,
                                  double confidence) {
    const auto& [fewer, more] = a_ns.size() <= b_ns.size() ? std::tie(a_ns, b_ns) : std::tie(b_ns, a_ns);
    if (fewer.empty() || fewer.size() > kMostOfFewer || more.size() > kMostOfMore) {
        return std::nullopt;
    }
    const Outside outside = outsideOf(sharesOfU(fewer.size(), more.size()), confidence);
    if (outside.count == 0) {
        return std::nullopt;
    }
    std::vector<DurationNs> differences;
    for (const DurationNs a : a_ns) {
        for (const DurationNs b : b_ns) {
            differences.push_back(b - a);
        }
    }
    std::ranges::sort(differences);
    const std::size_t low = outside.count - 1;
    const std::size_t high = differences.size() - outside.count;
    RankTest test;
    test.shift_ns = midMedian(differences);
    test.p = exactP(fewer, more);
    test.confidence = outside.confidence;
    test.interval_ns = {differences[low], differences[high]};
    if (const std::vector<double> shares = sortedShares(a_ns, b_ns); !shares.empty()) {
        test.share_interval = ShareInterval{shares[low], shares[high]};
    }
    return test;
}

}  // namespace rankscope
