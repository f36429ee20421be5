// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/timeline/timeline_fixture.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankscope::test {
namespace {

constexpr std::array kKernels = {
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>(int, float*)",
    "ampere_sgemm_128x64_tn",
    "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, int, 512>(cudnnTensorStruct, float const*)",
    "void at::native::reduce_kernel<512, 1>(at::native::ReduceOp<float>)",
};
constexpr std::array kOps = {"aten::add_", "aten::conv2d", "aten::batch_norm", "aten::sum"};

// Slices must be added in the order of the table: by start, longest first.
SliceIndex addSlice(RankTrace& trace, Track& track, std::string_view name, Category category, TimeNs start,
                    DurationNs length, std::uint16_t depth, SliceIndex parent = kNoSlice) {
    SliceTable& t = track.slices;
    t.start_ns.push_back(start);
    t.end_ns.push_back(start + length);
    t.source.emplace_back();
    t.name.push_back(trace.strings.intern(name));
    t.parent.push_back(parent);
    t.depth.push_back(depth);
    t.category.push_back(category);
    t.flag.push_back(SliceFlag::None);
    track.row_count = std::max<std::uint16_t>(track.row_count, static_cast<std::uint16_t>(depth + 1));
    return static_cast<SliceIndex>(t.size() - 1);
}

Track makeTrack(TrackKind kind, std::string name, std::int32_t device) {
    Track track;
    track.kind = kind;
    track.name = std::move(name);
    track.device = device;
    return track;
}

enum TrackNumber : std::uint32_t { kMain, kIdler, kCompute, kComm, kAnnotations };

void addStep(RankTrace& trace, std::vector<Launch>& launches, const RunShape& shape, std::int64_t step, TimeNs start) {
    Track& main = trace.tracks[kMain];
    Track& compute = trace.tracks[kCompute];
    Track& comm = trace.tracks[kComm];
    const SliceIndex mark =
        addSlice(trace, main, "ProfilerStep#" + std::to_string(step), Category::UserAnnotation, start, kStepNs, 0);
    const SliceIndex load = addSlice(trace, main, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                                     Category::UserAnnotation, start, kGapNs - 50'000, 1, mark);
    addSlice(trace, main, "train.py(54): fetch", Category::PythonFunction, start + 1'000, kGapNs - 60'000, 2, load);
    const DurationNs each = (kStepNs - kGapNs) / shape.kernels_a_step;
    for (std::int64_t k = 0; k < shape.kernels_a_step; ++k) {
        const TimeNs at = start + kGapNs + k * each;
        const auto which = static_cast<std::size_t>(k) % kKernels.size();
        const SliceIndex op = addSlice(trace, main, kOps[which], Category::CpuOp, at - 40'000, each - 2'000, 1, mark);
        const SliceIndex call =
            addSlice(trace, main, "cudaLaunchKernel", Category::Runtime, at - 30'000, each / 4, 2, op);
        const SliceIndex kernel = addSlice(trace, compute, kKernels[which], Category::Kernel, at, each - each / 8, 0);
        launches.push_back({{TrackId(kMain), call}, {TrackId(kCompute), kernel}});
    }
    addSlice(trace, comm, "Memcpy HtoD (Pinned -> Device)", Category::Memcpy, start + kGapNs, 300'000, 0);
    addSlice(trace, comm, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", Category::Kernel,
             start + kStepNs / 2, kStepNs / 3, 0);
    addSlice(trace, trace.tracks[kAnnotations], "ProfilerStep#" + std::to_string(step), Category::GpuAnnotation,
             start + kGapNs, kStepNs - kGapNs, 0);
}

RankStep makeStep(std::int64_t index, TimeNs start) {
    RankStep step;
    step.index = index;
    step.host = step.span = {start, start + kStepNs};
    Gap gap;
    gap.span = {start, start + kGapNs};
    gap.device = 0;
    gap.parts.resize(2);
    gap.parts[0].cause = Cause::DataLoader;
    gap.parts[0].span = {start, start + kGapNs - 100'000};
    gap.parts[0].label = "train.py(54): fetch";
    gap.parts[1].cause = Cause::LaunchLatency;
    gap.parts[1].span = {start + kGapNs - 100'000, start + kGapNs};
    step.gaps.push_back(gap);
    return step;
}

WorkClasses classesOf(const RankTrace& trace) {
    WorkClasses classes(trace.tracks.size());
    for (const std::uint32_t t : {static_cast<std::uint32_t>(kCompute), static_cast<std::uint32_t>(kComm)}) {
        const SliceTable& slices = trace.tracks[t].slices;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            const bool nccl = trace.strings.view(slices.name[i]).starts_with("nccl");
            classes[t].push_back(slices.category[i] == Category::Memcpy ? WorkClass::Copy
                                 : nccl                                 ? WorkClass::Communication
                                                                        : WorkClass::Compute);
        }
    }
    return classes;
}

// What the analysis says of the device's communication and of the compute beside it.
void addCommunication(const RankTrace& trace, RankFacts& rank) {
    std::vector<TimeSpan> compute;
    std::vector<TimeSpan> communication;
    for (const std::uint32_t t : {static_cast<std::uint32_t>(kCompute), static_cast<std::uint32_t>(kComm)}) {
        const SliceTable& slices = trace.tracks[t].slices;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            const WorkClass work = rank.work_classes[t][i];
            if (work == WorkClass::Compute) {
                compute.push_back(slices.span(i));
            } else if (work == WorkClass::Communication) {
                communication.push_back(slices.span(i));
            }
        }
    }
    rank.compute = IntervalSet::unionOf(std::move(compute));
    rank.communication = IntervalSet::unionOf(std::move(communication));
    rank.overlap = rank.communication.intersect(rank.compute);
    rank.exposed_communication = rank.communication.subtract(rank.compute);
    rank.communication_tracks = {TrackId(kComm)};
}

Finding lateFinding(const RunShape& shape) {
    Finding finding;
    finding.id = FindingId::StragglerRank;
    finding.title = "A rank holds the others up";
    const RankPosition rank(shape.late_rank);
    finding.ranks = {rank};
    for (std::int64_t s = 0; s < shape.steps; ++s) {
        const TimeNs start = shape.epoch_ns + s * kStepNs;
        finding.late.push_back({rank, s, {start + kStepNs / 2, start + kStepNs}});
    }
    return finding;
}

}  // namespace

std::shared_ptr<const AnalysedRun> makeRun(const RunShape& shape) {
    auto run = std::make_shared<Run>();
    run->name = shape.name;
    RunFacts facts;
    for (std::int32_t r = 0; r < shape.ranks; ++r) {
        auto trace = std::make_shared<RankTrace>();
        trace->rank = RankNumber(r);
        trace->host = "node" + std::to_string(r / 8);
        trace->devices.push_back({0, "NVIDIA A100-SXM4-80GB", 0, 108});
        trace->tracks.push_back(makeTrack(TrackKind::CpuThread, "thread 4711 (python)", -1));
        trace->tracks.push_back(makeTrack(TrackKind::CpuThread, "thread 4712 (pt_autograd_0)", -1));
        trace->tracks.push_back(makeTrack(TrackKind::Stream, "stream 7", 0));
        trace->tracks.push_back(makeTrack(TrackKind::Stream, "stream 20", 0));
        trace->tracks.push_back(makeTrack(TrackKind::StreamAnnotation, "stream 7 annotations", 0));
        for (std::int32_t q = 0; q < shape.quiet_threads; ++q) {
            trace->tracks.push_back(makeTrack(TrackKind::CpuThread, "thread " + std::to_string(5000 + q), -1));
            addSlice(*trace, trace->tracks.back(), "poll", Category::CpuOp, shape.epoch_ns + kStepNs, 1'000, 0);
        }
        std::vector<Launch> launches;
        RankFacts rank;
        rank.device = 0;
        rank.main_thread = TrackId(kMain);
        for (std::int64_t s = 0; s < shape.steps; ++s) {
            const TimeNs start = shape.epoch_ns + s * kStepNs;
            addStep(*trace, launches, shape, s, start);
            rank.steps.push_back(makeStep(s, start));
        }
        addSlice(*trace, trace->tracks[kIdler], "autograd::engine", Category::CpuOp, shape.epoch_ns + kStepNs / 2,
                 kStepNs / 4, 0);
        if (shape.backward) {
            trace->flows.push_back({{TrackId(kMain), kFirstOperator}, {TrackId(kIdler), 0}});
        }
        for (std::size_t i = 1; shape.graph && i < 3; ++i) {
            launches[i].host = launches[0].host;
        }
        if (!shape.first_kernel.empty()) {
            trace->tracks[kCompute].slices.name[0] = trace->strings.intern(shape.first_kernel);
        }
        trace->launches = LaunchTable(std::move(launches));
        trace->window = {shape.epoch_ns, shape.epoch_ns + shape.steps * kStepNs};
        rank.work_classes = classesOf(*trace);
        addCommunication(*trace, rank);
        facts.ranks.push_back(std::move(rank));
        run->ranks.push_back(std::move(trace));
    }
    auto analysed = std::make_shared<AnalysedRun>();
    analysed->run = run;
    if (shape.facts) {
        analysed->clock = alignClocks(*run);
        analysed->facts = std::move(facts);
    }
    if (shape.late_rank >= 0) {
        analysed->diagnosis.findings.push_back(lateFinding(shape));
    }
    return analysed;
}

std::shared_ptr<const AnalysedRun> makeDenseRun(std::int32_t streams, std::int64_t slices) {
    auto run = std::make_shared<Run>();
    run->name = "dense";
    auto trace = std::make_shared<RankTrace>();
    trace->rank = RankNumber(0);
    for (std::int32_t s = 0; s < streams; ++s) {
        Track track = makeTrack(TrackKind::Stream, "stream " + std::to_string(s), 0);
        for (std::int64_t i = 0; i < slices; ++i) {
            addSlice(*trace, track, kKernels[static_cast<std::size_t>(i + s) % kKernels.size()], Category::Kernel,
                     i * 10'000 + s * 100, 2'000 + (i * 7'919 + s) % 7'000, 0);
        }
        trace->tracks.push_back(std::move(track));
    }
    trace->window = {0, slices * 10'000};
    run->ranks.push_back(std::move(trace));
    auto analysed = std::make_shared<AnalysedRun>();
    analysed->clock = alignClocks(*run);
    analysed->run = run;
    return analysed;
}

void takeAllIndices(ui::TimelineScene& scene) {
    ui::IndexStore store;
    store.want(scene.sources());
    store.finish();
    scene.takeIndices(store);
}

ui::TimelineScene makeScene(const std::vector<std::shared_ptr<const AnalysedRun>>& runs, const QSize& size,
                            double pixel_ratio) {
    ui::TimelineScene scene(ui::Theme::darkTheme());
    scene.setModel(ui::TimelineModel(runs));
    takeAllIndices(scene);
    scene.resize(size, pixel_ratio);
    scene.changeView().fitAll();
    return scene;
}

}  // namespace rankscope::test
