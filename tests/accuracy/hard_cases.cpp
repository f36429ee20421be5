// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/hard_cases.h"

#include <cmath>
#include <iterator>

namespace rankscope::accuracy::hard {

std::vector<Case> allCases() {
    std::vector<Case> all = generatorCases();
    std::vector<Case> machine = machineCases();
    std::move(machine.begin(), machine.end(), std::back_inserter(all));
    return all;
}

double strengthFor(double target, double weak, double strong, const std::function<double(double strength)>& share) {
    constexpr int kTries = 8;
    // A bandwidth differs by factors, as from 60 to 4 GB/s; what grows with its strength differs by sums.
    const bool by_factors = weak > strong;
    double low = 0;
    double high = 1;
    const auto strengthAt = [&](double t) {
        return by_factors ? weak * std::pow(strong / weak, t) : weak + t * (strong - weak);
    };
    if (share(strong) <= target) {
        return strong;
    }
    for (int i = 0; i < kTries; ++i) {
        const double middle = (low + high) / 2;
        (share(strengthAt(middle)) < target ? low : high) = middle;
    }
    return strengthAt(high);
}

}  // namespace rankscope::accuracy::hard
