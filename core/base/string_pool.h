// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

namespace rankscope {

/// Keeps each different string once and gives it a dense id, from 0 to size() - 1 in order of first use. Views stay
/// valid for the life of the pool, also when it is moved.
class StringPool {
  public:
    StringPool();

    /// The id of `text`, which is copied into the pool the first time.
    StringId intern(std::string_view text);

    /// The id of `text` if it is in the pool, else an invalid id.
    [[nodiscard]] StringId find(std::string_view text) const;

    /// The text of `id`; empty for an invalid id.
    [[nodiscard]] std::string_view view(StringId id) const {
        return id.valid() ? texts_[id.value] : std::string_view();
    }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }
    /// Heap bytes, for the memory budget.
    [[nodiscard]] std::size_t memoryBytes() const;

  private:
    struct Slot {
        std::uint32_t hash = 0;
        StringId id;
    };

    [[nodiscard]] std::size_t slotOf(std::string_view text, std::uint32_t hash) const;
    std::string_view copy(std::string_view text);
    void grow();

    std::vector<Slot> slots_;
    std::vector<std::string_view> texts_;
    std::vector<std::unique_ptr<char[]>> blocks_;
    std::size_t block_used_ = 0;
    std::size_t block_size_ = 0;
    std::size_t block_bytes_ = 0;
};

}  // namespace rankscope
