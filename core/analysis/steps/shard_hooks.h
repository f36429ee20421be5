// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

/// What a range of FSDP2 says about the pass that it is in. These ranges are short, around what FSDP2 does before and
/// after the modules that it divides.
enum class ShardHook : std::uint8_t {
    RootForward,  ///< "FSDP::root_pre_forward": the forward of the whole model begins
    PreForward,   ///< "FSDP::pre_forward (layers.0)": the forward of a unit begins
    PostForward,  ///< "FSDP::post_forward (layers.0)": it has ended
    Backward,     ///< "FSDP::pre_backward (layers.0)", "FSDP::post_backward_reduce (layers.0)"
};
[[nodiscard]] std::optional<ShardHook> shardHookOf(std::string_view name);

/// A forward on a host thread, from its first hook to its last.
struct HookedForward {
    SliceIndex first;  ///< the range that begins it
    TimeSpan span;
};

/// Builds the forwards of one thread from its hooks, which come by start. A forward ends with the last hook after a
/// unit, before the root begins again, before a known unit comes again while no unit is open, or before another phase.
class HookedForwards {
  public:
    /// A hook of the forward: `slice` is its range, on `span`.
    void add(ShardHook hook, SliceIndex slice, StringId name, const TimeSpan& span);
    /// The thread begins another phase.
    void close();
    [[nodiscard]] std::vector<HookedForward> finish();

  private:
    std::vector<HookedForward> forwards_;
    std::optional<HookedForward> open_;  // empty until a unit has ended
    std::set<StringId> units_;           // units that began in it
    std::size_t depth_ = 0;              // nesting of open units
};

}  // namespace rankscope
