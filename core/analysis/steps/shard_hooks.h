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

/// What a range of FSDP2 says of the pass that it is in: these are short, around what it does before and after the
/// modules that it divides.
enum class ShardHook : std::uint8_t {
    RootForward,  ///< "FSDP::root_pre_forward": the forward of the whole model begins
    PreForward,   ///< "FSDP::pre_forward (layers.0)": that of a unit begins
    PostForward,  ///< "FSDP::post_forward (layers.0)": it is over
    Backward,     ///< "FSDP::pre_backward (layers.0)", "FSDP::post_backward_reduce (layers.0)"
};
[[nodiscard]] std::optional<ShardHook> shardHookOf(std::string_view name);

/// A forward on a host thread, from its first hook to its last.
struct HookedForward {
    SliceIndex first;  ///< the range that begins it
    TimeSpan span;
};

/// Puts the forwards of one thread together from its hooks, which come by start. A forward ends with the last hook
/// behind a unit, before the root begins again, before a unit that it had comes again while no unit is open, or before
/// another phase.
class HookedForwards {
  public:
    /// A hook of the forward: `slice` is its range, on `span`.
    void add(ShardHook hook, SliceIndex slice, StringId name, const TimeSpan& span);
    /// The thread begins with another phase.
    void close();
    [[nodiscard]] std::vector<HookedForward> finish();

  private:
    std::vector<HookedForward> forwards_;
    std::optional<HookedForward> open_;  // empty until a unit has ended
    std::set<StringId> units_;           // that began in it
    std::size_t depth_ = 0;              // of units in one another
};

}  // namespace rankscope
