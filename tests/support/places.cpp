// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/places.h"

namespace rankscope::test {

std::filesystem::path sourceFolder() {
    return RANKSCOPE_SOURCE_DIR;
}

std::filesystem::path sample(const std::string& name) {
    const std::filesystem::path samples = sourceFolder() / "resources" / "samples";
    return name.empty() ? samples : samples / name;
}

}  // namespace rankscope::test
