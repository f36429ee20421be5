// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// The least time of products with numbers of another type.
struct PrecisionPrice {
    DurationNs now_ns = 0;                ///< these products now, per step, mean over ranks
    DurationNs saving_ns = 0;             ///< the part of now_ns beyond the roof of the other type
    double peak_now = 0;                  ///< the device's peak now, 1e12 operations per second
    double peak_then = 0;                 ///< the device's peak with the other type
    std::vector<const ProductRow*> rows;  ///< longest first
};

/// Prices the products that `wanted` selects, with numbers of type `to`, in the steps that count for prices. Each
/// product takes the longer of two times: its operations at that type's peak, its bytes at the memory's bandwidth. No
/// rows if no device has tensor cores for that type.
[[nodiscard]] PrecisionPrice pricePrecision(const RunFacts& facts, const std::function<bool(const ProductRow&)>& wanted,
                                            NumberType to);

/// The texts of such a price, for the sentences of a finding.
struct PrecisionTexts {
    std::string now;
    std::string share;  ///< of the step
    std::string saving;
    std::string peak_now;
    std::string peak_then;
};
[[nodiscard]] PrecisionTexts textsOf(const RuleContext& context, const PrecisionPrice& price);

/// The wording of a finding with such a price.
struct PrecisionWords {
    std::string why;
    std::string why_confidence;
    std::vector<std::string> conditions;  ///< which remedies apply
};

/// Adds a finding with that price if it is worth one. The price is an upper bound: counted, not replayed.
void judgePrecision(const RuleContext& context, FindingId id, const PrecisionPrice& price, const PrecisionWords& words,
                    Diagnosis& diagnosis);

/// The 16-bit type that a device has tensor cores for, bfloat16 before float16; nothing if there is none.
[[nodiscard]] std::optional<NumberType> sixteenBitType(const RunFacts& facts);

}  // namespace rankscope
