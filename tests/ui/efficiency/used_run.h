// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::test {

/// What a file says of its device.
inline constexpr std::string_view kA100 =
    R"("deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85000000000, "numSms": 108}],)";
inline constexpr std::string_view kUnknownDevice =
    R"("deviceProperties": [{"id": 0, "name": "Wondrous 9", "totalGlobalMem": 85000000000, "numSms": 108}],)";

/// One rank of three steps of 1 ms. In each the loader keeps the device waiting for 300 us; then runs a product of
/// bfloat16 matrices of 4,096 (compute-bound) for 500 us, one of thin float32 ones (memory-bound) for 50 us, and 100 us
/// of a kernel that multiplies nothing.
[[nodiscard]] std::shared_ptr<const AnalysedRun> usedRun(std::string_view header = kA100);
/// Two ranks of the same, the second of which multiplies for half as long.
[[nodiscard]] std::shared_ptr<const AnalysedRun> usedRunOfTwoRanks();
/// The same, recorded without shapes.
[[nodiscard]] std::shared_ptr<const AnalysedRun> usedRunWithoutShapes();

}  // namespace rankscope::test
