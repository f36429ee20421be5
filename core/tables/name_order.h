// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tables/slice_places.h"

namespace rankscope::tables {

/// The names of slices over all ranks, sorted by their bytes, and the slices in that order. Slices with the same name
/// stay in the order of their ids. Built once, in O(slices + names x log names).
class NameOrder {
  public:
    explicit NameOrder(const SlicePlaces& places);

    /// The ids of all slices, sorted by name.
    [[nodiscard]] const std::vector<std::uint32_t>& slices() const { return slices_; }
    /// The range in slices() of names from `least` to `most`: first, and one past the last.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> between(std::string_view least, std::string_view most) const;
    /// The number of names.
    [[nodiscard]] std::size_t names() const { return names_.size(); }

  private:
    std::vector<std::string_view> names_;
    std::vector<std::uint64_t> begin_;  // for each name its start in slices_, and the end of all
    std::vector<std::uint32_t> slices_;
};

}  // namespace rankscope::tables
