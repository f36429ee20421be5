// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/report/check/check_lists.h"

namespace rankscope::test {

/// The line of that key, of all lists; fails the test where there is none.
[[nodiscard]] inline report::ListLine listLineOf(const std::vector<report::CheckList>& lists, const std::string& key) {
    for (const report::CheckList& list : lists) {
        const auto at = std::ranges::find(list.lines, key, &report::ListLine::key);
        if (at != list.lines.end()) {
            return *at;
        }
    }
    ADD_FAILURE() << "no question " << key;
    return {};
}

}  // namespace rankscope::test
