// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// Divides the time in which the GPU waited for a late CPU among the findings that could claim it, so that none is
/// claimed twice:
/// - long stretches inside one named piece of code that is worth a finding are `host-code`;
/// - long stretches in which nothing was recorded, with no code around them, are `unexplained-idle`;
/// - all the rest is `launch-bound`: the short stretches from one launch to the next, the launches themselves, and long
///   stretches without a single name. Parts of DDP's reducer with their own finding keep their time.
class LateHost {
  public:
    explicit LateHost(const RuleContext& context);

    /// The names of the pieces of code.
    [[nodiscard]] const std::set<std::string, std::less<>>& pieces() const { return pieces_; }

    /// Flags by name id of a rank: whether the time of all slices with this name belongs to another finding: pieces of
    /// code, parts of DDP's reducer that have a finding, and allocator calls.
    [[nodiscard]] std::vector<bool> namesOfOthers(const RankContext& work) const;

    /// Whether this ledger entry belongs to `launch-bound`: blocked time with the CPU in launches, operators, Python or
    /// nothing recorded. Not unexplained time, and not a piece of code with its own finding.
    [[nodiscard]] bool isLaunching(const LedgerEntry& entry) const;
    /// Whether this ledger entry belongs to `unexplained-idle`: blocked time before work that was already queued, or a
    /// long stretch in which the CPU recorded nothing, with no named code around it.
    [[nodiscard]] static bool isUnexplained(const LedgerEntry& entry);
    /// Whether this is time of the piece of code `name`.
    [[nodiscard]] static bool isPiece(const LedgerEntry& entry, std::string_view name);

  private:
    std::set<std::string, std::less<>> pieces_;
};

}  // namespace rankscope
