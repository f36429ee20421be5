// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/tables/data_table.h"
#include "core/tables/table.h"

// Cells of answers: from tables of reports, and as text for programs.
namespace rankscope::query {

/// The type of a column in this unit.
[[nodiscard]] tables::Type typeOf(report::Unit unit);
/// The value of a cell; a flag is 1 or 0. A text is not copied, and must live as long as the value.
[[nodiscard]] tables::Value valueOf(const report::Cell& cell);

/// A number without rounding, a text as it is; empty for null.
[[nodiscard]] std::string plainText(const tables::Value& value);
/// The same as a field of CSV: report::csvField() of texts.
[[nodiscard]] std::string csvField(const tables::Value& value);

}  // namespace rankscope::query
