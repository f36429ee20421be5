// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "core/diagnosis/rules.h"

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

    /// Whether the time of all slices with this name belongs to another finding: pieces of code, allocator calls, and
    /// the parts of DDP's reducer that have a finding.
    [[nodiscard]] bool isOthers(const RankWork& work, StringId name, Category category) const;

    [[nodiscard]] bool isLaunching(const GapPart& part) const { return isLaunching(timeOf(part)); }
    [[nodiscard]] bool isLaunching(const LedgerEntry& e) const {
        return e.owner == Owner::Blocked && isLaunching(timeOf(e));
    }
    [[nodiscard]] static bool isUnexplained(const GapPart& part) { return isUnexplained(timeOf(part)); }
    [[nodiscard]] static bool isUnexplained(const LedgerEntry& e) {
        return e.owner == Owner::Blocked && isUnexplained(timeOf(e));
    }
    /// Whether this is time of the piece of code `name`.
    [[nodiscard]] static bool isPiece(const GapPart& part, std::string_view name) {
        return isPiece(timeOf(part), name);
    }
    [[nodiscard]] static bool isPiece(const LedgerEntry& e, std::string_view name) {
        return e.owner == Owner::Blocked && isPiece(timeOf(e), name);
    }

  private:
    struct Time {
        Cause cause;
        std::string_view label;
        bool long_stretch;
        std::string_view code_name;
    };
    template <class PartOrEntry>
    [[nodiscard]] static Time timeOf(const PartOrEntry& t) {
        return {t.cause, t.label, t.long_stretch, t.code_name};
    }
    [[nodiscard]] bool isLaunching(const Time& time) const;
    [[nodiscard]] static bool isUnexplained(const Time& time);
    [[nodiscard]] static bool isPiece(const Time& time, std::string_view name);

    std::set<std::string, std::less<>> pieces_;
};

}  // namespace rankscope
