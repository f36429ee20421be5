// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace rankscope {

/// Version of the report's format: resources/report.schema.json. Increases when a field changes its name or its type.
inline constexpr int kReportSchema = 6;
/// Version of the definitions of the numbers: docs/definitions. Increases when a formula changes, since numbers of two
/// versions must not be compared.
inline constexpr int kDefinitions = 11;

/// The version of this program, e.g. "1.0.0". CMakeLists.txt declares it.
[[nodiscard]] std::string_view toolVersion();
/// All three versions, for people: "1.0.0 (report schema 4, definitions 8)".
[[nodiscard]] std::string versionsText();

}  // namespace rankscope
