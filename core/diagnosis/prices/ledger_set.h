// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "core/analysis/facts.h"

namespace rankscope {

/// Judges an entry by its content, in any ledger: it is also called with copies.
using LedgerFilter = std::function<bool(const LedgerEntry&)>;

/// Some entries of the run's ledger, by their place in RunFacts::ledger.
class LedgerSet {
  public:
    LedgerSet() = default;
    /// Those that `filter` picks.
    LedgerSet(const std::vector<LedgerEntry>& ledger, const LedgerFilter& filter) : has_(ledger.size()) {
        std::transform(ledger.begin(), ledger.end(), has_.begin(), std::ref(filter));
    }

    /// Whether an entry, by its index in RunFacts::ledger, is in the set; false beyond the ledger that it was made of.
    [[nodiscard]] bool has(std::size_t entry) const { return entry < has_.size() && has_[entry]; }
    /// Those that either has.
    void unite(const LedgerSet& other) {
        has_.resize(std::max(has_.size(), other.has_.size()));
        for (std::size_t i = 0; i < other.has_.size(); ++i) {
            has_[i] = has_[i] || other.has_[i];
        }
    }
    /// Without those that the other has.
    void subtract(const LedgerSet& other) {
        for (std::size_t i = 0; i < std::min(has_.size(), other.has_.size()); ++i) {
            has_[i] = has_[i] && !other.has_[i];
        }
    }

  private:
    std::vector<bool> has_;
};

}  // namespace rankscope
