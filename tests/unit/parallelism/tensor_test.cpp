// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tensor/tensor.h"

#include "core/analysis/tensor/find_tensor.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/unit/parallelism/job.h"

namespace rankscope::test {
namespace {

/// Steps of two ranks with `layers` layers of 300 us, each followed by an all-reduce in a tensor group that takes
/// `transfer_us` for every million elements and `latency_us`, with nothing beside it; of two sizes in turn.
struct DividedLayers {
    double transfer_us = 100;
    double latency_us = 5;
    std::int64_t elements = 1'000'000;
    int layers = 6;
    bool trains = true;
    std::string kernel = "ncclDevKernel_AllReduce";

    [[nodiscard]] AnalysedRun analysed() const {
        std::vector<std::shared_ptr<const RankTrace>> traces;
        for (std::int32_t r = 0; r < 2; ++r) {
            traces.push_back(build(r));
        }
        AnalysedRun run = analyse(runOf(std::move(traces)));
        checkRoles(run.facts);
        return run;
    }

    [[nodiscard]] std::shared_ptr<const RankTrace> build(std::int32_t r) const {
        const ProcessGroup group = groupOf("1", "TENSOR_MODEL_PARALLEL_GROUP", {0, 1});
        ModelBuilder model;
        model.rank(r, 2);
        model.group(group);
        const std::uint32_t main = model.thread("main");
        const std::uint32_t compute = model.stream("7");
        const std::uint32_t comm = model.stream("20");
        double host_us = 0;
        double device_us = 50;
        for (int step = 0; step < 4; ++step) {
            const double begin_us = host_us;
            for (int layer = 0; layer < layers; ++layer) {
                model.slice(main, Category::UserAnnotation, "model.layers." + std::to_string(layer) + ".mlp",
                            host_us + 1, 18);
                model.kernel(main, host_us + 2, 4, compute, "gemm", device_us + 1, 300);
                const std::int64_t size = layer % 2 == 0 ? elements : 2 * elements;
                const double length_us = latency_us + transfer_us * static_cast<double>(size) / 1e6;
                const auto sum = model.kernel(main, host_us + 8, 4, comm, kernel, device_us + 302, length_us);
                model.collective(sum, "allreduce", size, group);
                device_us += 302 + length_us;
                host_us += 20;
            }
            if (trains) {
                model.slice(main, Category::UserAnnotation, "Optimizer.step#Adam.step", host_us + 1, 8);
                model.kernel(main, host_us + 2, 4, compute, "adam", device_us + 1, 20);
                device_us += 21;
            }
            const double done_us = std::max(host_us + 12, device_us + 3);
            model.call(main, "cudaDeviceSynchronize", host_us + 11, done_us - host_us - 11);
            host_us = done_us + 2;
            device_us = host_us + 30;
            model.step(main, 5 + step, begin_us, host_us - begin_us);
        }
        return model.build();
    }
};

std::string tensorRemedies(const Finding& finding) {
    std::string text;
    for (const Remedy& remedy : finding.remedies) {
        text += remedy.action + "\n";
    }
    return text;
}

TEST(Tensor, IsTimedByOperationAndLayerAndAddsUpToItsRole) {
    const AnalysedRun run = DividedLayers().analysed();
    const TensorFacts& tensor = run.facts.tensor;
    EXPECT_EQ(tensor.operations.size(), 2U) << "two sizes";
    ASSERT_EQ(tensor.layers.size(), 6U);
    EXPECT_EQ(tensor.layers[0].name, "layers.0");
    DurationNs of_role_ns = 0;
    for (const RankRoles& rank : run.facts.parallelism.ranks) {
        of_role_ns += rank.exposed[Role::Tensor];
    }
    EXPECT_GT(of_role_ns, 0);
    EXPECT_EQ(tensor.total().exposed_ns, of_role_ns);
    DurationNs of_layers_ns = 0;
    for (const TensorLayer& layer : tensor.layers) {
        of_layers_ns += layer.times.exposed_ns;
    }
    EXPECT_EQ(of_layers_ns, of_role_ns);
}

TEST(Tensor, IsBoundByWhatTheFitSays) {
    EXPECT_EQ(DividedLayers().analysed().facts.tensor.operations.front().bound, TransferBound::Bandwidth);
    DividedLayers small;
    small.elements = 10'000;
    EXPECT_EQ(small.analysed().facts.tensor.operations.front().bound, TransferBound::Latency);
}

TEST(TensorCommunication, IsAFindingWithItsPriceAndMegatronsTerms) {
    const AnalysedRun run = DividedLayers().analysed();
    const Finding& finding = findingIn(run, "tensor-communication");
    EXPECT_NEAR(static_cast<double>(finding.saving_ns), (3 * 105 + 3 * 205) * 1e3, 0.02 * 930e3);
    EXPECT_TRUE(finding.at_most);
    EXPECT_EQ(finding.confidence, Confidence::Medium) << "a training can cut its products and hide what it sends";
    EXPECT_THAT(tensorRemedies(finding), HasSubstr("--tp-comm-overlap"));
    EXPECT_EQ(findingOf(run, "exposed-communication"), nullptr) << "its time has a name";
}

TEST(TensorCommunication, AdvisesNoTrainingWhereNothingIsTrained) {
    DividedLayers serving;
    serving.trains = false;
    const AnalysedRun run = serving.analysed();
    EXPECT_TRUE(run.facts.tensor.forward_only);
    const Finding& finding = findingIn(run, "tensor-communication");
    EXPECT_THAT(tensorRemedies(finding), Not(HasSubstr("--tp-comm-overlap")));
    EXPECT_THAT(tensorRemedies(finding), HasSubstr("--tensor-parallel-size"));
}

TEST(TensorCommunication, IsABoundOfLowConfidenceWhereNoOptionHidesIt) {
    DividedLayers serving;
    serving.trains = false;
    const AnalysedRun run = serving.analysed();
    const Finding& finding = findingIn(run, "tensor-communication");
    EXPECT_TRUE(finding.at_most);
    EXPECT_EQ(finding.confidence, Confidence::Low);
    EXPECT_THAT(finding.why_confidence, testing::Contains(HasSubstr("hide none of them")));
}

TEST(TensorCommunication, AdvisesAServerByTheKernelsThatSum) {
    DividedLayers serving;
    serving.trains = false;
    serving.elements = 10'000;
    const AnalysedRun by_nccl = serving.analysed();
    ASSERT_NE(findingOf(by_nccl, "tensor-communication"), nullptr);
    EXPECT_THAT(tensorRemedies(*findingOf(by_nccl, "tensor-communication")), HasSubstr("custom all-reduce"));
    serving.kernel = "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 4>(vllm::RankData*, int)";
    const AnalysedRun by_its_own = serving.analysed();
    ASSERT_NE(findingOf(by_its_own, "tensor-communication"), nullptr);
    const std::string remedies = tensorRemedies(*findingOf(by_its_own, "tensor-communication"));
    EXPECT_THAT(remedies, Not(HasSubstr("custom all-reduce"))) << "it has that already";
    EXPECT_THAT(remedies, HasSubstr("fuse_allreduce_rms"));
}

TEST(TensorCommunication, OfAPercentAndLessIsNoFinding) {
    DividedLayers fast;
    fast.transfer_us = 1;
    fast.latency_us = 1;
    fast.elements = 100;
    EXPECT_EQ(findingOf(fast.analysed(), "tensor-communication"), nullptr);
}

TEST(LayerNames, AreReadFromModulesAndRanges) {
    EXPECT_EQ(layerOf("model.layers.12.mlp"), "layers.12");
    EXPECT_EQ(layerOf("h.3.attn"), "h.3");
    EXPECT_EQ(layerOf("nn.Module: LlamaDecoderLayer_7"), "LlamaDecoderLayer_7");
    EXPECT_EQ(layerOf("nn.Module: Linear_7"), "");
    EXPECT_EQ(layerOf("players.3"), "");
    EXPECT_EQ(layerOf("layers.x"), "");
}

TEST(RealTensor, OfMegatronIsBoundByBandwidthAndNotWhatItsStepWaitsFor) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/megatron_tp8");
    const TensorFacts& tensor = run.facts.tensor;
    // In the raw events 81 all-reduces of 64 MiB and 3 of 32 KiB a rank, the shortest of the large ones some 0.6 ms; no
    // backward, no optimizer, and no compute beside any of them.
    ASSERT_EQ(tensor.operations.size(), 2U);
    EXPECT_EQ(tensor.operations.front().bytes, 67'108'864);
    EXPECT_EQ(tensor.operations.front().times.count, 8U * 81U);
    EXPECT_EQ(tensor.operations.front().bound, TransferBound::Bandwidth);
    EXPECT_EQ(tensor.operations.back().bound, TransferBound::Latency);
    EXPECT_TRUE(tensor.forward_only);
    EXPECT_EQ(tensor.total().exposed_ns, tensor.total().time_ns);
    EXPECT_EQ(findingOf(run, "tensor-communication"), nullptr) << "starved hosts decide how long the step takes";
}

TEST(RealTensor, OfVllmIsReportedByLayer) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "tracelens/eager_trace.json.gz");
    const TensorFacts& tensor = run.facts.tensor;
    // In the raw events 73 vllm::all_reduce: two in each of 36 TransformerBlocks, and one of the embedding.
    EXPECT_EQ(tensor.layers.size(), 37U);
    EXPECT_EQ(std::ranges::count_if(tensor.layers, [](const TensorLayer& layer) { return layer.times.count == 2; }),
              36);
    EXPECT_TRUE(tensor.forward_only);
    for (const Finding& finding : run.diagnosis.findings) {
        EXPECT_THAT(tensorRemedies(finding), Not(HasSubstr("training"))) << findingName(finding.id);
    }
}

TEST(LayerNames, OfWholeLayersGoBeforeThoseOfTheirParts) {
    EXPECT_GT(wholeLayer("LlamaDecoderLayer_7"), wholeLayer("TransformerBlock_0"));
    EXPECT_GT(wholeLayer("TransformerBlock_7"), wholeLayer("MLPBlock_7"));
}

TEST(RealTensor, IsNowhereElse) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* const path : {"resnet_ddp_4ranks_rocm", "unseen_1/fsdp2_4ranks", "unseen_1/expert_8ranks",
                                   "dlrm_8ranks_v100", "hta/nccl_parser_config"}) {
        SCOPED_TRACE(path);
        const AnalysedRun run = loadAndAnalyse(realTraces() / path);
        EXPECT_FALSE(run.facts.tensor.any());
        EXPECT_EQ(findingOf(run, "tensor-communication"), nullptr);
    }
}

}  // namespace
}  // namespace rankscope::test
