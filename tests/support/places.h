// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace rankscope::test {

/// The root of the checkout that the tests were built from.
[[nodiscard]] std::filesystem::path sourceFolder();
/// The bundled run of that name: `sample("ZeroWorkers")`. Without a name: the folder of all of them.
[[nodiscard]] std::filesystem::path sample(const std::string& name = "");

}  // namespace rankscope::test
