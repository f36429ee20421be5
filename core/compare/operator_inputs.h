// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The tensors that an operator was called with, as the file writes them (record_shapes=True); those without a size are
/// left out. Empty if nothing was recorded.
struct RecordedInputs {
    std::string shapes;  ///< of `Input Dims`: "[[64,3,224,224],[64,3,7,7]]"
    std::string types;   ///< of `Input type`: ["float","float"]
};

/// Of the operators of both runs with most device time: which were called with other inputs.
struct InputsDiffer {
    struct Operator {
        std::string name;
        std::string a;  ///< shapes or types in A
        std::string b;
    };
    std::size_t shapes_known = 0;  ///< operators that both runs recorded shapes of
    std::size_t types_known = 0;   ///< the same of types
    std::vector<Operator> shapes;  ///< those that differ, most device time first
    std::vector<Operator> types;
};

/// Gives the JSON text of a slice's event, from its file; empty if events cannot be read back.
using EventReader = std::function<Result<std::string>(const RankTrace& rank, SliceRef slice)>;

/// How many operators are looked at. Each is read back from the files of both runs.
inline constexpr std::size_t kOperatorsRead = 12;

/// Looks at the first call of each operator that launched device work, in the first steady-state step of the first rank
/// of each run. What cannot be read back is not known.
[[nodiscard]] InputsDiffer compareInputs(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read);

}  // namespace rankscope
