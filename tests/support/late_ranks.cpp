// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/late_ranks.h"

#include "tests/support/model_builder.h"

namespace rankscope::test {

std::shared_ptr<const RankTrace> rankThatIs(std::int32_t number, const std::vector<Doing>& steps, std::int32_t world) {
    ModelBuilder model;
    model.rank(number, world);
    const std::uint32_t main = model.thread("main");
    const std::uint32_t compute = model.stream("7");
    const std::uint32_t comm = model.stream("20");
    double at_us = 0;
    std::int64_t number_of_step = 5;
    for (const Doing& step : steps) {
        model.step(main, number_of_step++, at_us, step.length_us - 10);
        model.slice(main, Category::UserAnnotation, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                    at_us + 1, step.loader_us + 1);
        model.kernel(main, at_us + step.loader_us + 3, 1, compute, "gemm", at_us + step.loader_us + 5, step.compute_us);
        const double launch_us = at_us + step.loader_us + 6;
        const auto kernel =
            model.kernel(main, launch_us, 1, comm, kReduction, at_us + step.arrives_us, 900 - step.arrives_us);
        model.collective(kernel, "allreduce", 1000);
        model.kernel(main, launch_us + 2, 1, compute, "adam", at_us + 900, step.length_us - 900);
        at_us += step.length_us;
    }
    return model.build();
}

std::shared_ptr<const Run> runWithALateRank(std::size_t steps) {
    return runOf({rankThatIs(0, std::vector<Doing>(steps, {0, 300, 305})),
                  rankThatIs(1, std::vector<Doing>(steps, {400, 395, 800}))});
}

}  // namespace rankscope::test
