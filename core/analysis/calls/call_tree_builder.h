// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/analysis/calls/call_tree.h"
#include "core/base/string_pool.h"

namespace rankscope {

/// Collects the nodes of a call tree in any order, and sorts them at the end.
class CallTreeBuilder {
  public:
    static constexpr std::uint32_t kRoot = 0;

    CallTreeBuilder() : nodes_(1) {}

    /// The name with this text, which is copied on first use.
    [[nodiscard]] CallName nameOf(std::string_view text) { return CallName(names_.intern(text).value); }
    /// The child of that name; created with this category if it does not exist. This invalidates references to nodes.
    [[nodiscard]] std::uint32_t child(std::uint32_t parent, CallName name, Category category);
    /// A node, to add calls and its own times to. finish() sets its totals and its children.
    [[nodiscard]] CallNode& node(std::uint32_t index) { return nodes_[index]; }

    /// The tree, with its totals.
    [[nodiscard]] CallTree finish(CallMeasure measure);

  private:
    void addUp();

    StringPool names_;
    std::vector<CallNode> nodes_;                                     // parents before their children
    std::unordered_map<std::uint64_t, std::uint32_t> child_of_name_;  // by parent and name
};

}  // namespace rankscope
