// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "core/analysis/facts.h"

namespace rankscope {

/// Selects entries by content, in any ledger: it is also called with copies.
using LedgerFilter = std::function<bool(const LedgerEntry&)>;

/// A set of entries of the run's ledger, by their index in RunFacts::ledger.
class LedgerSet {
  public:
    LedgerSet() = default;
    /// The entries that `filter` selects.
    LedgerSet(const std::vector<LedgerEntry>& ledger, const LedgerFilter& filter) : has_(ledger.size()) {
        std::transform(ledger.begin(), ledger.end(), has_.begin(), std::ref(filter));
    }

    /// Whether the entry with this index in RunFacts::ledger is in the set; false past the end of the ledger.
    [[nodiscard]] bool has(std::size_t entry) const { return entry < has_.size() && has_[entry]; }
    /// Adds the entries of `other`.
    void unite(const LedgerSet& other) {
        has_.resize(std::max(has_.size(), other.has_.size()));
        for (std::size_t i = 0; i < other.has_.size(); ++i) {
            has_[i] = has_[i] || other.has_[i];
        }
    }
    /// Removes the entries of `other`.
    void subtract(const LedgerSet& other) {
        for (std::size_t i = 0; i < std::min(has_.size(), other.has_.size()); ++i) {
            has_[i] = has_[i] && !other.has_[i];
        }
    }

  private:
    std::vector<bool> has_;
};

}  // namespace rankscope
