// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/communication_facts.h"

namespace rankscope::test {

void addFit(CollectiveFacts& facts) {
    TransferFit fit;
    fit.kind = CollectiveKind::AllReduce;
    fit.latency_ns = 20'000;
    fit.gb_per_s = 50;
    fit.r2 = 0.987;
    fit.mean_error = 0.015;
    fit.largest_error = 0.3;
    fit.sizes = 3;
    fit.samples = 12;
    fit.measured = {{10'000, 20'300, 20'200, 4, SizeMark::LatencyBound},
                    {4'000'000, 100'000, 100'000, 4, SizeMark::OnLine},
                    {16'000'000, 500'000, 340'000, 4, SizeMark::Slower}};
    CollectiveGroup group;
    group.name = "mesh_dp";
    group.size = 8;
    facts.groups = {group};
    facts.fits = {fit};
}

void hideCommunication(RunFacts& facts) {
    for (RankFacts& rank : facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition->comm_ns = 2'000'000;
            step.partition->overlap_ns = 1'500'000;
            step.partition->exposed_comm_ns = 500'000;
        }
    }
}

BucketForecast bucketForecast() {
    BucketForecast forecast;
    forecast.today = {{1'048'576, 2'000'000, 40'000}, {26'214'400, 9'000'000, 900'000}};
    forecast.today_bytes = 26'214'400;
    forecast.step_ns = 20'000'000;
    forecast.caps = {{5, 6, 18'500'000, 200'000}, {25, 2, 20'100'000, std::nullopt}};
    forecast.best = 0;
    return forecast;
}

}  // namespace rankscope::test
