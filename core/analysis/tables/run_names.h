// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/trace/run.h"

namespace rankscope {

/// The texts of all ranks of a run, each once: ranks that do the same use the same names, so thousands of them have few
/// more texts than one. Queries about texts run once here, not once per rank. Immutable; keeps the ranks alive.
class RunNames {
  public:
    /// Gathers the texts of a run: linear in the strings of all ranks.
    [[nodiscard]] static Result<std::shared_ptr<const RunNames>> of(const Run& run, unsigned threads,
                                                                    const std::stop_token& stop);

    /// All texts, in no order.
    [[nodiscard]] std::span<const std::string_view> texts() const { return texts_; }
    /// The index in texts() of each string of a rank, by StringId.
    [[nodiscard]] std::span<const std::uint32_t> ofRank(RankPosition rank) const { return of_rank_[rank]; }
    /// Whether this was made from the ranks of this run.
    [[nodiscard]] bool isOf(const Run& run) const { return ranks_ == run.ranks; }

  private:
    std::vector<std::shared_ptr<const RankTrace>> ranks_;  // the ranks whose texts are viewed
    std::vector<std::string_view> texts_;
    std::vector<std::vector<std::uint32_t>> of_rank_;
};

}  // namespace rankscope
