// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages say of the changes is what the program says of them.
#include "tests/support/places.h"
#include "tests/support/testing.h"
#include "tests/unit/whatif/prepared.h"

namespace rankscope::test {
namespace {

std::string pageText(const char* name) {
    std::ifstream file(sourceFolder() / "docs" / name);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string orDash(std::string_view text) {
    return std::string(text.empty() ? "-" : text);
}

TEST(WhatIfPages, ListEachChangeWithItsMeaning) {
    std::string table = "-->\n\n| change | meaning |\n|---|---|\n";
    for (const WhatIfKind& kind : whatIfKinds()) {
        table += "| `" + std::string(kind.form) + "` | " + kind.described() + " |\n";
    }
    EXPECT_THAT(pageText("what-if.md"), HasSubstr(table + "\n<!--")) << "the right table:\n" << table;
}

TEST(WhatIfPages, ListWhatEachChangeAssumesAndLeavesOut) {
    std::string table = "-->\n\n| change | assumes | leaves out |\n|---|---|---|\n";
    for (const WhatIfKind& kind : whatIfKinds()) {
        table += "| `" + std::string(kind.form) + "` | " + std::string(kind.assumes) + " | " + orDash(kind.leaves_out) +
                 " |\n";
    }
    EXPECT_THAT(pageText("definitions/what-if.md"), HasSubstr(table + "\n<!--")) << "the right table:\n" << table;
}

}  // namespace
}  // namespace rankscope::test
