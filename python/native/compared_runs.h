// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "core/compare/compare_runs.h"
#include "core/report/reports.h"
#include "python/native/filled.h"
#include "python/native/loaded_run.h"

namespace rankscope::python {

/// Two sides compared, for Python. It keeps their runs, also if these are closed.
class Comparison {
  public:
    /// `a` and `b` are recordings of the baseline and of what is compared with it; neither is empty. `matters` is the
    /// smallest share of A's step that matters.
    Comparison(const std::vector<std::shared_ptr<LoadedRun>>& a, const std::vector<std::shared_ptr<LoadedRun>>& b,
               double matters);

    /// Returns a text about both runs that are shown and their comparison.
    [[nodiscard]] std::string textOf(const std::function<std::string(const ReportInput& input)>& make) const;
    /// A list of (name, table).
    [[nodiscard]] pybind11::list tables() const;

    /// Adds the class to the module.
    static void addTo(pybind11::module_& module);

  private:
    using Side = std::vector<std::shared_ptr<const AnalysedRun>>;
    [[nodiscard]] static const AnalysedRun& shownOf(const Side& side, const ComparedSide& compared);

    Side a_;
    Side b_;
    RunComparison comparison_;
};

}  // namespace rankscope::python
