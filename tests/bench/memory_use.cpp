// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/memory_use.h"

#include <malloc.h>

#include <fstream>
#include <string>

namespace rankscope::bench {
namespace {

std::uint64_t statusField(const std::string& field) {
    std::ifstream status("/proc/self/status");
    std::string key;
    std::uint64_t kib = 0;
    while (status >> key) {
        if (key == field && status >> kib) {
            return kib * 1024;
        }
        status.ignore(4096, '\n');
    }
    return 0;
}

}  // namespace

std::uint64_t residentBytes() {
    return statusField("VmRSS:");
}

std::uint64_t peakBytes() {
    return statusField("VmHWM:");
}

void resetPeak() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace rankscope::bench
