// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr auto kAllReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

/// Five steps of two ranks that work alike: 10 kernels of 300 us, with one all-reduce a bucket beside the last of them
/// or behind them, and an optimizer that waits for all of them.
struct Exchange {
    std::vector<double> transfer_us = {200, 200, 200, 200};  ///< of each bucket
    std::int64_t elements = 1'000'000;                       ///< of each bucket; 0: not recorded
    bool after_compute = false;                              ///< sent when all is computed
    int ranks = 2;                                           ///< opened, of two

    [[nodiscard]] std::shared_ptr<const RankTrace> build(std::int32_t rank) const {
        ModelBuilder model;
        model.rank(rank, RankPosition(2));
        const auto main = model.thread("1");
        const auto compute = model.stream("7");
        const auto comm = model.stream("20");
        double device_us = 100;
        double comm_us = 0;
        double host_us = 0;  // runs ahead of the device
        for (int s = 0; s < 5; ++s) {
            const double begin_us = host_us;
            std::size_t sent = 0;
            const auto send = [&] {
                const double start_us = std::max({comm_us, device_us, host_us}) + 2;
                const auto kernel = model.kernel(main, host_us += 6, 4, comm, kAllReduce, start_us, transfer_us[sent]);
                if (elements > 0) {
                    model.collective(kernel, "allreduce", elements);
                }
                comm_us = start_us + transfer_us[sent++];
            };
            model.slice(main, Category::UserAnnotation, "DistributedDataParallel.forward", host_us + 1, 4);
            double backward_us = 0;
            for (std::size_t k = 0; k < 10; ++k) {
                backward_us = k == 4 ? host_us + 5 : backward_us;
                const double start_us = std::max(device_us, host_us + 10) + 1;
                model.kernel(main, host_us += 6, 4, compute, "gemm", start_us, 300);
                if (!after_compute && k + transfer_us.size() + 1 >= 10 && sent < transfer_us.size()) {
                    device_us = start_us;
                    send();
                }
                device_us = start_us + 300;
            }
            while (sent < transfer_us.size()) {
                send();
            }
            model.op(main, "autograd::engine::evaluate_function: GemmBackward0", backward_us,
                     host_us + 5 - backward_us);
            device_us = std::max(device_us, comm_us) + 2;
            model.kernel(main, host_us += 6, 4, compute, "adam", device_us, 100);
            device_us += 100;
            host_us += 6;
            model.step(main, s, begin_us, host_us - begin_us);
        }
        return model.build();
    }
};

AnalysedRun analyseExchange(const Exchange& exchange) {
    std::vector<std::shared_ptr<const RankTrace>> ranks;
    for (std::int32_t r = 0; r < exchange.ranks; ++r) {
        ranks.push_back(exchange.build(r));
    }
    return analyse(runOf(std::move(ranks)));
}

bool cannotTell(const AnalysedRun& run, FindingId id) {
    return std::ranges::find(run.diagnosis.cannot_tell, id, &CannotTell::id) != run.diagnosis.cannot_tell.end();
}

TEST(ExposedCommunication, IsThePriceOfTransfersThatNothingHides) {
    const AnalysedRun run = analyseExchange({.after_compute = true});
    const Finding& exposed = findingIn(run, "exposed-communication");
    EXPECT_NEAR(microseconds(exposed.blocked_ns), 800, 1);
    EXPECT_NEAR(microseconds(exposed.saving_ns), 800, 20);
    EXPECT_EQ(exposed.confidence, Confidence::Medium) << "that all of it is hidden is an ideal";
    EXPECT_TRUE(exposed.at_most);
    EXPECT_EQ(findingCauseName(exposed.cause), "awaited") << "the optimizer is queued behind them";
    EXPECT_NE(exposed.why.find("the next kernel is queued"), std::string::npos) << exposed.why;
    EXPECT_NE(exposed.remedies.at(0).action.find("during the backward"), std::string::npos);
    EXPECT_EQ(run.run->ranks[0]->name(exposed.evidence.at(0).slice), kAllReduce);
    EXPECT_FALSE(cannotTell(run, FindingId::ExposedCommunication));
}

TEST(ExposedCommunication, IsOnlyTheTailOfTransfersThatOutlastTheBackward) {
    const AnalysedRun run = analyseExchange({.transfer_us = {600, 600, 600, 600}});
    const Finding& exposed = findingIn(run, "exposed-communication");
    const DurationNs tail_ns = *run.facts.ranks[0].steps[2].partition->exposed_transfer_ns;
    EXPECT_LT(microseconds(tail_ns), 1'600) << "part of it is hidden";
    EXPECT_NEAR(microseconds(exposed.saving_ns), microseconds(tail_ns), 30);
    EXPECT_EQ(exposed.why.find("no compute is left"), std::string::npos) << exposed.why;
    EXPECT_NE(exposed.remedies.at(0).action.find("communication hook"), std::string::npos);
}

TEST(ExposedCommunication, IsNoneWhereComputationHidesTheTransfers) {
    const AnalysedRun run = analyseExchange({.transfer_us = {100, 100, 100, 30}});
    EXPECT_EQ(findingOf(run, "exposed-communication"), nullptr);
    EXPECT_FALSE(cannotTell(run, FindingId::ExposedCommunication));
}

TEST(ExposedCommunication, CannotBeToldFromOneRankOfTwo) {
    const AnalysedRun run = analyseExchange({.after_compute = true, .ranks = 1});
    EXPECT_EQ(findingOf(run, "exposed-communication"), nullptr);
    EXPECT_TRUE(cannotTell(run, FindingId::ExposedCommunication));
}

TEST(SlowCollective, OwnsWhatItTakesBeyondItsPeers) {
    const AnalysedRun run = analyseExchange({.transfer_us = {100, 100, 900, 100}, .after_compute = true});
    const Finding& slow = findingIn(run, "slow-collective");
    const Finding& exposed = findingIn(run, "exposed-communication");
    EXPECT_NEAR(microseconds(slow.blocked_ns), 800, 1);
    EXPECT_NEAR(microseconds(slow.saving_ns), 800, 10);
    EXPECT_NEAR(microseconds(exposed.blocked_ns), 400, 1) << "no nanosecond belongs to two findings";
    EXPECT_NEAR(microseconds(exposed.saving_ns), 400, 20);
    ASSERT_FALSE(slow.evidence.empty());
    for (const Evidence& evidence : slow.evidence) {
        const RankTrace& rank = *run.run->ranks[evidence.rank];
        EXPECT_EQ(rank.track(evidence.slice).slices.span(evidence.slice.slice).length(), 900'000);
    }
}

TEST(SlowCollective, IsNoneWhereAllAreEquallySlow) {
    const AnalysedRun run = analyseExchange({.transfer_us = {900, 900, 900, 900}, .after_compute = true});
    EXPECT_EQ(findingOf(run, "slow-collective"), nullptr);
    EXPECT_NE(findingOf(run, "exposed-communication"), nullptr);
}

TEST(SlowCollective, IsNoneWhereComputationHidesIt) {
    EXPECT_EQ(findingOf(analyseExchange({.transfer_us = {500, 100, 100, 30}}), "slow-collective"), nullptr);
}

TEST(SlowCollective, CannotBeToldOfSizesThatWereNotRecorded) {
    const AnalysedRun run =
        analyseExchange({.transfer_us = {100, 100, 900, 100}, .elements = 0, .after_compute = true});
    EXPECT_EQ(findingOf(run, "slow-collective"), nullptr);
    EXPECT_TRUE(cannotTell(run, FindingId::SlowCollective));
}

TEST(BucketSize, OwnsTheTransferOfABucketThatHoldsTheWholeModel) {
    const AnalysedRun run = analyseExchange({.transfer_us = {800}, .elements = 25'000'000, .after_compute = true});
    const Finding& large = findingIn(run, "bucket-size");
    EXPECT_NEAR(microseconds(large.blocked_ns), 800, 1);
    EXPECT_NE(large.why.find("100 MB"), std::string::npos) << large.why;
    EXPECT_NE(large.remedies.at(0).action.find("bucket_cap_mb"), std::string::npos);
    EXPECT_EQ(findingOf(run, "exposed-communication"), nullptr) << "no nanosecond belongs to two findings";
}

TEST(BucketSize, IsNoneWhereBucketsOfTheUsualSizeAreSentLate) {
    const AnalysedRun run = analyseExchange({.elements = 6'500'000, .after_compute = true});
    EXPECT_EQ(findingOf(run, "bucket-size"), nullptr);
    EXPECT_NE(findingOf(run, "exposed-communication"), nullptr);
    EXPECT_FALSE(cannotTell(run, FindingId::BucketSize));
}

TEST(BucketSize, CannotBeToldOfManySmallBuckets) {
    const AnalysedRun run = analyseExchange({.elements = 100'000, .after_compute = true});
    EXPECT_EQ(findingOf(run, "bucket-size"), nullptr);
    EXPECT_TRUE(cannotTell(run, FindingId::BucketSize));
}

}  // namespace
}  // namespace rankscope::test
