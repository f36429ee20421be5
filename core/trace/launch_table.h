// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ids.h"

namespace rankscope {

/// A host call and one piece of device work that it launched.
struct Launch {
    SliceRef host;
    SliceRef device;
    friend auto operator<=>(const Launch&, const Launch&) = default;
};

/// Which host call launched which device work, joined by correlation (by flow events only if that is missing). A CUDA
/// graph launch has one host call and many pieces of device work.
class LaunchTable {
  public:
    LaunchTable() = default;
    explicit LaunchTable(std::vector<Launch> launches);

    /// All launches, sorted by host slice, then device slice.
    [[nodiscard]] std::span<const Launch> all() const { return by_host_; }
    /// The host call that launched `device` work, or an invalid ref. O(log n).
    [[nodiscard]] SliceRef launchOf(SliceRef device) const;
    /// What `host` launched. O(log n).
    [[nodiscard]] std::span<const Launch> launchedBy(SliceRef host) const;
    [[nodiscard]] std::size_t memoryBytes() const;

  private:
    std::vector<Launch> by_host_;
    std::vector<std::uint32_t> by_device_;  // indices into by_host_, sorted by device
};

}  // namespace rankscope
