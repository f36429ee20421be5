// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_facts.h"
#include "core/analysis/memory/stack_part.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr std::int64_t kMib = 1 << 20;
constexpr std::uint64_t kBase = 0x7F0000000000;

/// Builds a snapshot block by block.
class SnapshotBuilder {
  public:
    std::uint32_t stack(const std::vector<std::pair<std::string, std::string>>& frames) {
        std::vector<std::uint32_t> places;
        for (const auto& [file, function] : frames) {
            places.push_back(static_cast<std::uint32_t>(out.frames.size()));
            out.frames.push_back({out.strings.intern(file), out.strings.intern(function), 7});
        }
        out.stacks.push_back(places);
        return static_cast<std::uint32_t>(out.stacks.size() - 1);
    }
    void segment(std::int64_t total, std::int32_t device = 0) {
        SnapshotSegment& segment = out.segments.emplace_back();
        segment.device = device;
        segment.address = kBase + out.segments.size() * 1024 * kMib;
        segment.total = total;
        segment.first_block = static_cast<std::uint32_t>(out.blocks.size());
        at_ = segment.address;
    }
    std::uint64_t block(std::int64_t bytes, BlockState state, std::uint32_t stack = 0) {
        out.blocks.push_back({at_, bytes, bytes, state, stack});
        ++out.segments.back().block_count;
        at_ += static_cast<std::uint64_t>(bytes);
        return out.blocks.back().address;
    }
    void event(AllocatorAction action, std::uint64_t address, std::int64_t bytes, std::int64_t time_us,
               std::uint32_t stack = 0) {
        out.history.resize(1);
        out.history[0].push_back({action, address, bytes, time_us, stack});
    }

    MemorySnapshot out;

  private:
    std::uint64_t at_ = 0;
};

TEST(SnapshotFacts, DivideWhatIsReservedWithoutRest) {
    SnapshotBuilder builder;
    builder.segment(20 * kMib);
    builder.block(8 * kMib, BlockState::Allocated);
    builder.block(6 * kMib, BlockState::Inactive);
    builder.block(4 * kMib, BlockState::PendingFree);
    builder.segment(20 * kMib);
    builder.block(20 * kMib, BlockState::Inactive);
    const SnapshotFacts facts = snapshotFacts(builder.out);
    ASSERT_EQ(facts.devices.size(), 1U);
    const DeviceSnapshot& device = facts.devices[0];
    EXPECT_EQ(device.reserved, 40 * kMib);
    EXPECT_EQ(device.allocated, 8 * kMib);
    EXPECT_EQ(device.pending, 4 * kMib);
    EXPECT_EQ(device.split, 6 * kMib);
    EXPECT_EQ(device.free_segments, 20 * kMib);
    EXPECT_EQ(device.unlisted, 2 * kMib);  // of the first segment: no block says what it is
    EXPECT_EQ(device.allocated + device.pending + device.split + device.free_segments + device.unlisted,
              device.reserved);
    EXPECT_DOUBLE_EQ(device.fragmentation(), 6.0 / 40.0);
    EXPECT_EQ(device.largest_free, 20 * kMib);
    EXPECT_EQ(device.parts.total(), device.allocated + device.pending);
    EXPECT_FALSE(device.peak);
    EXPECT_FALSE(facts.has_stacks);
}

TEST(SnapshotFacts, CountNothingAsStuckInSegmentsThatAreExpandable) {
    SnapshotBuilder builder;
    builder.segment(20 * kMib);
    builder.out.segments.back().expandable = true;
    builder.block(8 * kMib, BlockState::Allocated);
    builder.block(12 * kMib, BlockState::Inactive);
    const SnapshotFacts facts = snapshotFacts(builder.out);
    EXPECT_TRUE(facts.expandable_segments);
    EXPECT_EQ(facts.devices[0].split, 0);
    EXPECT_EQ(facts.devices[0].free_segments, 12 * kMib);
}

TEST(SnapshotFacts, KeepDevicesApart) {
    SnapshotBuilder builder;
    builder.segment(2 * kMib, 1);
    builder.block(2 * kMib, BlockState::Allocated);
    builder.segment(4 * kMib, 0);
    builder.block(4 * kMib, BlockState::Allocated);
    const SnapshotFacts facts = snapshotFacts(builder.out);
    ASSERT_EQ(facts.devices.size(), 2U);
    EXPECT_EQ(facts.devices[0].allocated, 4 * kMib);
    EXPECT_EQ(facts.devices[1].allocated, 2 * kMib);
}

TEST(SnapshotFacts, SumBlocksByStackTheLargestFirst) {
    SnapshotBuilder builder;
    const std::uint32_t model = builder.stack({{"/x/torch/nn/modules/linear.py", "__init__"}});
    const std::uint32_t forward = builder.stack({{"/job/model.py", "forward"}});
    builder.segment(16 * kMib);
    builder.block(2 * kMib, BlockState::Allocated, model);
    builder.block(3 * kMib, BlockState::Allocated, forward);
    builder.block(2 * kMib, BlockState::PendingFree, model);
    builder.block(9 * kMib, BlockState::Inactive);
    const SnapshotFacts facts = snapshotFacts(builder.out);
    const std::vector<StackMemory>& stacks = facts.devices[0].stacks;
    ASSERT_EQ(stacks.size(), 2U);
    EXPECT_EQ(stacks[0].stack, model);
    EXPECT_EQ(stacks[0].bytes, 4 * kMib);
    EXPECT_EQ(stacks[0].blocks, 2U);
    EXPECT_EQ(stacks[0].largest, 2 * kMib);
    EXPECT_EQ(facts.devices[0].parts[MemoryPart::Parameters], 4 * kMib);
    EXPECT_EQ(facts.devices[0].parts[MemoryPart::Activations], 3 * kMib);
}

TEST(SnapshotFacts, TellByTheStackWhatMemoryIsFor) {
    SnapshotBuilder builder;
    const std::string torch = "/opt/venv/lib/python3.11/site-packages/torch/";
    const auto part = [&](const std::vector<std::pair<std::string, std::string>>& frames) {
        const std::uint32_t stack = builder.stack(frames);
        return partOfStack(builder.out, stack);
    };
    EXPECT_EQ(part({{torch + "nn/modules/linear.py", "__init__"}, {"/job/train.py", "main"}}), MemoryPart::Parameters);
    EXPECT_EQ(part({{torch + "nn/modules/module.py", "_apply"}, {torch + "nn/modules/module.py", "to"}}),
              MemoryPart::Parameters);
    EXPECT_EQ(part({{"/job/model.py", "forward"}, {torch + "nn/modules/module.py", "_call_impl"}}),
              MemoryPart::Activations);
    EXPECT_EQ(part({{torch + "autograd/graph.py", "_engine_run_backward"}, {"/job/train.py", "step"}}),
              MemoryPart::Gradients);
    // A forward inside a backward is a recomputation.
    EXPECT_EQ(part({{"/job/model.py", "forward"}, {torch + "utils/checkpoint.py", "backward"}}), MemoryPart::Gradients);
    EXPECT_EQ(part({{torch + "nn/parallel/distributed.py", "_ddp_init_helper"},
                    {torch + "nn/parallel/distributed.py", "__init__"}}),
              MemoryPart::Gradients);
    EXPECT_EQ(part({{"??", "torch::autograd::Engine::thread_main(std::shared_ptr<GraphTask> const&)"}}),
              MemoryPart::Gradients);
    EXPECT_EQ(part({{torch + "optim/adamw.py", "_init_group"}, {torch + "optim/optimizer.py", "wrapper"}}),
              MemoryPart::OptimizerState);
    EXPECT_EQ(part({{"/job/train.py", "load"}}), MemoryPart::Unknown);
    EXPECT_EQ(partOfStack(builder.out, 0), MemoryPart::Unknown);
}

TEST(SnapshotFacts, NameAStackByTheUsersOwnCode) {
    SnapshotBuilder builder;
    const std::uint32_t stack = builder.stack({{"??", "c10::cuda::CUDACachingAllocator::malloc"},
                                               {"/opt/lib/python3.11/site-packages/torch/nn/functional.py", "gelu"},
                                               {"/job/model.py", "forward"}});
    EXPECT_EQ(stackTitle(builder.out, stack), "model.py(7): forward");
    EXPECT_EQ(stackTitle(builder.out, builder.stack({{"??", "malloc"}, {"/x/torch/a.py", "f"}})), "a.py(7): f");
    EXPECT_EQ(stackTitle(builder.out, 0), "");
}

TEST(SnapshotFacts, FindThePeakOfTheHistoryAndWhatHeldItThen) {
    SnapshotBuilder builder;
    const std::uint32_t model = builder.stack({{"/x/torch/nn/modules/linear.py", "__init__"}});
    const std::uint32_t forward = builder.stack({{"/job/model.py", "forward"}});
    const std::uint32_t late = builder.stack({{"/job/eval.py", "late"}});
    builder.segment(20 * kMib);
    const std::uint64_t kept = builder.block(8 * kMib, BlockState::Allocated, model);
    const std::uint64_t young = builder.block(1 * kMib, BlockState::Allocated, late);
    builder.block(11 * kMib, BlockState::Inactive);
    const std::uint64_t gone = kBase + 1;
    builder.event(AllocatorAction::FreeCompleted, kBase + 2, 2 * kMib, 900);  // asked for before the history begins
    builder.event(AllocatorAction::Alloc, kept, 8 * kMib, 1000, model);
    builder.event(AllocatorAction::Alloc, gone, 5 * kMib, 1100, forward);
    builder.event(AllocatorAction::FreeRequested, gone, 5 * kMib, 1200, late);
    builder.event(AllocatorAction::FreeCompleted, gone, 5 * kMib, 1300, late);
    builder.event(AllocatorAction::Alloc, young, 1 * kMib, 1400, late);
    builder.event(AllocatorAction::OutOfMemory, 3 * kMib, 90 * kMib, 1500);
    const SnapshotFacts facts = snapshotFacts(builder.out);
    ASSERT_TRUE(facts.devices[0].peak);
    const SnapshotPeak& peak = *facts.devices[0].peak;
    EXPECT_EQ(peak.active, 13 * kMib);
    EXPECT_EQ(peak.before_us, 1500 - 1200);
    ASSERT_EQ(peak.stacks.size(), 2U);
    EXPECT_EQ(peak.stacks[0].stack, model);
    EXPECT_EQ(peak.stacks[1].stack, forward);
    EXPECT_EQ(peak.parts.total(), peak.active);
    EXPECT_EQ(facts.devices[0].history.allocs, 3U);
    EXPECT_EQ(facts.devices[0].history.frees, 2U);
    EXPECT_EQ(facts.devices[0].history.out_of_memory, 1U);
    EXPECT_EQ(facts.devices[0].history.largest_failed, 90 * kMib);
    EXPECT_EQ(facts.devices[0].history.free_then, 3 * kMib);
}

}  // namespace
}  // namespace rankscope::test
