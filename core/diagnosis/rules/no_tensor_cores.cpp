// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <string_view>

#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/precision_prices.h"

namespace rankscope {
namespace no_tensor_cores {
namespace {

/// TF32 has separate options for convolutions and for other products.
bool isConvolution(const ProductRow& row) {
    return row.name.find("conv") != std::string_view::npos;
}

/// Whether TF32 is on, by kind of product. If it is on for some products of a kind, a library ran the others on plain
/// cores because of their shapes.
struct Tf32Use {
    bool convolutions = false;
    bool others = false;

    explicit Tf32Use(const EfficiencyFacts& facts) {
        for (const ProductRow& row : facts.products) {
            if (row.type == NumberType::Tf32) {
                (isConvolution(row) ? convolutions : others) = true;
            }
        }
    }
    [[nodiscard]] bool isOnFor(const ProductRow& row) const { return isConvolution(row) ? convolutions : others; }
};

}  // namespace
}  // namespace no_tensor_cores

void judgeTensorCores(const RuleContext& context, Diagnosis& diagnosis) {
    using namespace no_tensor_cores;
    const Tf32Use tf32(context.facts.efficiency);
    const auto on_plain_cores = [&tf32](const ProductRow& row) {
        return row.type == NumberType::Float32 && row.tensor_cores == false && !tf32.isOnFor(row);
    };
    const PrecisionPrice price = pricePrecision(context.facts, on_plain_cores, NumberType::Tf32);
    const PrecisionTexts texts = textsOf(context, price);
    const std::string why = context.sentences.fill("no-tensor-cores.why", {{"now", texts.now},
                                                                           {"share", texts.share},
                                                                           {"saving", texts.saving},
                                                                           {"peak_now", texts.peak_now},
                                                                           {"peak_then", texts.peak_then}});
    judgePrecision(context, FindingId::NoTensorCores, price,
                   {why, context.sentences.fill("no-tensor-cores.counted", {}), {}}, diagnosis);
}

}  // namespace rankscope
