// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "core/diagnosis/precision_prices.h"
#include "core/diagnosis/rule.h"

namespace rankscope {

void judgeTensorCores(const RuleContext& context, Diagnosis& diagnosis) {
    const auto on_plain_cores = [](const ProductRow& row) {
        return row.type == NumberType::Float32 && row.tensor_cores == false;
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
