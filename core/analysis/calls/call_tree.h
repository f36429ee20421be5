// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/trace/category.h"
#include "core/trace/run.h"

namespace rankscope {

/// Which slices of the host are calls.
enum class CallSource : std::uint8_t {
    Operators,  ///< operators, named ranges, runtime and driver calls
    Python,     ///< Python functions
    Both,
    Modules,  ///< Python's `nn.Module: ` frames
};

/// What a call tree is ordered, drawn and folded by.
enum class CallMeasure : std::uint8_t {
    Host,    ///< CallNode::total_ns
    Device,  ///< CallNode::device_ns
};

/// A part of a run of which the calls are wanted.
struct CallPart {
    RankPosition rank;
    std::optional<TimeSpan> window;  ///< on the file's clock; nothing: all of it
    std::vector<TrackId> threads;    ///< sorted; empty: every host thread
};

/// A name in CallTree::names.
using CallName = StrongId<struct CallNameTag>;

/// All calls of one name that were made on one path of calls.
struct CallNode {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    CallName name;  ///< invalid for the root
    Category category = Category::Other;
    std::uint32_t parent = kNone;
    std::uint32_t first_child = 0;  ///< its children are next to each other
    std::uint32_t child_count = 0;
    std::uint64_t calls = 0;        ///< those that touch the window
    DurationNs total_ns = 0;        ///< host time: its own and that of its children
    DurationNs self_ns = 0;         ///< host time while no other call was inside
    DurationNs device_ns = 0;       ///< durations of the device work launched in it, its own and its children's
    DurationNs device_self_ns = 0;  ///< of the device work that it is
    RankPosition rank;              ///< where `longest` is
    SliceRef longest;               ///< the longest of the slices; invalid if it is none
    DurationNs longest_ns = -1;
    DurationNs before_ns = 0;       ///< value() of the same path in another tree (see compareWith())
    std::vector<CallName> through;  ///< frames folded into it, the outermost first (see folded())

    /// Its time by a measure.
    [[nodiscard]] DurationNs value(CallMeasure measure) const {
        return measure == CallMeasure::Host ? total_ns : device_ns;
    }
    /// The part of value() that is in none of its children.
    [[nodiscard]] DurationNs ownValue(CallMeasure measure) const {
        return measure == CallMeasure::Host ? self_ns : device_self_ns;
    }
};

/// Who called whom, and how long. Of every node, its own time and that of its children add up to its total.
struct CallTree {
    std::vector<std::string> names;
    /// The root first, which is no call; a parent before its children, these by the measure, the longest first.
    std::vector<CallNode> nodes;

    /// The node of the whole, which is no call.
    [[nodiscard]] const CallNode& root() const { return nodes.front(); }
    /// Its name; empty for the root.
    [[nodiscard]] std::string_view name(const CallNode& node) const {
        return node.name.valid() ? std::string_view(names[node.name.value]) : std::string_view();
    }
    /// The calls made in it, the longest first.
    [[nodiscard]] std::span<const CallNode> childrenOf(const CallNode& node) const {
        return std::span(nodes).subspan(node.first_child, node.child_count);
    }
};

/// Whether a host slice of this category and name is a call.
[[nodiscard]] bool isCall(CallSource source, Category category, std::string_view name);

/// The calls of these parts of a run as one tree, from the outermost in. The host time of the root is the time in which
/// the threads recorded any of these calls, each thread by itself. Device work is a leaf under the call that
/// launched it and belongs to the window when its launch does; what no recorded call launched is under
/// "(launch not recorded)" if the part has all threads. Under Modules the device work of the backward is under
/// "(backward)" of the module that the operator's forward ran in. Linear in the slices of these ranks, up to the lookup
/// of a launch. Stops soon after `stop` asks for it.
[[nodiscard]] Result<CallTree> callsIn(const Run& run, std::span<const CallPart> parts, CallSource source,
                                       CallMeasure measure, const std::stop_token& stop);

/// The same time the other way round: at the top what spent it, beneath it who called that. A node's own time is that
/// of calls that nothing called.
[[nodiscard]] CallTree bottomUp(const CallTree& top_down, CallMeasure measure);

/// Sets CallNode::before_ns of all nodes of `tree`: the value of the node on the same path of names in `before`, by the
/// measure; 0 if there is none. Neither may be folded.
void compareWith(CallTree& tree, const CallTree& before, CallMeasure measure);

/// `tree` without the Python frames that only pass on: one that has a child with at least 99 % of its time by the
/// measure becomes part of that child, which then has the frame's own time and its other children too, so that nothing
/// is lost. Folds PyTorch's start-up and its wrappers away without knowing their names.
[[nodiscard]] CallTree folded(const CallTree& tree, CallMeasure measure);

/// The names on the way from the outermost call around a slice in to the slice itself, as a top-down tree of this
/// source has them; of device work that way ends with its launch and the work. `slice` must be of this trace.
[[nodiscard]] std::vector<std::string> callPathOf(const RankTrace& trace, SliceRef slice, CallSource source);
/// The node that is furthest along a path of names, which may be folded; the root where not even the first is found.
[[nodiscard]] std::uint32_t furthestOn(const CallTree& top_down, std::span<const std::string> path);

}  // namespace rankscope
