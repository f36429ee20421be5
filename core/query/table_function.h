// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/query/sqlite_side.h"
#include "core/tables/slice_places.h"
#include "core/whatif/what_if_run.h"

namespace rankscope::query {

/// What functions look into: the runs, and their table `slice`.
class FunctionContext {
  public:
    /// `runs` and `slices` must outlive it.
    FunctionContext(const tables::Runs& runs, AskedTable& slices) : runs_(&runs), slices_(&slices) {}

    /// The rows of `slice`, created at the first call: O(slices).
    [[nodiscard]] const tables::Rows& slices() const { return slices_->rows(); }
    /// Where the slices are, created at the first call: O(tracks).
    [[nodiscard]] const tables::SlicePlaces& places() const;
    [[nodiscard]] const tables::Runs& runs() const { return *runs_; }
    /// A run prepared for forecasts, at the first call for it. Fails as WhatIfRun::prepare().
    [[nodiscard]] Result<std::shared_ptr<const WhatIfRun>> whatIf(std::size_t run) const;

  private:
    const tables::Runs* runs_;
    AskedTable* slices_;
    mutable std::optional<tables::SlicePlaces> places_;
    mutable std::map<std::size_t, std::shared_ptr<const WhatIfRun>> what_if_;
};

/// A function that returns rows: SELECT ... FROM descendants(5).
struct TableFunction {
    FunctionWords words;
    std::vector<tables::Column> arguments;  ///< all are needed
    std::vector<tables::Column> columns;
    /// The rows for these arguments, which are not null. Fails with the cause.
    std::function<Result<std::unique_ptr<tables::Rows>>(const FunctionContext& context,
                                                        std::span<const tables::Value> arguments)>
        call;
};

/// descendants(slice), ancestors(slice) and in_step(n), with the columns of `slice`.
[[nodiscard]] std::vector<TableFunction> sliceFunctions();
/// intersect_spans(a, b) and except_spans(a, b).
[[nodiscard]] std::vector<TableFunction> spanFunctions();
/// what_if(changes), a forecast per run.
[[nodiscard]] TableFunction whatIfFunction();
/// args(slice), which reads the file of the slice.
[[nodiscard]] TableFunction argsFunction();
/// All of them.
[[nodiscard]] const std::vector<TableFunction>& tableFunctions();

/// Registers a function under its name. Both must outlive the connection. Returns an SQLite error code, or SQLITE_OK.
[[nodiscard]] int addTableFunction(sqlite3* database, const TableFunction& function, const FunctionContext& context);

}  // namespace rankscope::query
