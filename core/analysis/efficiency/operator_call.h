// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// The sizes of a tensor.
using TensorSizes = std::vector<std::int64_t>;

/// The arguments of an operator as recorded, by their positions.
struct OperatorCall {
    std::vector<TensorSizes> sizes;   ///< empty for what is no tensor
    std::vector<std::string> types;   ///< "c10::BFloat16"; empty if nothing was recorded
    std::vector<std::string> values;  ///< "[2, 2]", "True"; empty if nothing was recorded

    /// The sizes of an argument; none where it is no tensor, or there are not this many.
    [[nodiscard]] std::span<const std::int64_t> tensor(std::size_t position) const;
    /// The numbers of an argument that is a list, "[2, 2]"; nothing if it was not recorded, or is no such list.
    [[nodiscard]] std::optional<TensorSizes> list(std::size_t position) const;
    /// An argument that is a whole number; nothing if it was not recorded, or is none.
    [[nodiscard]] std::optional<std::int64_t> number(std::size_t position) const;
    /// Whether the argument was recorded as True or False; nothing if it was not.
    [[nodiscard]] std::optional<bool> flag(std::size_t position) const;
};

/// Reads what was recorded of the inputs of operators. Types and values repeat while shapes differ: each list of them
/// is read once.
class CallReader {
  public:
    /// `trace` has to stay.
    explicit CallReader(const RankTrace& trace) : trace_(trace) {}
    /// Sizes that are no sizes, below zero or beyond 2^31, leave their tensor out.
    [[nodiscard]] OperatorCall read(const OperatorInputs& inputs);

  private:
    [[nodiscard]] const std::vector<std::string>& texts(StringId list);

    const RankTrace& trace_;
    std::map<StringId, std::vector<std::string>> texts_;
};

}  // namespace rankscope
