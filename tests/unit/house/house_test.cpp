// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the house, held against the source as it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/unit/house/rules.h"
#include "tests/unit/house/source_tree.h"

namespace rankscope::test {
namespace {

class House : public ::testing::Test {
  protected:
    template <typename Rule>
    void expectNoViolation(const Rule& rule) const {
        for (const SourceFile& file : files) {
            for (const std::string& violation : rule(file)) {
                ADD_FAILURE() << violation;
            }
        }
    }

    [[nodiscard]] bool has(std::string_view path) const {
        return std::any_of(files.begin(), files.end(), [&](const SourceFile& file) { return file.path == path; });
    }

    std::vector<SourceFile> files = readSourceTree(RANKSCOPE_SOURCE_DIR);
};

TEST_F(House, TheWholeSourceIsLookedAt) {
    for (const std::string_view path : {"dev", ".ci/run", "CMakeLists.txt", "core/base/time.h", "cmake/options.cmake",
                                        "ui/theme/theme.h", "tests/unit/house/rules.cpp"}) {
        EXPECT_TRUE(has(path)) << path;
    }
}

TEST_F(House, IncludesNeverRunAgainstTheArrows) {
    expectNoViolation([](const SourceFile& file) { return includesAgainstTheArrows(file, arrows()); });
}

TEST_F(House, TheCoreAndTheHeadlessProgramKnowNoQt) {
    expectNoViolation(qtWhereNoneMayBe);
}

TEST_F(House, EachFileOfCodeNamesItsLicence) {
    expectNoViolation(missingLicence);
}

TEST_F(House, EachHeaderIsReadOnce) {
    expectNoViolation(missingPragmaOnce);
}

TEST_F(House, NoFileNamesAPathOfOneMachine) {
    expectNoViolation(machinePaths);
}

TEST_F(House, NoFileIsLongerThanAReaderCanHold) {
    expectNoViolation([](const SourceFile& file) { return tooLong(file, 700); });
    for (const SourceFile& file : files) {
        for (const std::string& long_file : tooLong(file, 400)) {
            std::cout << "[  LONG    ] " << long_file << '\n';
        }
    }
}

}  // namespace
}  // namespace rankscope::test
