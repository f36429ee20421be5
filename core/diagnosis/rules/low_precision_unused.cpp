// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/precision_prices.h"

namespace rankscope {
namespace low_precision_unused {
namespace {

bool isWide(NumberType type) {
    return type == NumberType::Float32 || type == NumberType::Tf32;
}

/// Whether most products use 32-bit numbers: mixed precision is off.
bool isMostlyWide(const StepEfficiency& total) {
    double wide = 0;
    double all = 0;
    for (std::size_t i = 0; i < kNumberTypes; ++i) {
        all += total.flops.of[i];
        wide += isWide(static_cast<NumberType>(i)) ? total.flops.of[i] : 0;
    }
    return 2 * wide > all;
}

}  // namespace
}  // namespace low_precision_unused

void judgeLowPrecision(const RuleContext& context, Diagnosis& diagnosis) {
    using namespace low_precision_unused;
    const std::optional<NumberType> to = sixteenBitType(context.facts);
    if (!to || !isMostlyWide(context.facts.efficiency.total)) {
        return;
    }
    const PrecisionPrice price = pricePrecision(
        context.facts, [](const ProductRow& row) { return isWide(row.type); }, *to);
    const PrecisionTexts texts = textsOf(context, price);
    const std::string why = context.sentences.fill("low-precision-unused.why", {{"now", texts.now},
                                                                                {"share", texts.share},
                                                                                {"saving", texts.saving},
                                                                                {"peak_now", texts.peak_now},
                                                                                {"peak_then", texts.peak_then}});
    judgePrecision(context, FindingId::LowPrecisionUnused, price,
                   {why,
                    context.sentences.fill("low-precision-unused.counted", {}),
                    {*to == NumberType::BFloat16 ? "bfloat16" : "float16"}},
                   diagnosis);
}

}  // namespace rankscope
