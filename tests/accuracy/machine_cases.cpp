// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/machine_cases.h"

#include <algorithm>
#include <array>

#include "tests/tracegen/machine/job_faults.h"

namespace rankscope::accuracy {
namespace {

using tracegen::machine::Fusion;

constexpr std::uint64_t kHealthyRuns = 200;
constexpr std::uint64_t kFirstFaultSeed = 5'000;
constexpr int kRunsEach = 2;

MachineCase faultCase(const tracegen::machine::Fault& fault, std::size_t strength, int number, Fusion fusion) {
    constexpr std::array<int, kRunsEach> kRanks = {4, 8};
    MachineCase one;
    one.row = std::string(fault.name);
    one.row += fusion == Fusion::TraceFuse ? ", fused" : fusion == Fusion::OffsetPids ? ", one file" : "";
    one.name = one.row + '/' + std::to_string(strength + 1) + '/' + std::to_string(number + 1);
    one.fault = &fault;
    one.strength = fault.strengths.at(strength);
    one.files.fusion = fusion;
    const auto place = static_cast<std::uint64_t>(&fault - tracegen::machine::allFaults().data());
    const std::uint64_t seed = kFirstFaultSeed + place * 10 + strength * kRunsEach + static_cast<std::uint64_t>(number);
    const int ranks = fault.least_ranks > 2 ? kRanks.at(static_cast<std::size_t>(number)) : 2 + 2 * number;
    one.healthy = tracegen::machine::healthyConfig(seed, ranks);
    if (fault.prepare != nullptr) {
        fault.prepare(one.healthy, one.strength);
    }
    return one;
}

MachineCase healthyCase(std::uint64_t index) {
    constexpr std::array<int, 5> kRanks = {2, 4, 3, 8, 4};
    MachineCase one;
    one.name = "healthy/" + std::to_string(index + 1);
    one.healthy = tracegen::machine::healthyConfig(index + 1, kRanks.at(index % kRanks.size()));
    // Every fifth window has lost what the device did at its edges.
    constexpr DurationNs kLostNs = 2'500'000;
    one.files.lost_head_ns = index % 10 == 3 ? kLostNs : 0;
    one.files.lost_tail_ns = index % 10 == 8 ? kLostNs : 0;
    return one;
}

MachineCase healthyJob(const tracegen::machine::JobPreset& preset, int number) {
    constexpr std::uint64_t kFirstSeed = 9'000;
    MachineCase one;
    one.name = "healthy-" + std::string(preset.name) + '/' + std::to_string(number + 1);
    const auto place = static_cast<std::uint64_t>(&preset - tracegen::machine::allJobPresets().data());
    one.healthy =
        tracegen::machine::jobConfig(preset.name, kFirstSeed + place * kRunsEach + static_cast<std::uint64_t>(number));
    return one;
}

}  // namespace

tracegen::machine::Config MachineCase::planted() const {
    tracegen::machine::Config config = healthy;
    if (fault != nullptr) {
        fault->plant(config, strength);
    }
    return config;
}

std::vector<MachineCase> machineMatrix() {
    std::vector<MachineCase> cases;
    for (const tracegen::machine::Fault& fault : tracegen::machine::allFaults()) {
        for (const Fusion fusion : {Fusion::None, Fusion::TraceFuse, Fusion::OffsetPids}) {
            for (std::size_t strength = 0; strength < fault.strengths.size(); ++strength) {
                for (int number = 0; number < kRunsEach; ++number) {
                    if (fusion == Fusion::None || (fault.name == "slow-device" && number == 0)) {
                        cases.push_back(faultCase(fault, strength, number, fusion));
                    }
                }
            }
        }
    }
    for (std::uint64_t i = 0; i < kHealthyRuns; ++i) {
        cases.push_back(healthyCase(i));
    }
    constexpr int kMostRanks = 8;
    for (const tracegen::machine::JobPreset& preset : tracegen::machine::allJobPresets()) {
        for (int number = 0; preset.ranks <= kMostRanks && number < kRunsEach; ++number) {
            cases.push_back(healthyJob(preset, number));
        }
    }
    return cases;
}

}  // namespace rankscope::accuracy
