// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/tensor_args.h"

#include "tests/support/loading.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

TEST(TensorArgs, CountTheElementsOfATensorOrOfAListOfThem) {
    EXPECT_EQ(elementsOf("[[8, 1024, 8816]]", 0), 8 * 1024 * 8816);
    EXPECT_EQ(elementsOf("[[[53120], [2, 5]], [], []]", 0), 53130);
    EXPECT_EQ(elementsOf("[[852480], [213120], [], [], []]", 1), 213120);
    EXPECT_EQ(elementsOf("[[0, 7]]", 0), 0);
}

TEST(TensorArgs, SayNothingOfWhatWasNotRecorded) {
    for (const char* dims :
         {"[[], [], []]", "[]", "[[[]]]", "[[\"x\"]]", "[[-4]]", "[[9999999999999999999]]", "no", ""}) {
        EXPECT_FALSE(elementsOf(dims, 0)) << dims;
    }
    EXPECT_FALSE(elementsOf("[[4]]", 1));
    EXPECT_FALSE(elementsOf("[[1000000000, 1000000000]]", 0)) << "more than any memory holds";
}

TEST(TensorArgs, SpellTypesAsCollectivesDo) {
    EXPECT_EQ(dtypeOf(R"(["c10::BFloat16", "Scalar"])", 0), "BFloat16");
    EXPECT_EQ(dtypeOf(R"(["float", "float"])", 1), "Float");
    EXPECT_EQ(dtypeOf(R"(["TensorList", ""])", 0), "");
    EXPECT_EQ(dtypeOf("", 0), "");
}

TEST(TensorArgs, OfC10dsOperatorsTheInputFollowsTheOutput) {
    EXPECT_EQ(sentArgument("nccl:_all_gather_base"), 0U);
    EXPECT_EQ(sentArgument("record_param_comms"), 0U);
    EXPECT_EQ(sentArgument("c10d::allreduce_"), 0U);
    EXPECT_EQ(sentArgument("c10d::reduce_"), 0U);
    EXPECT_EQ(sentArgument("c10d::_allgather_base_"), 1U);
    EXPECT_EQ(sentArgument("c10d::_reduce_scatter_base_"), 1U);
    EXPECT_EQ(sentArgument("c10d::reduce_scatter_"), 1U);
    EXPECT_EQ(sentArgument("c10d::alltoall_base_"), 1U);
}

TEST(TensorArgs, AroundACollectiveBecomeItsSize) {
    EventLine range;
    range.category = "user_annotation";
    range.name = "nccl:all_reduce";
    range.args = R"("Input type": ["c10::Half"], "Input Dims": [[4, 2048, 4096]])";
    EventLine other = range;
    other.name = "train";
    const auto trace = loadText(traceJson({eventJson(range), eventJson(other)}));
    const SliceRef slice = sliceNamed(*trace, "nccl:all_reduce");
    const CollectiveArgs* args = trace->track(slice).collectives.find(slice.slice);
    ASSERT_NE(args, nullptr);
    EXPECT_EQ(args->in_elements, 4 * 2048 * 4096);
    EXPECT_EQ(trace->strings.view(args->dtype), "Half");
    const SliceRef train = sliceNamed(*trace, "train");
    EXPECT_EQ(trace->track(train).collectives.find(train.slice), nullptr);
}

}  // namespace
}  // namespace rankscope::test
