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

/// Which slices of the host are the calls of a tree.
enum class CallSource : std::uint8_t {
    Operators,  ///< operators, named ranges, runtime and driver calls
    Python,     ///< Python functions
    Both,
    Modules,  ///< Python's `nn.Module: ` frames
};

/// The measure by which a call tree is sorted, drawn and folded.
enum class CallMeasure : std::uint8_t {
    Host,    ///< CallNode::total_ns
    Device,  ///< CallNode::device_ns
};

/// A part of a run whose calls are requested.
struct CallPart {
    RankPosition rank;
    std::optional<TimeSpan> window;  ///< on the file's clock; nothing: all of the file
    std::vector<TrackId> threads;    ///< sorted; empty: every host thread
};

/// A name in CallTree::names.
using CallName = StrongId<struct CallNameTag>;

/// All calls of one name on one path of calls.
struct CallNode {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    CallName name;  ///< invalid for the root
    Category category = Category::Other;
    std::uint32_t parent = kNone;
    std::uint32_t first_child = 0;  ///< its children are next to each other
    std::uint32_t child_count = 0;
    std::uint64_t calls = 0;        ///< calls that touch the window
    DurationNs total_ns = 0;        ///< host time, with its children's
    DurationNs self_ns = 0;         ///< host time while no other call was inside
    DurationNs device_ns = 0;       ///< summed durations of the device work launched in it, with its children's
    DurationNs device_self_ns = 0;  ///< if it is device work itself: its own durations
    RankPosition rank;              ///< where `longest` is
    SliceRef longest;               ///< the longest of its slices; invalid if there is none
    DurationNs longest_ns = -1;
    DurationNs before_ns = 0;       ///< value() of the same path in another tree (see compareWith())
    std::vector<CallName> through;  ///< frames folded into this node, the outermost first (see folded())

    /// Its time by a measure.
    [[nodiscard]] DurationNs value(CallMeasure measure) const {
        return measure == CallMeasure::Host ? total_ns : device_ns;
    }
    /// The part of value() outside its children.
    [[nodiscard]] DurationNs ownValue(CallMeasure measure) const {
        return measure == CallMeasure::Host ? self_ns : device_self_ns;
    }
};

/// Who called whom, and for how long. For every node, its own time plus its children's totals is its total.
struct CallTree {
    std::vector<std::string> names;
    /// The root first, which is not a call; parents before their children; children sorted by the measure, the largest
    /// first.
    std::vector<CallNode> nodes;

    /// The root, which is not a call.
    [[nodiscard]] const CallNode& root() const { return nodes.front(); }
    /// The node's name; empty for the root.
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

/// The calls of these parts of a run as one tree, from the outermost call in. The host time of the root is the time in
/// which the threads recorded any of these calls, summed over threads. Device work is a leaf under the call that
/// launched it, and belongs to the window if its launch does. Work whose launch was not recorded is under "(launch not
/// recorded)", if the part has all threads. Under Modules, the device work of the backward is under "(backward)" of the
/// module in which the operator's forward ran. Linear in the slices of these ranks, up to the lookup of a launch. Stops
/// soon after `stop` is requested.
[[nodiscard]] Result<CallTree> callsIn(const Run& run, std::span<const CallPart> parts, CallSource source,
                                       CallMeasure measure, const std::stop_token& stop);

/// The same times upside down: at the top the calls that spent the time, beneath each its callers. A node's own time is
/// that of calls without a recorded caller.
[[nodiscard]] CallTree bottomUp(const CallTree& top_down, CallMeasure measure);

/// Sets CallNode::before_ns of all nodes of `tree`: the value, by the measure, of the node on the same path of names in
/// `before`; 0 if there is none. Neither tree may be folded.
void compareWith(CallTree& tree, const CallTree& before, CallMeasure measure);

/// `tree` without Python frames that only pass a call on. A frame whose child has at least 99 % of its time by the
/// measure is merged into that child. The child gets the frame's own time and its other children, so nothing is lost.
/// This folds PyTorch's start-up code and wrappers without knowing their names.
[[nodiscard]] CallTree folded(const CallTree& tree, CallMeasure measure);

/// The names from the outermost call around a slice to the slice itself, as in a top-down tree of this source; for
/// device work the path ends with its launch and the work. `slice` must be of this trace.
[[nodiscard]] std::vector<std::string> callPathOf(const RankTrace& trace, SliceRef slice, CallSource source);
/// The deepest node that matches a path of names, some of which may be folded; the root if not even the first name is
/// found.
[[nodiscard]] std::uint32_t furthestOn(const CallTree& top_down, std::span<const std::string> path);

}  // namespace rankscope
