// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tables/table.h"

namespace rankscope::query {

/// What SQLite says of a question, in words that name what was probably meant: "no column dur; did you mean dur_ns?".
[[nodiscard]] std::string complaintOf(std::string_view said, std::string_view sql,
                                      const std::vector<tables::Table>& tables);

}  // namespace rankscope::query
