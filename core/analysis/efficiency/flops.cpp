// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/flops.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>

namespace rankscope {
namespace {

using Sizes = std::span<const std::int64_t>;

double product(Sizes sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1.0,
                           [](double all, std::int64_t size) { return all * static_cast<double>(size); });
}

double at(Sizes sizes, std::size_t position) {
    return static_cast<double>(sizes[position]);
}

/// Work whose numbers all have the type of one argument.
ProductWork work(const OperatorCall& call, std::size_t typed, double flops, double numbers) {
    ProductWork result{.flops = flops, .bytes = 0, .type = {}};
    if (typed < call.types.size()) {
        result.type = numberTypeOf(call.types[typed]);
    }
    result.bytes = numbers * static_cast<double>(result.type ? bytesOf(*result.type) : kUntoldBytes);
    return result;
}

/// (a, b) with matrices in their last two dimensions, with `a` at argument `first`.
std::optional<ProductWork> ofMatrices(const OperatorCall& call, std::size_t first, std::size_t dimensions) {
    const Sizes a = call.tensor(first);
    const Sizes b = call.tensor(first + 1);
    if (a.size() != dimensions || b.size() != dimensions || a[dimensions - 1] != b[dimensions - 2]) {
        return std::nullopt;
    }
    const double outer = product(a.first(dimensions - 1));
    const double columns = at(b, dimensions - 1);
    return work(call, first, 2 * product(a) * columns, product(a) + product(b) + outer * columns);
}

/// matmul: batches are broadcast, and a missing dimension is 1.
std::optional<ProductWork> ofMatmul(const OperatorCall& call) {
    const Sizes a = call.tensor(0);
    const Sizes b = call.tensor(1);
    if (a.empty() || b.empty()) {
        return std::nullopt;
    }
    const double inner = at(a, a.size() - 1);
    const double rows = a.size() > 1 ? at(a, a.size() - 2) : 1;
    const double columns = b.size() > 1 ? at(b, b.size() - 1) : 1;
    if (at(b, b.size() > 1 ? b.size() - 2 : 0) != inner) {
        return std::nullopt;
    }
    const Sizes batch_a = a.first(a.size() > 2 ? a.size() - 2 : 0);
    const Sizes batch_b = b.first(b.size() > 2 ? b.size() - 2 : 0);
    double batch = 1;
    for (std::size_t i = 0; i < std::max(batch_a.size(), batch_b.size()); ++i) {
        const std::int64_t of_a = i < batch_a.size() ? batch_a[batch_a.size() - 1 - i] : 1;
        const std::int64_t of_b = i < batch_b.size() ? batch_b[batch_b.size() - 1 - i] : 1;
        batch *= static_cast<double>(std::max(of_a, of_b));
    }
    return work(call, 0, 2 * batch * rows * columns * inner, product(a) + product(b) + batch * rows * columns);
}

std::optional<ProductWork> ofLinear(const OperatorCall& call) {
    const Sizes input = call.tensor(0);
    const Sizes weight = call.tensor(1);
    if (input.empty() || weight.empty() || weight.size() > 2 || input.back() != weight.back()) {
        return std::nullopt;
    }
    const double columns = weight.size() == 2 ? at(weight, 0) : 1;
    const double rows = product(input.first(input.size() - 1));
    return work(call, 0, 2 * product(input) * columns, product(input) + product(weight) + rows * columns);
}

/// Each row of a is multiplied with one of the matrices of b, or each matrix of a with its own.
std::optional<ProductWork> ofGroups(const OperatorCall& call) {
    const Sizes a = call.tensor(0);
    const Sizes b = call.tensor(1);
    if (a.size() < 2 || b.size() != 3 || a.back() != b[1]) {
        return a.size() == 3 ? ofMatrices(call, 0, 3) : std::nullopt;
    }
    return work(call, 0, 2 * product(a) * at(b, 2),
                product(a) + product(b) + product(a.first(a.size() - 1)) * at(b, 2));
}

/// Spatial sizes of a convolution's output, by the rule of torch.nn.ConvNd.
std::optional<TensorSizes> outputOf(Sizes input, Sizes weight, const OperatorCall& call) {
    const std::size_t dimensions = input.size() - 2;
    const auto listed = [&](std::size_t position) -> std::optional<TensorSizes> {
        std::optional<TensorSizes> list = call.list(position);
        if (list && list->size() == 1) {
            list->resize(dimensions, list->front());
        }
        return list && list->size() == dimensions ? list : std::nullopt;
    };
    constexpr std::size_t kStride = 3;
    const std::optional<TensorSizes> stride = listed(kStride);
    const std::optional<TensorSizes> padding = listed(kStride + 1);
    const std::optional<TensorSizes> dilation = listed(kStride + 2);
    if (!stride || !padding || !dilation) {
        return std::nullopt;
    }
    TensorSizes output = {input[0], weight[0]};
    for (std::size_t i = 0; i < dimensions; ++i) {
        const std::int64_t reach = (*dilation)[i] * (weight[i + 2] - 1) + 1;
        const std::int64_t room = input[i + 2] + 2 * (*padding)[i] - reach;
        if ((*stride)[i] <= 0 || room < 0) {
            return std::nullopt;
        }
        output.push_back(room / (*stride)[i] + 1);
    }
    return output;
}

/// One pass of a convolution: each number of the output (of the input if it is transposed) takes a product with all
/// weights of one channel.
std::optional<double> convolutionFlops(Sizes in_space, Sizes weight) {
    if (in_space.size() < 3 || weight.size() != in_space.size()) {
        return std::nullopt;
    }
    return 2 * product(in_space) * product(weight.subspan(1));
}

std::optional<ProductWork> ofConvolution(const OperatorCall& call, bool transposed, Sizes known_output) {
    const Sizes input = call.tensor(0);
    const Sizes weight = call.tensor(1);
    if (input.size() < 3 || input.size() != weight.size()) {
        return std::nullopt;
    }
    if (transposed) {
        const std::optional<double> flops = convolutionFlops(input, weight);
        return flops ? std::optional(work(call, 0, *flops, product(input) + product(weight))) : std::nullopt;
    }
    const std::optional<TensorSizes> from_stride = outputOf(input, weight, call);
    const Sizes output = from_stride ? Sizes(*from_stride) : known_output;
    const std::optional<double> flops = convolutionFlops(output, weight);
    return flops ? std::optional(work(call, 0, *flops, product(input) + product(weight) + product(output)))
                 : std::nullopt;
}

std::optional<ProductWork> ofConvolutionBackward(const OperatorCall& call) {
    const Sizes gradient = call.tensor(0);
    const Sizes input = call.tensor(1);
    const Sizes weight = call.tensor(2);
    constexpr std::size_t kTransposed = 7;
    constexpr std::size_t kWanted = 10;
    const std::optional<double> pass =
        convolutionFlops(call.flag(kTransposed).value_or(false) ? input : gradient, weight);
    if (!pass || input.size() != gradient.size()) {
        return std::nullopt;
    }
    // "[True, False, True]"; both if it was not recorded.
    const std::string wanted = kWanted < call.values.size() ? call.values[kWanted] : std::string();
    const bool of_input = !wanted.starts_with("[False");
    const bool of_weight = wanted.empty() || wanted.find(", True,") != std::string::npos;
    const double passes = (of_input ? 1.0 : 0.0) + (of_weight ? 1.0 : 0.0);
    const double numbers = (of_input ? product(gradient) + product(weight) + product(input) : 0.0) +
                           (of_weight ? product(gradient) + product(input) + product(weight) : 0.0);
    return passes > 0 ? std::optional(work(call, 0, passes * *pass, numbers)) : std::nullopt;
}

/// One of the two gradients: (size, gradient, other), where the weight's size may be recorded elsewhere.
std::optional<ProductWork> ofConvolutionPart(const OperatorCall& call, Sizes weight) {
    const Sizes gradient = call.tensor(1);
    const std::optional<double> pass = convolutionFlops(gradient, weight);
    return pass ? std::optional(work(call, 1, *pass, product(gradient) + product(call.tensor(2)) + product(weight)))
                : std::nullopt;
}

/// The positions of the dimensions of q, k and v, from the end.
struct AttentionLayout {
    std::size_t heads;
    std::size_t sequence;
};
constexpr AttentionLayout kHeadsFirst = {3, 2};
constexpr AttentionLayout kSequenceFirst = {2, 3};

/// The work of softmax(q k^T) v, with q at argument `first`: `rows` of q in all heads, and `pairs` of them with rows of
/// k. Masked products count too.
ProductWork attentionWork(const OperatorCall& call, std::size_t first, double rows, double pairs, bool backward) {
    const Sizes q = call.tensor(first);
    const Sizes k = call.tensor(first + 1);
    const Sizes v = call.tensor(first + 2);
    const double scores = 2 * pairs * static_cast<double>(q.back());
    const double sums = 2 * pairs * static_cast<double>(v.back());
    const double output = rows * static_cast<double>(v.back());
    const double numbers = product(q) + product(k) + product(v);
    // Backward: the scores again, the gradients of scores, q and k, and of v.
    return backward ? work(call, first, 3 * scores + 2 * sums, 2 * numbers + 2 * output)
                    : work(call, first, scores + sums, numbers + output);
}

/// The position of the offsets of concatenated sequences: the first list of 32-bit numbers from an argument on. Nothing
/// if there is none; then each row of the batch is a sequence.
std::optional<std::size_t> offsetsOfSequences(const OperatorCall& call, std::size_t from) {
    for (std::size_t i = from; i < std::min(call.sizes.size(), call.types.size()); ++i) {
        if (call.sizes[i].size() == 1 && call.types[i] == "int") {
            return i;
        }
    }
    return std::nullopt;
}

/// Attention of packed sequences. Their lengths are numbers on the GPU, which no trace has. They are known for one
/// sequence, or if those of q or of k all equal the longest: then the sum of the others' lengths is enough.
std::optional<ProductWork> ofPackedAttention(const OperatorCall& call, std::size_t first, std::size_t offsets,
                                             bool backward) {
    constexpr std::size_t kDimensions = 3;
    const auto packed = [&call](std::size_t position) {
        const Sizes sizes = call.tensor(position);
        return sizes.size() == kDimensions + 1 && sizes[0] == 1 ? sizes.subspan(1) : sizes;
    };
    const Sizes q = packed(first);
    const Sizes k = packed(first + 1);
    const Sizes v = packed(first + 2);
    const double sequences = at(call.tensor(offsets), 0) - 1;
    if (q.size() != kDimensions || k.size() != kDimensions || v.size() != kDimensions || q.back() != k.back() ||
        k[0] != v[0] || sequences < 1) {
        return std::nullopt;
    }
    // The offsets in q are followed by those in k, if they differ, and by the longest length of both.
    const bool of_both = call.tensor(offsets + 1).size() == 1;
    const std::size_t behind = offsets + (of_both ? 2 : 1);
    const auto alike = [&](Sizes tokens, std::optional<std::int64_t> longest) {
        return longest && sequences * static_cast<double>(*longest) == at(tokens, 0);
    };
    const bool told = sequences == 1 || alike(q, call.number(behind)) || (of_both && alike(k, call.number(behind + 1)));
    if (!told || (!of_both && q[0] != k[0])) {
        return std::nullopt;
    }
    const double rows = at(q, 0) * at(q, 1);
    return attentionWork(call, first, rows, rows * at(k, 0) / sequences, backward);
}

/// softmax(q k^T) v for every head of q; q is argument `first`.
std::optional<ProductWork> ofAttention(const OperatorCall& call, std::size_t first, AttentionLayout layout,
                                       bool backward) {
    const Sizes q = call.tensor(first);
    const Sizes k = call.tensor(first + 1);
    const Sizes v = call.tensor(first + 2);
    constexpr std::size_t kDimensions = 4;
    if (q.size() != kDimensions || k.size() != kDimensions || v.size() != kDimensions || q.back() != k.back() ||
        k[kDimensions - layout.sequence] != v[kDimensions - layout.sequence]) {
        return std::nullopt;
    }
    const double rows = product(q.first(kDimensions - 1));
    return attentionWork(call, first, rows, rows * at(k, kDimensions - layout.sequence), backward);
}

/// The same for operators that may get concatenated sequences.
std::optional<ProductWork> ofSequences(const OperatorCall& call, std::size_t first, bool backward) {
    const std::optional<std::size_t> offsets = offsetsOfSequences(call, first + 3);
    return offsets ? ofPackedAttention(call, first, *offsets, backward)
                   : ofAttention(call, first, kSequenceFirst, backward);
}

/// A weight of TransformerEngine: two dimensions, one of which is `width`.
bool isWeight(Sizes sizes, std::size_t dimension, std::int64_t width) {
    return sizes.size() == 2 && sizes[dimension] == width;
}

/// The first argument of at least two dimensions, and its position.
std::optional<std::size_t> firstMatrix(const OperatorCall& call, std::size_t from) {
    for (std::size_t i = from; i < call.sizes.size(); ++i) {
        if (call.sizes[i].size() >= 2) {
            return i;
        }
    }
    return std::nullopt;
}

/// A linear layer whose weight and input are the first two matrices, in any order.
std::optional<ProductWork> ofFusedLinear(const OperatorCall& call) {
    const std::optional<std::size_t> first = firstMatrix(call, 0);
    std::optional<std::size_t> second = first ? firstMatrix(call, *first + 1) : std::nullopt;
    while (second && call.sizes[*second].back() != call.sizes[*first].back()) {
        second = firstMatrix(call, *second + 1);
    }
    if (!second) {
        return std::nullopt;
    }
    const bool weight_first = call.sizes[*first].size() == 2;
    const Sizes weight = call.sizes[weight_first ? *first : *second];
    const Sizes input = call.sizes[weight_first ? *second : *first];
    if (weight.size() != 2) {
        return std::nullopt;
    }
    const double rows = product(input.first(input.size() - 1));
    return work(call, weight_first ? *second : *first, 2 * product(input) * at(weight, 0),
                product(input) + product(weight) + rows * at(weight, 0));
}

/// Two linear layers in sequence; the first may have twice as wide an output as the second reads.
std::optional<ProductWork> ofFusedMlp(const OperatorCall& call) {
    const std::optional<std::size_t> input = firstMatrix(call, 0);
    const std::optional<std::size_t> into = input ? firstMatrix(call, *input + 1) : std::nullopt;
    std::optional<std::size_t> out = into ? firstMatrix(call, *into + 1) : std::nullopt;
    if (!into || !isWeight(call.sizes[*into], 1, call.sizes[*input].back())) {
        return std::nullopt;
    }
    while (out && !isWeight(call.sizes[*out], 0, call.sizes[*input].back())) {
        out = firstMatrix(call, *out + 1);
    }
    if (!out) {
        return std::nullopt;
    }
    const Sizes sizes = call.sizes[*input];
    const double rows = product(sizes.first(sizes.size() - 1));
    const double weights = product(call.sizes[*into]) + product(call.sizes[*out]);
    return work(call, *input, 2 * rows * weights,
                2 * product(sizes) + weights + rows * (at(call.sizes[*into], 0) + at(call.sizes[*out], 1)));
}

}  // namespace

std::optional<ProductWork> workOf(Product product, const OperatorCall& call, const ConvolutionHints& hints) {
    constexpr std::size_t kTransposed = 6;
    switch (product) {
        case Product::Mm: return ofMatrices(call, 0, 2);
        case Product::Addmm: return ofMatrices(call, 1, 2);
        case Product::Bmm: return ofMatrices(call, 0, 3);
        case Product::Baddbmm: return ofMatrices(call, 1, 3);
        case Product::Matmul: return ofMatmul(call);
        case Product::Linear: return ofLinear(call);
        case Product::GroupedMm: return ofGroups(call);
        case Product::Convolution: return ofConvolution(call, false, hints.output);
        case Product::AnyConvolution: return ofConvolution(call, call.flag(kTransposed).value_or(false), hints.output);
        case Product::TransposedConvolution: return ofConvolution(call, true, {});
        case Product::ConvolutionBackward: return ofConvolutionBackward(call);
        case Product::ConvolutionInput: return ofConvolutionPart(call, call.tensor(2));
        case Product::ConvolutionWeight: return ofConvolutionPart(call, hints.weight);
        case Product::Attention: return ofAttention(call, 0, kHeadsFirst, false);
        case Product::AttentionBackward: return ofAttention(call, 1, kHeadsFirst, true);
        case Product::SequenceAttention: return ofSequences(call, 0, false);
        case Product::SequenceAttentionBackward: return ofSequences(call, 1, true);
        case Product::FusedLinear: return ofFusedLinear(call);
        case Product::FusedMlp: return ofFusedMlp(call);
        default: return std::nullopt;
    }
}

}  // namespace rankscope
