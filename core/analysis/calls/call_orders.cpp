// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/analysis/calls/call_tree.h"
#include "core/analysis/calls/call_tree_builder.h"

namespace rankscope {
namespace {

/// Adds the own times of `node` to another node.
void addOwn(const CallNode& node, CallNode& to) {
    to.self_ns += node.self_ns;
    to.device_self_ns += node.device_self_ns;
}

/// Adds the calls of `node`, and the longest of them, to another node.
void addCalls(const CallNode& node, CallNode& to) {
    to.calls += node.calls;
    if (node.longest_ns > to.longest_ns) {
        to.longest_ns = node.longest_ns;
        to.longest = node.longest;
        to.rank = node.rank;
    }
}

/// The child to which a Python frame passes nearly all of its time, or nullptr.
const CallNode* passedOnTo(const CallTree& tree, const CallNode& frame, CallMeasure measure) {
    constexpr DurationNs kWhole = 100;
    constexpr DurationNs kPassed = 99;
    if (frame.category != Category::PythonFunction || frame.child_count == 0) {
        return nullptr;
    }
    const CallNode& first = tree.childrenOf(frame).front();  // the longest
    const bool passes = frame.value(measure) > 0 && first.value(measure) * kWhole >= frame.value(measure) * kPassed;
    return passes ? &first : nullptr;
}

}  // namespace

CallTree bottomUp(const CallTree& top_down, CallMeasure measure) {
    CallTreeBuilder tree;
    std::vector<CallName> names;
    names.reserve(top_down.names.size());
    for (const std::string& name : top_down.names) {
        names.push_back(tree.nameOf(name));
    }
    for (const CallNode& spent : top_down.nodes) {
        if (!spent.name.valid() || (spent.self_ns == 0 && spent.device_self_ns == 0)) {
            continue;
        }
        std::uint32_t at = CallTreeBuilder::kRoot;
        for (const CallNode* caller = &spent; caller->name.valid(); caller = &top_down.nodes[caller->parent]) {
            at = tree.child(at, names[caller->name.value], caller->category);
            addCalls(spent, tree.node(at));
        }
        addOwn(spent, tree.node(at));
    }
    return tree.finish(measure);
}

void compareWith(CallTree& tree, const CallTree& before, CallMeasure measure) {
    std::vector<const CallNode*> same(tree.nodes.size());  // the node on the same path
    same.front() = &before.root();
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        tree.nodes[i].before_ns = same[i] == nullptr ? 0 : same[i]->value(measure);
        if (same[i] == nullptr || tree.nodes[i].child_count == 0) {
            continue;
        }
        std::unordered_map<std::string_view, const CallNode*> named;
        for (const CallNode& child : before.childrenOf(*same[i])) {
            named.emplace(before.name(child), &child);
        }
        for (std::uint32_t c = 0; c < tree.nodes[i].child_count; ++c) {
            const std::uint32_t child = tree.nodes[i].first_child + c;
            const auto found = named.find(tree.name(tree.nodes[child]));
            same[child] = found == named.end() ? nullptr : found->second;
        }
    }
}

CallTree folded(const CallTree& tree, CallMeasure measure) {
    CallTreeBuilder out;
    struct Entry {
        const CallNode* node;
        std::uint32_t parent;
    };
    std::vector<Entry> waiting;
    const auto add_children = [&](const CallNode& node, std::uint32_t under, const CallNode* but) {
        for (const CallNode& child : tree.childrenOf(node)) {
            if (&child != but) {
                waiting.push_back({&child, under});
            }
        }
    };
    addOwn(tree.root(), out.node(CallTreeBuilder::kRoot));
    out.node(CallTreeBuilder::kRoot).before_ns = tree.root().before_ns;
    add_children(tree.root(), CallTreeBuilder::kRoot, nullptr);
    while (!waiting.empty()) {
        const Entry entry = waiting.back();
        waiting.pop_back();
        std::vector<const CallNode*> frames{entry.node};
        while (const CallNode* next = passedOnTo(tree, *frames.back(), measure)) {
            frames.push_back(next);
        }
        const CallNode& last = *frames.back();
        const std::uint32_t node = out.child(entry.parent, out.nameOf(tree.name(last)), last.category);
        std::vector<CallName> through;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            addOwn(*frames[i], out.node(node));
            const bool passes = i + 1 < frames.size();
            add_children(*frames[i], node, passes ? frames[i + 1] : nullptr);
            if (passes) {
                through.push_back(out.nameOf(tree.name(*frames[i])));
            }
        }
        addCalls(last, out.node(node));
        out.node(node).before_ns += frames.front()->before_ns;
        if (out.node(node).through.empty()) {
            out.node(node).through = std::move(through);
        }
    }
    return out.finish(measure);
}

}  // namespace rankscope
