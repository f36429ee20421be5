// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of jobs whose work is divided, and what is advised: simulated ones, with a planted fault or without.

#include "core/diagnosis/frame/wording.h"
#include "core/report/words/summary.h"
#include "tests/accuracy/planted_job.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/testing.h"

namespace rankscope::accuracy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace machine = tracegen::machine;
using testing::StartsWith;

PlantedJob healthyJob(std::string_view preset) {
    return {.run = analyseSimulated(machine::simulate(machine::jobConfig(preset, 1))), .ranks = {}};
}

PlantedJob jobWith(std::string_view fault, std::string_view preset, std::uint64_t seed) {
    return plantIn(machine::jobConfig(preset, seed), machine::parsePlanted(fault));
}

const CannotTell* cannotTell(const PlantedJob& job, FindingId id) {
    const auto at = std::ranges::find(job.run.diagnosis.cannot_tell, id, &CannotTell::id);
    return at == job.run.diagnosis.cannot_tell.end() ? nullptr : &*at;
}

/// All that is advised for a finding.
std::string adviceFor(const Finding& finding) {
    std::string text;
    for (const Remedy& remedy : finding.remedies) {
        text += remedy.action + " " + remedy.detail + "\n";
    }
    return text;
}

TEST(ExpertsInGroups, AreNotAddedUpWhereTheGroupsRunBesideEachOther) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        SCOPED_TRACE(seed);
        const PlantedJob job = jobWith("hot-expert", "grid-experts", seed);
        const Finding& hot = job.found(FindingId::ExpertImbalance);
        EXPECT_EQ(hot.ranks, job.ranks);
        EXPECT_NEAR(static_cast<double>(hot.saving_ns), job.true_ns, std::max(0.1 * job.true_ns, 0.01 * job.step_ns));
        EXPECT_LT(hot.blocked_ns, hot.saving_ns) << "the pipeline fills and empties sooner too";
        EXPECT_THAT(hot.why, AllOf(HasSubstr(" exchanges in each of 4 groups"),
                                   HasSubstr("Ranks 0, 2, 4 and 6 compute more than the others")));
    }
}

TEST(StageOfDualPipe, ThatIsSlowIsNamedWithoutAPrice) {
    const PlantedJob job = jobWith("slow-stage", "dualpipe-v-torch", 3);
    const Finding& slow = job.found(FindingId::StageImbalance);
    EXPECT_EQ(slow.ranks, job.ranks);
    EXPECT_EQ(slow.saving_ns, 0);
    EXPECT_EQ(slow.paying_ranks.size(), 3U) << "the slow one waits for nobody";
    EXPECT_THAT(slow.why, AllOf(HasSubstr("DualPipe"), HasSubstr("has no price")));
    EXPECT_THAT(slow.summary, HasSubstr("is not known"));
    EXPECT_THAT(report::findingPrice(job.run, slow), StartsWith("has no price, blocks ")) << "and saves not 0 ns";
    EXPECT_EQ(healthyJob("dualpipe-v-torch").finding(FindingId::StageImbalance), nullptr);
}

TEST(StageOfDualPipe, IsNotSaidToLackRanksThatAreThere) {
    const PlantedJob job = healthyJob("dualpipe-v-torch");
    const CannotTell* const bubble = cannotTell(job, FindingId::PipelineBubble);
    ASSERT_NE(bubble, nullptr);
    EXPECT_THAT(bubble->reason, AllOf(HasSubstr("DualPipe"), Not(HasSubstr("Not all ranks"))));
    const CannotTell* const late = cannotTell(job, FindingId::StragglerRank);
    ASSERT_NE(late, nullptr);
    EXPECT_THAT(late->record, Not(HasSubstr("Record all ranks")));
}

TEST(LateStages, OfAPipelineWithUnknownPassesArePricedWithLowConfidence) {
    const PlantedJob job = jobWith("uneven-stages", "zero-bubble", 1);
    const Finding* const late = job.finding(FindingId::StragglerRank);
    ASSERT_NE(late, nullptr) << "a stage without layers has no passes";
    EXPECT_EQ(late->ranks, job.ranks);
    EXPECT_EQ(late->confidence, Confidence::Low);
    EXPECT_THAT(late->why_confidence.front(), HasSubstr("a pipeline that cannot be simulated"));
    EXPECT_THAT(adviceFor(*late), AllOf(HasSubstr("of the model"), Not(HasSubstr("DistributedSampler"))))
        << "the job divides no data";
}

TEST(BubbleAdvice, NamesZeroBubbleOnlyWhereItIsNotInUse) {
    const PlantedJob split = healthyJob("zero-bubble");
    ASSERT_NE(split.finding(FindingId::PipelineBubble), nullptr);
    EXPECT_THAT(adviceFor(*split.finding(FindingId::PipelineBubble)), Not(HasSubstr("ZeroBubble")));
    const std::vector<Remedy>& remedies = split.finding(FindingId::PipelineBubble)->remedies;
    ASSERT_FALSE(remedies.empty());
    EXPECT_THAT(remedies.front().action, HasSubstr("more micro-batches"));
    EXPECT_THAT(remedies.front().detail, AllOf(HasSubstr("while the pipeline fills and empties"),
                                               Not(HasSubstr("1F1B")), Not(HasSubstr("GPipe")), Not(HasSubstr("p-1"))));
    const PlantedJob whole = healthyJob("1f1b");
    ASSERT_NE(whole.finding(FindingId::PipelineBubble), nullptr);
    EXPECT_THAT(adviceFor(*whole.finding(FindingId::PipelineBubble)), HasSubstr("ScheduleInterleavedZeroBubble"));
}

TEST(SlowStages, OfSeveralRanksAreNamedAsAStage) {
    const PlantedJob job = jobWith("slow-stage:1.4", "grid", 1);
    const Finding& slow = job.found(FindingId::StageImbalance);
    EXPECT_EQ(slow.ranks, job.ranks);
    ASSERT_EQ(slow.ranks.size(), 4U);
    EXPECT_THAT(slow.title, StartsWith("Stage 1 (ranks 4 to 7) is the slowest pipeline stage"));
    EXPECT_THAT(slow.why, StartsWith("Each of ranks 4 to 7 (stage 1 of its pipeline) takes "));
    EXPECT_THAT(adviceFor(slow), Not(HasSubstr("nvidia-smi"))) << "four devices are not slow alike";
    for (const RankPosition rank : slow.paying_ranks) {
        EXPECT_FALSE(std::ranges::binary_search(slow.ranks, rank)) << "rank " << rank << " waits for itself";
    }
    EXPECT_EQ(slow.paying_ranks.size(), 4U);
}

// The fast replica's kernels run beside gradient all-reduces that wait for the slow one, with short waits for its own
// tensor group in them: all of them are slower for it.
TEST(SlowGroups, ArePricedWithWhatTheWaitForThemSlowsDown) {
    for (const std::uint64_t seed : {1U, 3U}) {
        SCOPED_TRACE(seed);
        const PlantedJob job = jobWith("slow-tensor-link", "tensor-sequence", seed);
        const Finding& slow = job.found(FindingId::SlowCollective);
        EXPECT_EQ(slow.ranks, job.ranks);
        EXPECT_NEAR(static_cast<double>(slow.saving_ns), job.true_ns, 0.05 * job.true_ns);
        EXPECT_THAT(slow.title, StartsWith("Collectives of ranks 4 to 7 are slower"));
        EXPECT_THAT(slow.why, HasSubstr(" of ranks 4 to 7 moves"));
    }
}

TEST(SlowGroups, LeaveToTheCostOfTheDivisionWhatTheyWouldTakeAtTheUsualSpeed) {
    const PlantedJob healthy = healthyJob("tensor-sequence");
    const Finding& usual = healthy.found(FindingId::TensorCommunication);
    const PlantedJob job = jobWith("slow-tensor-link", "tensor-sequence", 1);
    const Finding* const tensor = job.finding(FindingId::TensorCommunication);
    ASSERT_NE(tensor, nullptr) << "both shorten the same transfers, and neither takes the other's part";
    EXPECT_NEAR(static_cast<double>(tensor->saving_ns), static_cast<double>(usual.saving_ns), 0.2 * job.step_ns);
}

TEST(AdviceForJobs, IsOfTheFrameworkThatRunsThem) {
    for (const std::string_view preset : {"experts", "context", "grid-experts"}) {
        const PlantedJob job = healthyJob(preset);
        for (const Finding& finding : job.run.diagnosis.findings) {
            EXPECT_THAT(adviceFor(finding), Not(HasSubstr("FSDP"))) << preset << ": " << findingName(finding.id);
        }
    }
    const PlantedJob mesh = healthyJob("grid-fsdp2");
    const Finding& tensor = mesh.found(FindingId::TensorCommunication);
    EXPECT_THAT(tensor.remedies.front().action, HasSubstr("enable_async_tensor_parallel"));
    EXPECT_THAT(adviceFor(tensor), Not(HasSubstr("Megatron"))) << "its groups are torch's";
}

TEST(AdviceForJobs, SaysOfALateRankOnlyWhatIsSoOfIt) {
    for (const Remedy& remedy : Wording::builtIn()->advice.everyRemedy(FindingId::StragglerRank)) {
        EXPECT_THAT(remedy.detail, Not(HasSubstr("Only this rank waits"))) << "the others may wait too, but less";
    }
}

}  // namespace
}  // namespace rankscope::accuracy
