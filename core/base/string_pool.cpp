// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/string_pool.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace rankscope {
namespace {

constexpr std::size_t kFirstSlots = 256;
constexpr std::size_t kBlockBytes = std::size_t{64} * 1024;

std::uint32_t hashOf(std::string_view text) {
    const std::size_t hash = std::hash<std::string_view>{}(text);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace

StringPool::StringPool() : slots_(kFirstSlots) {}

std::size_t StringPool::slotOf(std::string_view text, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].id.valid() && (slots_[at].hash != hash || texts_[slots_[at].id.value] != text)) {
        at = (at + 1) & mask;
    }
    return at;
}

StringId StringPool::intern(std::string_view text) {
    const std::uint32_t hash = hashOf(text);
    std::size_t at = slotOf(text, hash);
    if (slots_[at].id.valid()) {
        return slots_[at].id;
    }
    if ((texts_.size() + 1) * 2 > slots_.size()) {
        grow();
        at = slotOf(text, hash);
    }
    const StringId id(static_cast<std::uint32_t>(texts_.size()));
    texts_.push_back(copy(text));
    slots_[at] = {hash, id};
    return id;
}

StringId StringPool::find(std::string_view text) const {
    return slots_[slotOf(text, hashOf(text))].id;
}

std::size_t StringPool::memoryBytes() const {
    return slots_.capacity() * sizeof(Slot) + texts_.capacity() * sizeof(std::string_view) + block_bytes_;
}

std::string_view StringPool::copy(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    if (blocks_.empty() || block_size_ - block_used_ < text.size()) {
        block_size_ = std::max(kBlockBytes, text.size());
        blocks_.push_back(std::make_unique<char[]>(block_size_));
        block_used_ = 0;
        block_bytes_ += block_size_;
    }
    char* const to = blocks_.back().get() + block_used_;
    std::memcpy(to, text.data(), text.size());
    block_used_ += text.size();
    return {to, text.size()};
}

void StringPool::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.id.valid()) {
            std::size_t at = slot.hash & mask;
            while (slots_[at].id.valid()) {
                at = (at + 1) & mask;
            }
            slots_[at] = slot;
        }
    }
}

}  // namespace rankscope
