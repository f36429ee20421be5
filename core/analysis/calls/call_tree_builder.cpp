// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/calls/call_tree_builder.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace rankscope {

std::uint32_t CallTreeBuilder::child(std::uint32_t parent, CallName name, Category category) {
    const std::uint64_t key = (static_cast<std::uint64_t>(parent) << 32U) | name.value;
    const auto [place, added] = child_of_name_.emplace(key, static_cast<std::uint32_t>(nodes_.size()));
    if (added) {
        CallNode made;
        made.name = name;
        made.category = category;
        made.parent = parent;
        nodes_.push_back(std::move(made));
    }
    return place->second;
}

void CallTreeBuilder::addUp() {
    for (CallNode& node : nodes_) {
        node.total_ns = node.self_ns;
        node.device_ns = node.device_self_ns;
        node.child_count = 0;
    }
    for (std::size_t i = nodes_.size(); i-- > 1;) {
        CallNode& parent = nodes_[nodes_[i].parent];
        parent.total_ns += nodes_[i].total_ns;
        parent.device_ns += nodes_[i].device_ns;
        ++parent.child_count;
    }
}

CallTree CallTreeBuilder::finish(CallMeasure measure) {
    addUp();
    std::vector<std::vector<std::uint32_t>> children(nodes_.size());
    for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
        children[nodes_[i].parent].push_back(i);
    }
    CallTree tree;
    for (std::uint32_t id = 0; id < names_.size(); ++id) {
        tree.names.emplace_back(names_.view(StringId(id)));
    }
    tree.nodes.reserve(nodes_.size());
    tree.nodes.push_back(std::move(nodes_[kRoot]));
    std::vector<std::uint32_t> was{kRoot};  // as tree.nodes: the old index in nodes_
    for (std::uint32_t at = 0; at < tree.nodes.size(); ++at) {
        std::vector<std::uint32_t>& inside = children[was[at]];
        // By name if the times are equal, so that the same files give the same tree.
        std::ranges::sort(inside, [&](std::uint32_t a, std::uint32_t b) {
            const auto key = [&](const CallNode& node) {
                return std::tuple(-node.value(measure), -node.total_ns, -node.device_ns,
                                  std::string_view(tree.names[node.name.value]));
            };
            return key(nodes_[a]) < key(nodes_[b]);
        });
        tree.nodes[at].first_child = static_cast<std::uint32_t>(tree.nodes.size());
        for (const std::uint32_t child : inside) {
            tree.nodes.push_back(std::move(nodes_[child]));
            tree.nodes.back().parent = at;
            was.push_back(child);
        }
    }
    return tree;
}

}  // namespace rankscope
