// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/calls/call_tree.h"

#include "core/base/interval_set.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

CallTree calls(const Run& run, CallSource source = CallSource::Both, const CallPart& part = {},
               CallMeasure measure = CallMeasure::Host) {
    auto tree = callsIn(run, std::span(&part, 1), source, measure, {});
    EXPECT_TRUE(tree.ok());
    return std::move(tree).value();
}

/// The node at the end of a path of names from the root, or nullptr.
const CallNode* find(const CallTree& tree, const std::vector<std::string_view>& path) {
    const CallNode* node = &tree.root();
    for (const std::string_view name : path) {
        const auto children = tree.childrenOf(*node);
        const auto found = std::ranges::find(children, name, [&](const CallNode& n) { return tree.name(n); });
        if (found == children.end()) {
            return nullptr;
        }
        node = &*found;
    }
    return node;
}

/// The same node. Throws where there is none.
const CallNode& at(const CallTree& tree, const std::vector<std::string_view>& path) {
    const CallNode* const node = find(tree, path);
    return node != nullptr ? *node : throw std::out_of_range("there is no " + std::string(path.back()));
}

/// A step in which a Python frame calls an operator twice; the second call launches a kernel; a copy has no launch.
std::shared_ptr<const Run> smallRun() {
    auto [b, thread, stream] = threadAndStream("python");
    b.step(thread, 1, 0, 100);
    b.step(thread, 2, 200, 100);
    b.python(thread, "train.py(3): forward", 10, 80);
    b.op(thread, "aten::mm", 20, 30);
    b.op(thread, "aten::mm", 60, 20);
    b.kernel(thread, 62, 4, stream, "gemm", 70, 25);
    b.slice(stream, Category::Memcpy, "Memcpy HtoD", 120, 5);
    return runOf({b.build()});
}

TEST(CallTrees, OwnTimeAndThatOfChildrenAddUpOnEachPath) {
    const auto run = smallRun();
    const CallTree tree = calls(*run);
    const CallNode& steps = at(tree, {"ProfilerStep*"});
    EXPECT_EQ(steps.calls, 2U) << "the marks of all steps are one name";
    EXPECT_EQ(steps.total_ns, 200 * kUs);
    EXPECT_EQ(steps.self_ns, 120 * kUs);
    const CallNode& mm = at(tree, {"ProfilerStep*", "train.py(3): forward", "aten::mm"});
    EXPECT_EQ(mm.calls, 2U);
    EXPECT_EQ(mm.total_ns, 50 * kUs);
    EXPECT_EQ(mm.self_ns, 46 * kUs) << "without the launch call";
    EXPECT_EQ(mm.longest_ns, 30 * kUs);
    EXPECT_EQ(run->ranks[0]->span(mm.longest).length(), 30 * kUs);
}

TEST(CallTrees, DeviceWorkStandsUnderTheCallThatLaunchedIt) {
    const auto run = smallRun();
    const CallTree tree = calls(*run, CallSource::Operators, {}, CallMeasure::Device);
    const CallNode& kernel = at(tree, {"ProfilerStep*", "aten::mm", "cudaLaunchKernel", "gemm"});
    EXPECT_EQ(kernel.device_self_ns, 25 * kUs);
    EXPECT_EQ(kernel.total_ns, 0) << "it is no time of the host";
    EXPECT_EQ(at(tree, {"ProfilerStep*", "aten::mm"}).device_ns, 25 * kUs);
    const CallNode& unknown = at(tree, {"(launch not recorded)", "Memcpy HtoD"});
    EXPECT_EQ(unknown.device_ns, 5 * kUs);
    EXPECT_EQ(tree.root().device_ns, 30 * kUs);
}

TEST(CallTrees, AWindowCutsTheTimeOfCallsAndTakesTheWorkThatItLaunched) {
    const auto run = smallRun();
    const TimeNs from = run->ranks[0]->window.start_ns;
    const CallPart part{RankPosition(0), TimeSpan{from + 30 * kUs, from + 70 * kUs}, {}};
    const CallTree tree = calls(*run, CallSource::Both, part);
    EXPECT_EQ(tree.root().total_ns, 40 * kUs);
    EXPECT_EQ(at(tree, {"ProfilerStep*"}).self_ns, 0);
    const CallNode& mm = at(tree, {"ProfilerStep*", "train.py(3): forward", "aten::mm"});
    EXPECT_EQ(mm.total_ns, 30 * kUs);
    EXPECT_EQ(mm.device_ns, 25 * kUs) << "the kernel ends after the window, its launch is inside";
    EXPECT_EQ(find(tree, {"(launch not recorded)"}), nullptr);
}

TEST(CallTrees, OnlyTheWantedThreadsAreCounted) {
    ModelBuilder b;
    const auto main = b.thread("main");
    const auto other = b.thread("autograd");
    b.op(main, "aten::mm", 0, 10);
    b.op(other, "MmBackward0", 5, 20);
    const auto run = runOf({b.build()});
    const CallTree tree = calls(*run, CallSource::Operators, {RankPosition(0), {}, {TrackId(other)}});
    EXPECT_EQ(tree.root().total_ns, 20 * kUs);
    EXPECT_EQ(find(tree, {"aten::mm"}), nullptr);
}

TEST(CallTrees, BottomUpHasWhatSpentTheTimeAtTheTopAndItsCallersBeneath) {
    ModelBuilder b;
    const auto thread = b.thread("python");
    b.op(thread, "forward", 0, 50);
    b.op(thread, "aten::mm", 10, 20);
    b.op(thread, "backward", 60, 40);
    b.op(thread, "aten::mm", 70, 10);
    const auto run = runOf({b.build()});
    const CallTree tree = bottomUp(calls(*run), CallMeasure::Host);
    EXPECT_EQ(tree.root().total_ns, 90 * kUs);
    const CallNode& mm = at(tree, {"aten::mm"});
    EXPECT_EQ(mm.total_ns, 30 * kUs);
    EXPECT_EQ(mm.calls, 2U);
    EXPECT_EQ(mm.longest_ns, 20 * kUs);
    EXPECT_EQ(at(tree, {"aten::mm", "forward"}).total_ns, 20 * kUs);
    EXPECT_EQ(at(tree, {"aten::mm", "backward"}).total_ns, 10 * kUs);
    EXPECT_EQ(at(tree, {"forward"}).total_ns, 30 * kUs) << "its own time, which is no other's";
}

TEST(CallTrees, FramesThatOnlyPassOnFoldIntoWhatTheyCall) {
    ModelBuilder b;
    const auto thread = b.thread("python");
    b.python(thread, "<string>(1): <module>", 0, 1'000);
    b.python(thread, "spawn.py(116): spawn_main", 1, 998);
    b.python(thread, "train.py(9): train", 2, 996);
    b.python(thread, "train.py(20): forward", 10, 400);
    b.python(thread, "train.py(30): backward", 500, 400);
    const auto run = runOf({b.build()});
    const CallTree whole = calls(*run);
    const CallTree tree = folded(whole, CallMeasure::Host);
    const CallNode& train = at(tree, {"train.py(9): train"});
    EXPECT_EQ(train.total_ns, 1'000 * kUs) << "with the time of the frames around it";
    EXPECT_EQ(train.self_ns, 200 * kUs);
    ASSERT_EQ(train.through.size(), 2U);
    EXPECT_EQ(tree.names[train.through[0].value], "<string>(1): <module>");
    EXPECT_EQ(train.child_count, 2U);
    EXPECT_EQ(tree.root().total_ns, whole.root().total_ns);
}

TEST(CallTrees, AFrameThatDoesSomethingItselfStaysAndSoDoOperators) {
    ModelBuilder b;
    const auto thread = b.thread("python");
    b.python(thread, "a.py(1): busy", 0, 100);
    b.op(thread, "aten::linear", 5, 90);
    b.op(thread, "aten::addmm", 5, 90);
    const auto run = runOf({b.build()});
    const CallTree tree = folded(calls(*run), CallMeasure::Host);
    EXPECT_NE(find(tree, {"a.py(1): busy", "aten::linear", "aten::addmm"}), nullptr);
}

TEST(CallTrees, TheBackwardOfAModuleIsTheOneWhoseForwardItFollows) {
    ModelBuilder b;
    const auto main = b.thread("main");
    const auto autograd = b.thread("autograd");
    const auto stream = b.stream("7");
    b.python(main, "nn.Module: Net_0", 0, 100);
    b.python(main, "nn.Module: Linear_0", 10, 50);
    const auto forward = b.op(main, "aten::linear", 15, 40);
    b.kernel(main, 20, 2, stream, "gemm", 30, 20);
    const auto backward = b.op(autograd, "LinearBackward0", 200, 50);
    b.kernel(autograd, 210, 2, stream, "gemm", 220, 45);
    b.flow(forward, backward);
    const auto run = runOf({b.build()});
    const CallTree tree = calls(*run, CallSource::Modules, {}, CallMeasure::Device);
    const CallNode& linear = at(tree, {"nn.Module: Net_0", "nn.Module: Linear_0"});
    EXPECT_EQ(linear.total_ns, 50 * kUs) << "the host's time in the forward";
    EXPECT_EQ(linear.device_ns, 65 * kUs);
    EXPECT_EQ(at(tree, {"nn.Module: Net_0", "nn.Module: Linear_0", "(backward)", "gemm"}).device_ns, 45 * kUs);
}

TEST(CallTrees, RanksAddUpUnderOneName) {
    std::vector<std::shared_ptr<const RankTrace>> ranks;
    for (const double length_us : {10.0, 30.0}) {
        ModelBuilder b;
        b.op(b.thread("python"), "aten::mm", 0, length_us);
        ranks.push_back(b.build());
    }
    const auto run = runOf(ranks);
    const std::vector<CallPart> both{{RankPosition(0), {}, {}}, {RankPosition(1), {}, {}}};
    const auto tree = callsIn(*run, both, CallSource::Both, CallMeasure::Host, {});
    ASSERT_TRUE(tree.ok());
    const CallNode& mm = at(tree.value(), {"aten::mm"});
    EXPECT_EQ(mm.total_ns, 40 * kUs);
    EXPECT_EQ(mm.rank, RankPosition(1)) << "where the longest is";
}

TEST(CallTrees, ComparesPathByPathAndFoldingKeepsThat) {
    const auto make = [](double mm_us) {
        ModelBuilder b;
        const auto thread = b.thread("python");
        b.python(thread, "main.py(1): <module>", 0, 1'000);
        b.python(thread, "main.py(5): step", 0, 1'000);
        b.op(thread, "aten::mm", 10, mm_us);
        return runOf({b.build()});
    };
    CallTree slow = calls(*make(600));
    compareWith(slow, calls(*make(200)), CallMeasure::Host);
    const CallNode& mm = at(slow, {"main.py(1): <module>", "main.py(5): step", "aten::mm"});
    EXPECT_EQ(mm.total_ns, 600 * kUs);
    EXPECT_EQ(mm.before_ns, 200 * kUs);
    const CallTree short_tree = folded(slow, CallMeasure::Host);
    EXPECT_EQ(at(short_tree, {"main.py(5): step"}).before_ns, 1'000 * kUs);
    EXPECT_EQ(at(short_tree, {"main.py(5): step", "aten::mm"}).before_ns, 200 * kUs);
}

TEST(CallTrees, ASliceIsFoundAgainInTheTreeFoldedOrNot) {
    auto [b, thread, stream] = threadAndStream("python");
    b.step(thread, 3, 0, 1'000);
    b.python(thread, "main.py(1): <module>", 1, 998);
    b.python(thread, "main.py(5): train", 1, 998);
    b.op(thread, "aten::mm", 10, 300);
    b.kernel(thread, 20, 4, stream, "gemm", 30, 25);
    b.op(thread, "aten::add", 400, 300);
    const auto run = runOf({b.build()});
    const CallTree whole = calls(*run);
    const SliceRef kernel{TrackId(stream), 0};
    const auto path = callPathOf(*run->ranks[0], kernel, CallSource::Both);
    ASSERT_EQ(path.size(), 6U);
    EXPECT_EQ(path.front(), "ProfilerStep*");
    EXPECT_EQ(whole.nodes[furthestOn(whole, path)].longest, kernel);
    const CallTree short_tree = folded(whole, CallMeasure::Host);
    EXPECT_LT(short_tree.nodes.size(), whole.nodes.size());
    EXPECT_EQ(short_tree.nodes[furthestOn(short_tree, path)].longest, kernel);
    const std::vector<std::string> unknown{"ProfilerStep*", "aten::relu"};
    EXPECT_EQ(whole.name(whole.nodes[furthestOn(whole, unknown)]), "ProfilerStep*");
}

TEST(CallTrees, StopWhenAskedTo) {
    const auto run = smallRun();
    std::stop_source stop;  // NOLINT(misc-const-correctness)
    stop.request_stop();
    const CallPart part;
    EXPECT_TRUE(callsIn(*run, std::span(&part, 1), CallSource::Both, CallMeasure::Host, stop.get_token()).cancelled());
}

/// Of every node: its own time and that of its children are its total, by both measures.
void expectSums(const CallTree& tree) {
    for (const CallNode& node : tree.nodes) {
        for (const CallMeasure measure : {CallMeasure::Host, CallMeasure::Device}) {
            DurationNs sum_ns = node.ownValue(measure);
            for (const CallNode& child : tree.childrenOf(node)) {
                sum_ns += child.value(measure);
            }
            ASSERT_EQ(sum_ns, node.value(measure)) << tree.name(node);
        }
    }
}

TEST(AllTraces, HaveCallTreesThatAddUpToWhatTheThreadsAndTheDeviceRecorded) {
    std::size_t with_calls = 0;
    for (const auto& path : allTraceFiles()) {
        SCOPED_TRACE(path.string());
        for (const auto& trace : loadAllRanks(path.string())) {
            DurationNs host_ns = 0;
            DurationNs device_ns = 0;
            for (const Track& track : trace->tracks) {
                UnionLength calls_of_thread;
                for (SliceIndex i = 0; i < track.slices.size(); ++i) {
                    const Category category = track.slices.category[i];
                    device_ns += isDeviceWork(category) ? track.slices.span(i).length() : 0;
                    const bool call = category == Category::CpuOp || category == Category::UserAnnotation ||
                                      category == Category::PythonFunction || isLaunchCall(category);
                    if (track.kind == TrackKind::CpuThread && call) {
                        calls_of_thread.add(track.slices.span(i));
                    }
                }
                host_ns += calls_of_thread.length();
            }
            const auto run = runOf({trace});
            const CallTree tree = calls(*run);
            EXPECT_EQ(tree.root().device_ns, device_ns);
            EXPECT_EQ(tree.root().total_ns, host_ns);
            expectSums(tree);
            const CallTree turned = bottomUp(tree, CallMeasure::Host);
            EXPECT_EQ(turned.root().total_ns, host_ns);
            EXPECT_EQ(turned.root().device_ns, device_ns);
            expectSums(turned);
            const CallTree short_tree = folded(tree, CallMeasure::Host);
            EXPECT_EQ(short_tree.root().total_ns, host_ns);
            EXPECT_EQ(short_tree.root().device_ns, device_ns);
            expectSums(short_tree);
            with_calls += tree.nodes.size() > 1 ? 1U : 0U;
        }
    }
    EXPECT_GT(with_calls, 20U);
}

}  // namespace
}  // namespace rankscope::test
