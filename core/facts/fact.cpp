// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/facts/fact.h"

#include <algorithm>

namespace rankscope::tables {
namespace {

/// Filled before main(), by the declarations; their order depends on the linker.
std::vector<Fact (*)()>& declarations() {
    static std::vector<Fact (*)()> all;
    return all;
}

}  // namespace

DeclaredFact::DeclaredFact(Fact (*declare)()) {
    declarations().push_back(declare);
}

const std::vector<Fact>& declaredFacts() {
    static const std::vector<Fact> all = [] {
        std::vector<Fact> facts;
        for (Fact (*const declare)() : declarations()) {
            facts.push_back(declare());
        }
        std::ranges::sort(facts, {}, [](const Fact& fact) { return fact.table.name; });
        return facts;
    }();
    return all;
}

}  // namespace rankscope::tables
