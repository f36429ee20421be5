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
    std::vector<TensorSizes> sizes;   ///< empty for an argument that is not a tensor
    std::vector<std::string> types;   ///< "c10::BFloat16"; empty if nothing was recorded
    std::vector<std::string> values;  ///< "[2, 2]", "True"; empty if nothing was recorded

    /// The sizes of an argument; empty if it is not a tensor, or if there are fewer arguments.
    [[nodiscard]] std::span<const std::int64_t> tensor(std::size_t position) const;
    /// The numbers of an argument that is a list, "[2, 2]"; nothing if it was not recorded, or is not such a list.
    [[nodiscard]] std::optional<TensorSizes> list(std::size_t position) const;
    /// An argument that is an integer; nothing if it was not recorded, or is not one.
    [[nodiscard]] std::optional<std::int64_t> number(std::size_t position) const;
    /// The value of a boolean argument, True or False; nothing if it was not recorded.
    [[nodiscard]] std::optional<bool> flag(std::size_t position) const;
};

/// Reads the recorded inputs of operators. Types and values repeat while shapes differ: each list of types and values
/// is parsed once.
class CallReader {
  public:
    /// `trace` must outlive this object.
    explicit CallReader(const RankTrace& trace) : trace_(trace) {}
    /// A tensor with invalid sizes, below zero or above 2^31, is left out.
    [[nodiscard]] OperatorCall read(const OperatorInputs& inputs);

  private:
    [[nodiscard]] const std::vector<std::string>& texts(StringId list);

    const RankTrace& trace_;
    std::map<StringId, std::vector<std::string>> texts_;
};

}  // namespace rankscope
