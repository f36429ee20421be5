// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace rankscope {

/// Version of the report's form: resources/report.schema.json. Grows when a field changes its name or its type.
inline constexpr int kReportSchema = 4;
/// Version of what the numbers mean: docs/definitions.md. Grows when a formula changes, since numbers of two versions
/// must not be compared.
inline constexpr int kDefinitions = 8;

/// The version of this program, e.g. "0.1.0".
[[nodiscard]] std::string_view toolVersion();

}  // namespace rankscope
