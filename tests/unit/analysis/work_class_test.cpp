// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/work_class.h"

#include "core/analysis/gaps/host_names.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

WorkClasses classesOf(ModelBuilder& model) {
    const auto rank = model.build();
    return classifyWork(*rank, HostNames(*rank), NameRules::builtIn());
}

/// The class of the one kernel on track 1 that was launched from track 0.
WorkClass classOfFirst(ModelBuilder& model) {
    return classesOf(model).at(1).at(0);
}

TEST(WorkClasses, CategoriesDecideFirst) {
    ModelBuilder model;
    const auto stream = model.stream("0");
    model.slice(stream, Category::Memcpy, "ncclKernel_looks_like_it", 0, 1);
    model.slice(stream, Category::Memset, "Memset (Device)", 2, 1);
    model.slice(stream, Category::GpuAnnotation, "nccl:all_reduce", 4, 1);
    model.slice(stream, Category::CudaSync, "Event Sync", 6, 1);
    EXPECT_EQ(classesOf(model).at(0),
              (std::vector{WorkClass::Copy, WorkClass::Compute, WorkClass::None, WorkClass::None}));
}

TEST(WorkClasses, ArgsOfACollectiveTellAKernelWithAnyName) {
    auto [model, main, stream] = threadAndStream();
    const auto kernel = model.kernel(main, 0, 1, stream, "my_kernel", 2, 1);
    model.collective(kernel, "allreduce", 100);
    EXPECT_EQ(classOfFirst(model), WorkClass::Communication);
}

TEST(WorkClasses, TheLaunchingOperatorTellsAKernelWithoutArgs) {
    auto [model, main, stream] = threadAndStream();
    model.op(main, "record_param_comms", 0, 10);
    model.kernel(main, 1, 1, stream, "my_kernel", 20, 1);
    EXPECT_EQ(classOfFirst(model), WorkClass::Communication);
}

TEST(WorkClasses, ACopyKernelOfAnAtenOperatorInsideACollectiveIsCompute) {
    auto [model, main, stream] = threadAndStream();
    model.op(main, "c10d::allgather_", 0, 10);
    model.op(main, "aten::cat", 1, 5);
    model.kernel(main, 2, 1, stream, "CatArrayBatchedCopy", 20, 1);
    EXPECT_EQ(classOfFirst(model), WorkClass::Compute);
}

TEST(WorkClasses, NamesTellTheRest) {
    const NameRules rules = NameRules::builtIn();
    EXPECT_FALSE(rules.rules().empty());
    for (const char* name :
         {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "ncclDevKernel_Generic_4(ncclDevKernelArgs)",
          "ncclSymkDevKernel_AllGather", "void vllm::cross_device_reduce_1stage<half, 2>()"}) {
        EXPECT_TRUE(rules.isCommunication(name)) << name;
    }
    for (const char* name : {"void at::native::reduce_kernel<512, 1>()", "ampere_sgemm_128x64_nn", ""}) {
        EXPECT_FALSE(rules.isCommunication(name)) << name;
    }
}

TEST(NameRules, OwnRulesGoBeforeTheBuiltInOnes) {
    const auto own = NameRules::fromJson(
        R"json({"rules": [{"pattern": "^ncclFake", "communication": false}, {"pattern": "my_(gather|scatter)"}]})json",
        "own.json");
    ASSERT_TRUE(own.ok());
    const NameRules rules = own.value().before(NameRules::builtIn());
    EXPECT_FALSE(rules.isCommunication("ncclFakeKernel"));
    EXPECT_TRUE(rules.isCommunication("ncclDevKernel_AllReduce"));
    EXPECT_TRUE(rules.isCommunication("void my_scatter<4>()"));
}

TEST(NameRules, ABadTableIsRefusedWithItsNameAndTheReason) {
    for (const char* json :
         {"{", "[]", R"({"rules": [{"note": "no pattern"}]})", R"json({"rules": [{"pattern": "("}]})json",
          R"({"rules": [{"pattern": "a", "communication": "yes"}]})"}) {
        const auto rules = NameRules::fromJson(json, "mine.json");
        ASSERT_TRUE(rules.failed()) << json;
        EXPECT_EQ(rules.error().path, "mine.json");
        EXPECT_FALSE(rules.error().cause.empty());
    }
}

}  // namespace
}  // namespace rankscope::test
