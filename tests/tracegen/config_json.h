// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "tests/tracegen/config.h"

namespace rankscope::tracegen {

/// The configuration as JSON; every key may be missing and then keeps its default. Times in it are milliseconds where
/// the key ends in `_ms`. Throws std::invalid_argument for a key, vendor, dialect or fault that it does not know.
[[nodiscard]] Config configFromJson(const nlohmann::json& json);
[[nodiscard]] nlohmann::json toJson(const Config& config);

[[nodiscard]] Vendor vendorFromName(std::string_view name);
[[nodiscard]] Dialect dialectFromName(std::string_view name);
[[nodiscard]] TimeGrid timeGridFromName(std::string_view name);

}  // namespace rankscope::tracegen
