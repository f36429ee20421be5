// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/align_names.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace rankscope {
namespace {

using Names = std::span<const std::uint32_t>;
using Partners = std::vector<std::uint32_t>;

/// Myers' greedy search. It keeps the state after each edit, so that the path can be traced back. A diagonal is the
/// place in a minus the place in b. For each diagonal the search keeps how far along a the best path has come.
class EditSearch {
  public:
    EditSearch(Names a, Names b, std::size_t most)
        : a_(a),
          b_(b),
          most_(static_cast<std::int64_t>(std::min(most, a.size() + b.size()))),
          furthest_(static_cast<std::size_t>(2 * most_ + 3), kNowhere) {}

    /// Pairs what the shortest script keeps. False if it needs more edits than allowed.
    bool pair(std::size_t shift, Partners& partners) {
        const std::optional<std::int64_t> edits = search();
        if (edits) {
            walkBack(*edits, shift, partners);
        }
        return edits.has_value();
    }

  private:
    static constexpr std::int64_t kNowhere = -1'000'000'000'000;

    [[nodiscard]] std::int64_t& at(std::int64_t diagonal) {
        return furthest_[static_cast<std::size_t>(diagonal + most_ + 1)];
    }
    [[nodiscard]] bool inserts(std::int64_t edits, std::int64_t diagonal) {
        return diagonal == -edits || (diagonal != edits && at(diagonal - 1) < at(diagonal + 1));
    }
    /// Where an edit leads on this diagonal, from the furthest places of the edit before.
    [[nodiscard]] std::int64_t edited(std::int64_t edits, std::int64_t diagonal) {
        if (edits == 0) {
            return 0;
        }
        const std::int64_t x = inserts(edits, diagonal) ? at(diagonal + 1) : at(diagonal - 1) + 1;
        const std::int64_t y = x - diagonal;
        return x < 0 || y < 0 || x > sizeA() || y > sizeB() ? kNowhere : x;
    }
    [[nodiscard]] std::int64_t afterEquals(std::int64_t x, std::int64_t diagonal) const {
        while (x >= 0 && x < sizeA() && x - diagonal < sizeB() &&
               a_[static_cast<std::size_t>(x)] == b_[static_cast<std::size_t>(x - diagonal)]) {
            ++x;
        }
        return x;
    }

    std::optional<std::int64_t> search() {
        for (std::int64_t edits = 0; edits <= most_; ++edits) {
            // Only every second diagonal changes, so the values of the edit before are between those of this one.
            for (std::int64_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
                at(diagonal) = afterEquals(edited(edits, diagonal), diagonal);
            }
            kept_.emplace_back(&at(-edits), &at(edits) + 1);
            if (std::abs(sizeA() - sizeB()) <= edits && (sizeA() - sizeB() + edits) % 2 == 0 &&
                at(sizeA() - sizeB()) == sizeA()) {
                return edits;
            }
        }
        return std::nullopt;
    }

    void walkBack(std::int64_t edits, std::size_t shift, Partners& partners) {
        std::int64_t x = sizeA();
        std::int64_t diagonal = sizeA() - sizeB();
        for (; edits >= 0; --edits) {
            if (edits > 0) {
                const std::vector<std::int64_t>& before = kept_[static_cast<std::size_t>(edits - 1)];
                std::ranges::copy(before, &at(1 - edits));
            }
            const std::int64_t from = edited(edits, diagonal);
            for (; x > from; --x) {
                partners[static_cast<std::size_t>(x - 1) + shift] =
                    static_cast<std::uint32_t>(static_cast<std::size_t>(x - diagonal - 1) + shift);
            }
            if (edits > 0) {
                const bool insertion = inserts(edits, diagonal);
                x = insertion ? from : from - 1;
                diagonal += insertion ? 1 : -1;
            }
        }
    }

    [[nodiscard]] std::int64_t sizeA() const { return static_cast<std::int64_t>(a_.size()); }
    [[nodiscard]] std::int64_t sizeB() const { return static_cast<std::int64_t>(b_.size()); }

    Names a_;
    Names b_;
    std::int64_t most_;
    std::vector<std::int64_t> furthest_;           // by diagonal, from -most - 1 on
    std::vector<std::vector<std::int64_t>> kept_;  // by edits: those of the diagonals -edits to edits
};

void pairByCount(Names a, Names b, Partners& partners) {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> places;
    for (std::uint32_t i = 0; i < b.size(); ++i) {
        places[b[i]].push_back(i);
    }
    std::unordered_map<std::uint32_t, std::size_t> seen;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto at = places.find(a[i]);
        const std::size_t count = seen[a[i]]++;
        partners[i] = at != places.end() && count < at->second.size() ? at->second[count] : kNoPartner;
    }
}

}  // namespace

std::vector<std::uint32_t> alignNames(Names a, Names b, std::size_t most_edits) {
    Partners partners(a.size(), kNoPartner);
    // Equal ends need no search; most steps of two runs are equal.
    const std::size_t shorter = std::min(a.size(), b.size());
    std::size_t front = 0;
    for (; front < shorter && a[front] == b[front]; ++front) {
        partners[front] = static_cast<std::uint32_t>(front);
    }
    std::size_t back = 0;
    for (; back < shorter - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]; ++back) {
        partners[a.size() - 1 - back] = static_cast<std::uint32_t>(b.size() - 1 - back);
    }
    EditSearch search(a.subspan(front, a.size() - front - back), b.subspan(front, b.size() - front - back), most_edits);
    if (!search.pair(front, partners)) {
        pairByCount(a, b, partners);
    }
    return partners;
}

}  // namespace rankscope
