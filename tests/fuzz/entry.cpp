// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer's entry of one target: compiled once for each, with its function as RANKSCOPE_FUZZ_TARGET.
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rankscope::fuzz::RANKSCOPE_FUZZ_TARGET({data, size});
    return 0;
}
