// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/wide_run.h"

#include <random>
#include <string>

namespace rankscope::bench {
namespace {

constexpr std::int64_t kSteps = 20;
constexpr std::int64_t kNames = 60;
constexpr int kDepths = 4;
constexpr TimeNs kEpochNs = 1'700'000'000'000'000'000;

void add(RankTrace& trace, Track& track, Category category, const TimeSpan& span, std::uint16_t depth,
         std::int64_t name) {
    static const std::string prefix = "void at::native::vectorized_elementwise_kernel<4, Functor_";
    SliceTable& t = track.slices;
    t.start_ns.push_back(span.start_ns);
    t.end_ns.push_back(span.end_ns);
    t.source.emplace_back();
    t.name.push_back(trace.strings.intern(prefix + std::to_string(name) + ">(int)"));
    t.parent.push_back(kNoSlice);
    t.depth.push_back(depth);
    t.category.push_back(category);
    t.flag.push_back(SliceFlag::None);
    track.row_count = std::max<std::uint16_t>(track.row_count, static_cast<std::uint16_t>(depth + 1));
}

Track makeTrack(TrackKind kind, const char* name, std::int32_t device) {
    Track track;
    track.kind = kind;
    track.name = name;
    track.device = device;
    return track;
}

// `count` slices one after the other, each over 60 to 95 % of its place; `work` collects their spans.
void fillStream(RankTrace& trace, Track& track, std::int64_t count, std::mt19937_64& random,
                std::vector<TimeSpan>& work) {
    const DurationNs each = kWideRunNs / std::max<std::int64_t>(1, count);
    for (std::int64_t i = 0; i < count; ++i) {
        const TimeNs start = kEpochNs + i * each;
        const DurationNs length = each * (60 + static_cast<DurationNs>(random() % 36)) / 100;
        const auto name = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(kNames));
        add(trace, track, Category::Kernel, {start, start + length}, 0, name);
        work.push_back({start, start + length});
    }
}

// Operators with operators inside, kDepths deep.
void fillThread(RankTrace& trace, Track& track, std::int64_t count, std::mt19937_64& random) {
    const std::int64_t towers = std::max<std::int64_t>(1, count / kDepths);
    const DurationNs each = kWideRunNs / towers;
    for (std::int64_t i = 0; i < towers; ++i) {
        TimeSpan span{kEpochNs + i * each, kEpochNs + i * each + each * 9 / 10};
        for (std::uint16_t depth = 0; depth < kDepths; ++depth) {
            const auto name = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(kNames));
            add(trace, track, Category::CpuOp, span, depth, name);
            span = {span.start_ns + span.length() / 10, span.end_ns - span.length() / 10};
        }
    }
}

void addSteps(RankFacts& facts) {
    constexpr DurationNs kStep = kWideRunNs / kSteps;
    for (std::int64_t s = 0; s < kSteps; ++s) {
        RankStep step;
        step.index = s;
        step.span = step.host = {kEpochNs + s * kStep, kEpochNs + (s + 1) * kStep};
        for (std::int64_t g = 0; g < 40; ++g) {
            Gap gap;
            gap.device = 0;
            gap.span.start_ns = step.span.start_ns + g * kStep / 40;
            gap.span.end_ns = gap.span.start_ns + 50'000;
            step.gaps.push_back(std::move(gap));
        }
        facts.steps.push_back(std::move(step));
    }
}

}  // namespace

std::shared_ptr<const AnalysedRun> makeWideRun(std::uint32_t ranks, std::int64_t slices) {
    std::mt19937_64 random(7);
    auto run = std::make_shared<Run>();
    auto analysed = std::make_shared<AnalysedRun>();
    run->name = "wide";
    const std::int64_t each = slices / ranks;
    for (RankPosition r{0}; r < ranks; ++r) {
        auto trace = std::make_shared<RankTrace>();
        trace->rank = RankNumber::standingIn(r);
        trace->tracks = {makeTrack(TrackKind::CpuThread, "thread 1", -1), makeTrack(TrackKind::Stream, "stream 7", 0),
                         makeTrack(TrackKind::Stream, "stream 20", 0)};
        std::vector<TimeSpan> compute;
        std::vector<TimeSpan> communication;
        fillThread(*trace, trace->tracks[0], each * 45 / 100, random);
        fillStream(*trace, trace->tracks[1], each * 50 / 100, random, compute);
        fillStream(*trace, trace->tracks[2], each * 5 / 100, random, communication);
        trace->window = {kEpochNs, kEpochNs + kWideRunNs};
        RankFacts facts;
        facts.device = 0;
        facts.main_thread = TrackId(0);
        facts.compute = IntervalSet::unionOf(std::move(compute));
        facts.communication = IntervalSet::unionOf(std::move(communication));
        facts.overlap = facts.communication.intersect(facts.compute);
        facts.exposed_communication = facts.communication.subtract(facts.compute);
        facts.communication_tracks = {TrackId(2)};
        facts.work_classes = {{},
                              std::vector<WorkClass>(trace->tracks[1].slices.size(), WorkClass::Compute),
                              std::vector<WorkClass>(trace->tracks[2].slices.size(), WorkClass::Communication)};
        addSteps(facts);
        analysed->facts.ranks.push_back(std::move(facts));
        run->ranks.push_back(std::move(trace));
    }
    analysed->clock = alignClocks(*run);
    analysed->run = std::move(run);
    return analysed;
}

}  // namespace rankscope::bench
