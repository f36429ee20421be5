// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/rule.h"

namespace rankscope {

/// Divides the time in which the device waited for a late host among the findings that could claim it, so that none is
/// claimed twice:
/// - long stretches inside one named piece of code that is worth a finding are `host-code`;
/// - long stretches in which nothing was recorded, and no code around them either, are `unexplained-idle`;
/// - all the rest is `launch-bound`: the short stretches from one launch to the next, the launches themselves, and long
///   stretches without one name behind them.
/// What a part of DDP's reducer did that has a finding of its own is left to that.
class LateHost {
  public:
    explicit LateHost(const RuleContext& context);

    /// The names of the pieces of code.
    [[nodiscard]] const std::set<std::string, std::less<>>& pieces() const { return pieces_; }

    /// By name of a rank: whether the time of all its slices belongs to another finding, as pieces of code do, and the
    /// parts of DDP's reducer that have a finding. So does that of allocator calls.
    [[nodiscard]] std::vector<bool> namesOfOthers(const RankContext& work) const;

    /// Whether this ledger entry belongs to `launch-bound`: blocked time with the host at launches, operators, Python
    /// or nothing recorded, that is neither unexplained nor of a piece of code with a finding of its own.
    [[nodiscard]] bool isLaunching(const LedgerEntry& entry) const;
    /// Whether this ledger entry belongs to `unexplained-idle`: blocked time before work that was queued already, or a
    /// long stretch in which the host recorded nothing, with no named code around it.
    [[nodiscard]] static bool isUnexplained(const LedgerEntry& entry);
    /// Whether this is time of the piece of code `name`.
    [[nodiscard]] static bool isPiece(const LedgerEntry& entry, std::string_view name);

  private:
    std::set<std::string, std::less<>> pieces_;
};

}  // namespace rankscope
