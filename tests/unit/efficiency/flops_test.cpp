// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/flops.h"

#include "core/analysis/efficiency/efficiency.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

OperatorCall call(std::vector<TensorSizes> sizes, std::vector<std::string> values = {},
                  const std::string& type = "c10::BFloat16") {
    OperatorCall made;
    made.types.assign(sizes.size(), type);
    made.sizes = std::move(sizes);
    made.values = std::move(values);
    return made;
}

double flops(Product product, const OperatorCall& of, const ConvolutionHints& hints = {}) {
    const std::optional<ProductWork> work = workOf(product, of, hints);
    return work ? work->flops : -1;
}

TEST(Flops, OfMatrixProductsAreTwiceTheProductOfTheirThreeSides) {
    EXPECT_DOUBLE_EQ(flops(Product::Mm, call({{8192, 4096}, {4096, 1536}})), 2.0 * 8192 * 4096 * 1536);
    EXPECT_DOUBLE_EQ(flops(Product::Addmm, call({{1000}, {32, 2048}, {2048, 1000}})), 2.0 * 32 * 2048 * 1000);
    EXPECT_DOUBLE_EQ(flops(Product::Bmm, call({{64, 512, 64}, {64, 64, 512}})), 2.0 * 64 * 512 * 64 * 512);
    EXPECT_DOUBLE_EQ(flops(Product::Baddbmm, call({{32, 8, 8}, {32, 8, 64}, {32, 64, 8}})), 2.0 * 32 * 8 * 64 * 8);
    EXPECT_DOUBLE_EQ(flops(Product::Linear, call({{8, 2048, 256}, {768, 256}, {}})), 2.0 * 8 * 2048 * 256 * 768);
    EXPECT_DOUBLE_EQ(flops(Product::GroupedMm, call({{1024, 64}, {8, 64, 128}})), 2.0 * 1024 * 64 * 128);
}

TEST(Flops, OfMatmulBroadcastTheirBatches) {
    EXPECT_DOUBLE_EQ(flops(Product::Matmul, call({{2048, 4, 64}, {64, 16}})), 2.0 * 2048 * 4 * 64 * 16);
    EXPECT_DOUBLE_EQ(flops(Product::Matmul, call({{5, 1, 8, 16}, {3, 16, 4}})), 2.0 * 5 * 3 * 8 * 16 * 4);
    EXPECT_DOUBLE_EQ(flops(Product::Matmul, call({{16}, {16}})), 2.0 * 16);
}

TEST(Flops, AreUnknownForShapesThatDoNotFit) {
    EXPECT_EQ(flops(Product::Mm, call({{8, 4}, {5, 2}})), -1);
    EXPECT_EQ(flops(Product::Mm, call({{8, 4}})), -1);
    EXPECT_EQ(flops(Product::Attention, call({{1, 2, 3, 4}, {1, 2, 3, 5}, {1, 2, 3, 5}})), -1);
    EXPECT_EQ(flops(Product::Convolution, call({{1, 3, 8, 8}, {4, 3, 9, 9}}, {"", "", "", "[1]", "[0]", "[1]"})), -1);
}

TEST(Flops, OfAConvolutionTakeItsOutputFromStridePaddingAndDilation) {
    // The first of ResNet-50: 224 to 112 by stride 2; 118 million multiplications and additions an image.
    const OperatorCall first =
        call({{32, 3, 224, 224}, {64, 3, 7, 7}, {}, {}, {}, {}, {}}, {"", "", "", "[2, 2]", "[3, 3]", "[1, 1]", "1"});
    EXPECT_DOUBLE_EQ(flops(Product::Convolution, first), 2.0 * 32 * 112 * 112 * 64 * 3 * 49);
    const OperatorCall grouped = call({{1, 32, 10}, {64, 8, 3}}, {"", "", "", "[1]", "[2]", "[2]", "4"});
    EXPECT_DOUBLE_EQ(flops(Product::Convolution, grouped), 2.0 * 10 * 64 * 8 * 3);
}

TEST(Flops, OfAConvolutionWithoutStrideTakeItsOutputFromElsewhereOrAreUnknown) {
    const OperatorCall silent = call({{32, 3, 224, 224}, {64, 3, 7, 7}});
    const TensorSizes output = {32, 64, 112, 112};
    EXPECT_EQ(flops(Product::Convolution, silent), -1);
    EXPECT_DOUBLE_EQ(flops(Product::Convolution, silent, {output, {}}), 2.0 * 32 * 112 * 112 * 64 * 3 * 49);
}

TEST(Flops, OfAConvolutionsBackwardAreOfTheGradientsThatAreWanted) {
    const std::vector<TensorSizes> sizes = {{10, 512, 7, 7}, {10, 512, 7, 7}, {512, 512, 3, 3}};
    const double pass = 2.0 * 10 * 512 * 7 * 7 * 512 * 9;
    const auto wanted = [&](const std::string& mask) {
        return flops(Product::ConvolutionBackward, call(sizes, {"", "", "", "", "", "", "", "False", "", "", mask}));
    };
    EXPECT_DOUBLE_EQ(wanted("[True, True, False]"), 2 * pass);
    EXPECT_DOUBLE_EQ(wanted("[False, True, False]"), pass);
    EXPECT_DOUBLE_EQ(wanted("[True, False, True]"), pass);
    EXPECT_DOUBLE_EQ(flops(Product::ConvolutionBackward, call(sizes)), 2 * pass);
}

TEST(Flops, OfTransposedConvolutionsGoByTheirInput) {
    EXPECT_DOUBLE_EQ(flops(Product::TransposedConvolution, call({{2, 16, 5, 5}, {16, 8, 3, 3}})),
                     2.0 * 2 * 16 * 25 * 8 * 9);
}

TEST(Flops, OfAttentionAreTwoProductsForwardAndFiveBackward) {
    const TensorSizes heads_first = {8, 16, 2048, 64};
    const TensorSizes sequence_first = {8, 2048, 16, 64};
    const double product = 2.0 * 8 * 16 * 2048 * 2048 * 64;
    EXPECT_DOUBLE_EQ(flops(Product::Attention, call({heads_first, heads_first, heads_first})), 2 * product);
    EXPECT_DOUBLE_EQ(flops(Product::SequenceAttention, call({sequence_first, sequence_first, sequence_first})),
                     2 * product);
    EXPECT_DOUBLE_EQ(flops(Product::AttentionBackward, call({heads_first, heads_first, heads_first, heads_first})),
                     5 * product);
}

TEST(Flops, OfAttentionWithFewerKeyHeadsAreOfAllQueryHeads) {
    EXPECT_DOUBLE_EQ(flops(Product::Attention, call({{1, 32, 128, 64}, {1, 8, 256, 64}, {1, 8, 256, 64}})),
                     4.0 * 32 * 128 * 256 * 64);
}

/// (q, k, v, offsets, offsets, longest, longest) of `count` sequences that stand behind one another.
OperatorCall packed(const TensorSizes& q, const TensorSizes& k, std::int64_t count, const std::string& longest_q,
                    const std::string& longest_k) {
    OperatorCall made = call({q, k, k, {count + 1}, {count + 1}, {}, {}}, {"", "", "", "", "", longest_q, longest_k});
    made.types = {"c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "int", "int", "Scalar", "Scalar"};
    return made;
}

TEST(Flops, OfPackedSequencesOfOneLengthAreThoseOfABatch) {
    const double pair = 4.0 * 16 * 64;  // forward, of a row of q and one of k, in all heads
    EXPECT_DOUBLE_EQ(flops(Product::SequenceAttention, packed({8192, 16, 64}, {8192, 16, 64}, 4, "2048", "2048")),
                     pair * 4 * 2048 * 2048);
    EXPECT_DOUBLE_EQ(flops(Product::SequenceAttention, packed({1, 8192, 16, 64}, {1, 8192, 4, 64}, 4, "2048", "2048")),
                     pair * 4 * 2048 * 2048)
        << "xFormers keeps a batch of one around them, and k may have fewer heads";
}

TEST(Flops, OfPackedSequencesNeedOneLengthOnOneSideOnly) {
    // Four queries of 128 rows each against 100 + 300 + 50 + 550 keys: 128 times their sum.
    EXPECT_DOUBLE_EQ(flops(Product::SequenceAttention, packed({512, 16, 64}, {1000, 16, 64}, 4, "128", "550")),
                     4.0 * 16 * 64 * 128 * 1000);
    EXPECT_DOUBLE_EQ(flops(Product::SequenceAttention, packed({700, 16, 64}, {2048, 16, 64}, 1, "", "")),
                     4.0 * 16 * 64 * 700 * 2048)
        << "one sequence needs no greatest length";
}

TEST(Flops, OfPackedSequencesOfSeveralLengthsAreUnknown) {
    EXPECT_EQ(flops(Product::SequenceAttention, packed({8192, 16, 64}, {8192, 16, 64}, 4, "4096", "4096")), -1);
    EXPECT_EQ(flops(Product::SequenceAttention, packed({1, 8192, 16, 64}, {1, 8192, 16, 64}, 4, "4096", "4096")), -1)
        << "not one sequence of all their rows";
    EXPECT_EQ(flops(Product::SequenceAttention, packed({8192, 16, 64}, {8192, 16, 64}, 4, "", "")), -1);
    EXPECT_EQ(flops(Product::SequenceAttention, packed({8192, 16, 64}, {512, 16, 16, 64}, 4, "2048", "2048")), -1)
        << "keys in pages";
}

TEST(Flops, OfPackedSequencesBackwardAreFiveProducts) {
    // aten::_flash_attention_backward: (gradient, q, k, v, out, logsumexp, offsets, offsets, longest, longest).
    const TensorSizes rows = {4096, 8, 128};
    OperatorCall backward = call({rows, rows, rows, rows, rows, {8, 4096}, {3}, {3}, {}, {}},
                                 {"", "", "", "", "", "", "", "", "2048", "2048"});
    backward.types[5] = "float";
    backward.types[6] = backward.types[7] = "int";
    EXPECT_DOUBLE_EQ(flops(Product::SequenceAttentionBackward, backward), 5 * 2.0 * 8 * 128 * 2 * 2048 * 2048);
}

TEST(Flops, OfInvalidSizesAreUnknown) {
    RankTrace trace;
    const OperatorInputs inputs{.shapes = trace.strings.intern("[[9223372036854775807, 4], [-1, 4], [8, 4], [4, 2]]"),
                                .types = {},
                                .values = trace.strings.intern(R"(["[99999999999]", "[2]", "True"])"),
                                .flops = -1};
    const OperatorCall read = CallReader(trace).read(inputs);
    EXPECT_TRUE(read.tensor(0).empty());
    EXPECT_TRUE(read.tensor(1).empty());
    EXPECT_EQ(read.tensor(2).size(), 2U);
    EXPECT_TRUE(read.tensor(9).empty());
    EXPECT_FALSE(read.list(0));
    EXPECT_EQ(read.list(1), TensorSizes{2});
    EXPECT_EQ(read.flag(2), true);
    EXPECT_FALSE(read.flag(1));
}

TEST(Flops, OfTransformerEnginesLayersFindWeightAndInput) {
    EXPECT_DOUBLE_EQ(flops(Product::FusedLinear, call({{4096, 1024}, {2048, 2, 1024}, {4096}})),
                     2.0 * 2048 * 2 * 1024 * 4096);
    EXPECT_DOUBLE_EQ(flops(Product::FusedLinear, call({{2048, 2, 1024}, {1024}, {1024}, {3072, 1024}})),
                     2.0 * 2048 * 2 * 1024 * 3072);
    EXPECT_DOUBLE_EQ(
        flops(Product::FusedMlp, call({{2048, 2, 1024}, {1024}, {1024}, {8192, 1024}, {8192}, {1024, 4096}})),
        2.0 * 2048 * 2 * 1024 * (8192 + 4096));
}

TEST(Bytes, AreEachInputOnceAndEachOutputOnceInTheTypesWidth) {
    const OperatorCall product = call({{128, 64}, {64, 32}});
    EXPECT_DOUBLE_EQ(workOf(Product::Mm, product)->bytes, 2.0 * (128 * 64 + 64 * 32 + 128 * 32));
    const OperatorCall wide = call({{128, 64}, {64, 32}}, {}, "double");
    EXPECT_DOUBLE_EQ(workOf(Product::Mm, wide)->bytes, 8.0 * (128 * 64 + 64 * 32 + 128 * 32));
    EXPECT_EQ(workOf(Product::Mm, wide)->type, NumberType::Float64);
}

TEST(EnteredFlops, AreSixAParameterAndTokenAndTwelveForAttention) {
    EfficiencyOptions options;
    ModelSize model;
    EXPECT_FALSE(options.stepFlops(model));
    model.parameters = 1'000'000'000;
    options.tokens = 2048;
    options.batch = 4;
    EXPECT_DOUBLE_EQ(*options.stepFlops(model), 6e9 * 2048 * 4);
    model.layers = 24;
    model.hidden = 2048;
    EXPECT_DOUBLE_EQ(*options.stepFlops(model), 6e9 * 2048 * 4);
    model.sequence = 2048;
    EXPECT_DOUBLE_EQ(*options.stepFlops(model), (6e9 + 12.0 * 24 * 2048 * 2048) * 2048 * 4);
    options.model_flops = 1e12;
    EXPECT_DOUBLE_EQ(*options.stepFlops(model), 4e12);
}

TEST(Utilization, OfTheTextbooksModelIsElevenPerCent) {
    EfficiencyOptions options;
    options.tokens = 2048;
    options.batch = 1024;
    ModelSize model;
    model.parameters = 175'000'000'000;
    EXPECT_NEAR(utilization(*options.stepFlops(model), 60, 1024, 312), 0.11, 0.005);
    EXPECT_EQ(utilization(1e12, 0, 1, 312), 0);
}

}  // namespace
}  // namespace rankscope::test
