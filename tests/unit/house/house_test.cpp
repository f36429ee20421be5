// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the house, held against the source as it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/support/places.h"
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

    [[nodiscard]] std::vector<std::string> linesOf(std::string_view path) const {
        const auto at = std::ranges::find(files, path, &SourceFile::path);
        return at == files.end() ? std::vector<std::string>{} : at->lines;
    }

    [[nodiscard]] bool has(std::string_view path) const {
        return std::any_of(files.begin(), files.end(), [&](const SourceFile& file) { return file.path == path; });
    }

    std::vector<SourceFile> files = readSourceTree(sourceFolder());
};

TEST_F(House, TheWholeSourceIsLookedAt) {
    for (const std::string_view path : {"dev", ".ci/run", "CMakeLists.txt", "core/base/time.h", "cmake/options.cmake",
                                        "ui/theme/theme.h", "tests/unit/house/rules.cpp"}) {
        EXPECT_TRUE(has(path)) << path;
    }
}

TEST_F(House, IncludesNeverRunAgainstTheArrows) {
    const std::vector<Arrow> arrows = readArrows(linesOf("cmake/arrows.txt"));
    ASSERT_GT(arrows.size(), 10U);
    expectNoViolation([&](const SourceFile& file) { return includesAgainstTheArrows(file, arrows); });
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

TEST_F(House, NoTextOfATraceIsTakenForHtml) {
    expectNoViolation(richTextByAccident);
}

TEST_F(House, LongFilesAreNamedForThoseWhoReadThem) {
    // A warning only: a file that is one thing, whole, may be longer than others.
    for (const SourceFile& file : files) {
        for (const std::string& long_file : tooLong(file, 700)) {
            std::cout << "[  LONG    ] " << long_file << '\n';
        }
    }
}

}  // namespace
}  // namespace rankscope::test
