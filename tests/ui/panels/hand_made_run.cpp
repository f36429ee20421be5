// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/panels/hand_made_run.h"

namespace rankscope::test {
namespace {

constexpr TimeNs kStart = 1'000'000'000;

void addSlice(RankTrace& rank, Track& track, const char* name, Category category, TimeSpan span, SliceIndex parent) {
    const std::size_t i = track.slices.size();
    track.slices.resize(i + 1);
    track.slices.start_ns[i] = kStart + span.start_ns;
    track.slices.end_ns[i] = kStart + span.end_ns;
    track.slices.name[i] = rank.strings.intern(name);
    track.slices.category[i] = category;
    track.slices.parent[i] = parent;
    track.slices.depth[i] = parent == kNoSlice ? 0 : 1;
    track.row_count = std::max<std::uint16_t>(track.row_count, static_cast<std::uint16_t>(track.slices.depth[i] + 1));
}

std::shared_ptr<const RankTrace> makeRank() {
    auto rank = std::make_shared<RankTrace>();
    rank->rank = RankNumber(0);
    rank->files.push_back({});
    rank->files.front().path = "/nowhere/rank0.json";
    Track thread;
    thread.kind = TrackKind::CpuThread;
    thread.name = "thread 17";
    addSlice(*rank, thread, "aten::conv2d", Category::CpuOp, {0, 70'000'000}, kNoSlice);
    addSlice(*rank, thread, "cudaLaunchKernel", Category::Runtime, {60'000'000, 60'020'000}, 0);
    Track stream;
    stream.kind = TrackKind::Stream;
    stream.name = "stream 7";
    stream.device = 0;
    addSlice(*rank, stream, "implicit_convolve_sgemm", Category::Kernel, {60'050'000, 100'000'000}, kNoSlice);
    rank->tracks = {thread, stream};
    rank->launches = LaunchTable({{HandMadeRun::kLaunch, HandMadeRun::kKernel}});
    rank->window = {kStart, kStart + 100'000'000};
    rank->health.events = 1'234;
    rank->health.skipped = 2;
    rank->health.add(0, 98'765, "bare NaN");
    return rank;
}

RankStep makeStep() {
    RankStep step;
    step.index = 3;
    step.span = {kStart, kStart + 100'000'000};
    step.mark = HandMadeRun::kOperator;
    step.partition = Partition{};
    step.partition->compute_ns = 39'950'000;
    step.partition->idle_ns = 60'050'000;
    Gap gap;
    gap.span = {kStart, kStart + 60'050'000};
    gap.releasing = HandMadeRun::kKernel;
    gap.launch = HandMadeRun::kLaunch;
    gap.parts.resize(2);
    gap.parts[0].cause = Cause::DataLoader;
    gap.parts[0].span = {kStart, kStart + 60'000'000};
    gap.parts[0].label = "next of the loader";
    gap.parts[0].evidence = {HandMadeRun::kOperator};
    gap.parts[1].cause = Cause::LaunchLatency;
    gap.parts[1].span = {kStart + 60'000'000, kStart + 60'050'000};
    gap.parts[1].evidence = {HandMadeRun::kLaunch};
    step.gaps = {gap};
    return step;
}

Finding makeFinding() {
    Finding finding;
    finding.id = FindingId::DataloaderStall;
    finding.severity = Severity::High;
    finding.confidence = Confidence::High;
    finding.ranks = {RankPosition()};
    finding.steps = {3};
    finding.blocked_ns = 60'000'000;
    finding.saving_ns = 50'100'000;
    finding.share = 0.501;
    finding.title = "The device waits for input";
    finding.summary = "The next batch is not there.";
    finding.why_confidence = {"It was seen in each step."};
    finding.example = FindingExample{
        RankPosition(),
        3,
        60'000'000,
        {{"next of the loader", 45'000'000, HandMadeRun::kOperator}, {"3 shorter ones", 15'000'000, {}}}};
    finding.why = "The DataLoader takes 60.0 ms of each step.";
    finding.remedies = {{"Set num_workers=4.", "Workers prepare batches during the step.", "num_workers=4", true},
                        {"Set pin_memory=True.", "It makes the copies faster.", "pin_memory=True", true}};
    finding.evidence = {{RankPosition(), 3, HandMadeRun::kOperator, "blocks the device for 60.0 ms"}};
    return finding;
}

}  // namespace

std::shared_ptr<const AnalysedRun> HandMadeRun::make(const std::string& name) {
    auto run = std::make_shared<Run>();
    run->name = name;
    run->ranks = {makeRank()};
    auto analysed = std::make_shared<AnalysedRun>();
    analysed->clock.ranks.resize(1);
    analysed->clock.base_ns = RunTime(kStart);
    analysed->facts.ranks.resize(1);
    analysed->facts.ranks[0].steps = {makeStep()};
    RunStep step;
    step.index = 3;
    step.duration_ns = 100'000'000;
    step.by_rank = {RankStepPosition()};
    analysed->facts.steps = {step};
    analysed->facts.median_step_ns = 100'000'000;
    analysed->diagnosis.findings = {makeFinding()};
    analysed->diagnosis.headline = {"input-bound", "The GPU waits 58 % of the step for input data."};
    analysed->diagnosis.cannot_tell = {
        {FindingId::HostCode, "The traces hold no Python stacks.", "Record with with_stack=True."}};
    analysed->run = std::move(run);
    return analysed;
}

std::shared_ptr<const AnalysedRun> HandMadeRun::ofRanks(std::size_t ranks) {
    const auto hand_made = make();
    auto run = std::make_shared<rankscope::Run>(*hand_made->run);
    auto analysed = std::make_shared<AnalysedRun>(*hand_made);
    run->ranks.clear();
    for (std::size_t i = 0; i < ranks; ++i) {
        auto rank = std::make_shared<RankTrace>();
        rank->rank = RankNumber(static_cast<std::int32_t>(i));
        run->ranks.push_back(rank);
    }
    run->notes = {"A note of the run."};
    analysed->facts.ranks.assign(ranks, hand_made->facts.ranks.front());
    analysed->clock.ranks.assign(ranks, hand_made->clock.ranks.front());
    analysed->run = std::move(run);
    return analysed;
}

}  // namespace rankscope::test
