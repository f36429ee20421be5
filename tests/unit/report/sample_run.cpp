// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/report/sample_run.h"

#include <memory>
#include <utility>

namespace rankscope::test {
namespace {

void addSlice(RankTrace& rank, Track& track, std::string_view name, TimeSpan span, Category category,
              EventSource source) {
    SliceTable& slices = track.slices;
    slices.start_ns.push_back(kBaseNs + span.start_ns);
    slices.end_ns.push_back(kBaseNs + span.end_ns);
    slices.source.push_back(source);
    slices.name.push_back(rank.strings.intern(name));
    slices.parent.push_back(kNoSlice);
    slices.depth.push_back(0);
    slices.category.push_back(category);
    slices.flag.push_back(SliceFlag::None);
    track.row_count = 1;
}

TraceFile fileOf(const std::string& path) {
    TraceFile file;
    file.path = path;
    file.bytes = 1000;
    file.json_bytes = 5000;
    file.window = {kBaseNs, kBaseNs + 2000};
    return file;
}

RankTrace rankTwo() {
    RankTrace rank;
    rank.rank = RankNumber(2);
    rank.rank_origin = RankOrigin::DistributedInfo;
    rank.world_size = 4;
    rank.host = "node7";
    rank.backend = "nccl";
    rank.files = {fileOf("runs/rank2.json")};
    rank.devices = {{0, "Some GPU", 16'000'000'000, 80}};
    rank.window = {kBaseNs, kBaseNs + 2000};
    Track thread;
    thread.kind = TrackKind::CpuThread;
    thread.name = "thread 42";
    addSlice(rank, thread, "enumerate(DataLoader)#__next__", {100, 700}, Category::UserAnnotation, {0, 4321});
    Track stream;
    stream.kind = TrackKind::Stream;
    stream.device = 0;
    stream.name = "stream 7";
    addSlice(rank, stream, "gemm", {700, 1500}, Category::Kernel, {0, 5000});
    rank.tracks.push_back(std::move(thread));
    rank.tracks.push_back(std::move(stream));
    rank.health.events = 12;
    rank.health.slices = 2;
    rank.health.skipped = 1;
    rank.health.add(0, 777, "a number is no number");
    return rank;
}

RankTrace rankThree() {
    RankTrace rank;
    rank.rank = RankNumber(3);
    rank.rank_origin = RankOrigin::FileName;
    rank.files = {fileOf("runs/rank3.json")};
    rank.window = {kBaseNs + 50, kBaseNs + 1950};
    return rank;
}

RankStep deviceStep(std::int64_t index, TimeSpan span) {
    RankStep step;
    step.index = index;
    step.span = {kBaseNs + span.start_ns, kBaseNs + span.end_ns};
    Partition part;
    part.compute_ns = 800;
    part.exposed_comm_ns = 30;
    part.exposed_copy_ns = 20;
    part.idle_ns = 650;
    part.comm_ns = 120;
    part.copy_ns = 40;
    part.overlap_ns = 90;
    step.partition = part;
    step.idle_causes[Cause::DataLoader] = 600;
    step.idle_causes[Cause::LaunchLatency] = 50;
    return step;
}

Finding dataLoaderFinding() {
    Finding finding;
    finding.id = FindingId::DataloaderStall;
    finding.severity = Severity::High;
    finding.confidence = Confidence::Medium;
    finding.ranks = {RankPosition()};
    finding.paying_ranks = {RankPosition(1)};
    finding.steps = {5};
    finding.blocked_ns = 600;
    finding.saving_ns = 450;
    finding.share = 0.3;
    finding.title = "The device waits for input";
    finding.summary = "The next batch is not there.";
    finding.why_confidence = {"Prices stand on two steps only."};
    finding.example =
        FindingExample{RankPosition(), 5, 600, {{"loader", 500, {TrackId(0), 0}}, {"2 shorter ones", 100, {}}}};
    finding.why = "The DataLoader takes 600 ns of every step.";
    finding.remedies = {{"Set num_workers=4.", "Workers load beside the training.", "num_workers=4", true}};
    finding.evidence = {{RankPosition(), 5, {TrackId(0), 0}, "blocks the device for 600 ns"},
                        {RankPosition(), 5, {}, "in every step"}};
    return finding;
}

ParallelismFacts sampleParallelism() {
    ParallelismFacts facts;
    GroupRole tensor;
    tensor.group = 0;
    tensor.name = "1";
    tensor.description = "mesh_tp";
    tensor.ranks = {RankNumber(2), RankNumber(3)};
    tensor.size = 2;
    tensor.role = Role::Tensor;
    tensor.confidence = Confidence::High;
    tensor.operations = {{CollectiveKind::AllReduce, 4, 0, 3}, {CollectiveKind::Broadcast, 0, 0, 2}};
    tensor.evidence = {"The name \"mesh_tp\" says tensor.", "Sums of layers."};
    tensor.exposed_ns = 25;
    tensor.counted = 1;
    GroupRole untold;
    untold.name = "<u>";
    untold.evidence = {"Cannot tell: it is used for more than one thing."};
    untold.exposed_ns = 5;
    untold.counted = 1;
    GroupPart sums;
    sums.role = Role::Data;
    sums.operations = {{CollectiveKind::AllReduce, 0, 3, 0}};
    sums.collectives = 3;
    sums.exposed_ns = 4;
    GroupPart tables;
    tables.what = "<tables>";
    tables.collectives = 1;
    tables.exposed_ns = 1;
    untold.parts = {sums, tables};
    facts.groups = {tensor, untold};
    facts.grid.dimensions = {{Role::Tensor, 2, 1}};
    facts.grid.world_size = 4;
    facts.grid.notes = {"2 of 4 ranks traced; no group tells the rest."};
    facts.grid.places = {{0}, {std::nullopt}};
    facts.ranks.resize(2);
    facts.ranks[0].steps.resize(2);
    for (RoleTimes& step : facts.ranks[0].steps) {
        step[Role::Tensor] = 25;
        step[std::nullopt] = 5;
    }
    facts.ranks[0].exposed = facts.ranks[0].steps.front();
    facts.ranks[0].counted = 1;
    facts.ranks[1].steps.resize(1);
    return facts;
}

RunFacts sampleFacts() {
    RunFacts facts;
    RankFacts with_device;
    with_device.device = 0;
    with_device.step_source = StepSource::ProfilerStep;
    with_device.steps = {deviceStep(5, {0, 1500}), deviceStep(6, {1500, 3000})};
    with_device.steps[1].outlier = true;
    with_device.steps[1].outlier_reason = "warm-up";
    RankFacts without;
    without.step_source = StepSource::NamedRange;
    RankStep host_only;
    host_only.index = 5;
    host_only.span = {kBaseNs + 50, kBaseNs + 1450};
    without.steps = {host_only};
    facts.ranks = {std::move(with_device), std::move(without)};
    facts.steps = {{.index = 5,
                    .duration_ns = 1700,
                    .outlier_reason = "",
                    .critical_rank = RankPosition(1),
                    .by_rank = {RankStepPosition(), RankStepPosition()}},
                   {.index = 6,
                    .duration_ns = 1300,
                    .follows = true,
                    .outlier = true,
                    .outlier_reason = "warm-up",
                    .critical_rank = RankPosition(0),
                    .by_rank = {RankStepPosition(1), std::nullopt}}};
    facts.median_step_ns = 1700;
    facts.parallelism = sampleParallelism();
    return facts;
}

}  // namespace

AnalysedRun sampleRun() {
    return sampleRunWith([](Run&, RankTrace&, RankTrace&) {});
}

AnalysedRun sampleRunWith(const std::function<void(Run&, RankTrace& two, RankTrace& three)>& change) {
    Run run;
    run.name = "sample";
    run.missing_ranks = {RankNumber(0), RankNumber(1)};
    run.unreadable = {{"runs/rank1.json", 99, "ends in the middle"}};
    run.notes = {"The windows differ."};
    RankTrace two = rankTwo();
    RankTrace three = rankThree();
    change(run, two, three);
    run.ranks = {std::make_shared<const RankTrace>(std::move(two)),
                 std::make_shared<const RankTrace>(std::move(three))};
    AnalysedRun out;
    out.run = std::make_shared<const Run>(std::move(run));
    out.clock.ranks.resize(2);
    out.clock.ranks[1].offset_ns = kRank3OffsetNs;
    out.clock.ranks[1].uncertainty_ns = 40;
    out.clock.ranks[1].matches = 17;
    out.clock.ranks[1].method = ClockMethod::Fitted;
    out.clock.base_ns = RunTime(kBaseNs);
    out.facts = sampleFacts();
    out.diagnosis.findings = {dataLoaderFinding()};
    out.diagnosis.headline = {"input-bound", "The GPU waits 30 % of the step for input data and copies."};
    out.diagnosis.cannot_tell = {{FindingId::StragglerRank, "One rank of many is here.", "Record all ranks."}};
    return out;
}

}  // namespace rankscope::test
