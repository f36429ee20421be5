// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// An operator's input tensors, as the file writes them (record_shapes=True), without those that have no size. Empty if
/// not recorded.
struct RecordedInputs {
    std::string shapes;  ///< from `Input Dims`: "[[64,3,224,224],[64,3,7,7]]"
    std::string types;   ///< from `Input type`: ["float","float"]
};

/// Which operators have different inputs in the two runs, among those with most device time.
struct InputsDiffer {
    struct Operator {
        std::string name;
        std::string a;  ///< shapes or types in A
        std::string b;
    };
    std::size_t shapes_known = 0;  ///< number of operators with shapes in both runs
    std::size_t types_known = 0;   ///< number of operators with types in both runs
    std::vector<Operator> shapes;  ///< with different shapes, most device time first
    std::vector<Operator> types;
};

/// Returns the JSON text of a slice's event, from its file; empty if events cannot be read again.
using EventReader = std::function<Result<std::string>(const RankTrace& rank, SliceRef slice)>;

/// The number of operators compared. Each is read again from the files of both runs.
inline constexpr std::size_t kOperatorsRead = 12;

/// Compares the first call of each operator that launched device work, in the first steady-state step of each run's
/// first rank. Inputs that cannot be read are unknown.
[[nodiscard]] InputsDiffer compareInputs(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read);

}  // namespace rankscope
