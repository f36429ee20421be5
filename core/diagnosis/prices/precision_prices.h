// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// What products would take with numbers of another type, at best.
struct PrecisionPrice {
    DurationNs now_ns = 0;                ///< of a step of the mean rank: what these products take now
    DurationNs saving_ns = 0;             ///< of it what they would not take at the roof of the other type
    double peak_now = 0;                  ///< 1e12 operations per second of the device at most now
    double peak_then = 0;                 ///< the same with the other type
    std::vector<const ProductRow*> rows;  ///< the longest first
};

/// Prices the products that `wanted` picks, if they multiplied numbers of type `to`, in the priced steps: each takes as
/// long as its operations at that type's peak or its bytes at the memory's bandwidth, the longer of the two. No rows if
/// no device has a tensor core for that type.
[[nodiscard]] PrecisionPrice pricePrecision(const RunFacts& facts, const std::function<bool(const ProductRow&)>& wanted,
                                            NumberType to);

/// What a price says of itself, for the sentences of a finding.
struct PrecisionTexts {
    std::string now;
    std::string share;  ///< of the step
    std::string saving;
    std::string peak_now;
    std::string peak_then;
};
[[nodiscard]] PrecisionTexts textsOf(const RuleContext& context, const PrecisionPrice& price);

/// What is said of a finding of such a price.
struct PrecisionWords {
    std::string why;
    std::string why_confidence;
    std::vector<std::string> conditions;  ///< which of the remedies fit
};

/// Adds a finding of that price, an upper bound that is counted and not replayed, where it is worth one.
void judgePrecision(const RuleContext& context, FindingId id, const PrecisionPrice& price, const PrecisionWords& words,
                    Diagnosis& diagnosis);

/// The 16-bit type that a device has tensor cores for, bfloat16 before float16; nothing if it has none.
[[nodiscard]] std::optional<NumberType> sixteenBitType(const RunFacts& facts);

}  // namespace rankscope
