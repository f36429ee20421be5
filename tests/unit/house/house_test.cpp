// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the house, held against the source as it is.

#include <iostream>
#include <regex>

#include "tests/support/places.h"
#include "tests/support/testing.h"
#include "tests/unit/house/pages.h"
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

    [[nodiscard]] SourceFile fileAt(std::string_view path) const {
        const auto at = std::ranges::find(files, path, &SourceFile::path);
        return at == files.end() ? SourceFile{std::string(path), {}} : *at;
    }

    [[nodiscard]] std::vector<std::string> linesOf(std::string_view path) const { return fileAt(path).lines; }

    /// What the first group of `pattern` is where a line of the file first has it; empty where none has.
    [[nodiscard]] std::string firstIn(std::string_view path, const char* pattern) const {
        const std::regex wanted(pattern);
        for (const std::string& line : linesOf(path)) {
            std::smatch match;
            if (std::regex_search(line, match, wanted)) {
                return match[1].str();
            }
        }
        return {};
    }

    [[nodiscard]] bool has(std::string_view path) const {
        return std::any_of(files.begin(), files.end(), [&](const SourceFile& file) { return file.path == path; });
    }

    static bool isThere(const std::string& path) { return std::filesystem::exists(sourceFolder() / path); }

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

TEST_F(House, EachLinkOfAPageLeadsSomewhere) {
    expectNoViolation([&](const SourceFile& file) {
        return file.path.ends_with(".md") ? brokenLinks(file, files, isThere) : Violations{};
    });
}

TEST_F(House, EachPathInThePagesForMaintainersIsThere) {
    const auto is_there_once_built = [](const std::string& path) {
        return isThere(path) || path.starts_with("build/") || path.starts_with("../shared/");
    };
    for (const char* const path : {"docs/architecture.md", "CONTRIBUTING.md", "README.md"}) {
        const SourceFile page = fileAt(path);
        ASSERT_FALSE(page.lines.empty()) << path;
        EXPECT_EQ(missingPaths(page, is_there_once_built), Violations());
    }
}

TEST_F(House, EachCommandInAPageIsOneOfDev) {
    const SourceFile dev = fileAt("dev");
    ASSERT_FALSE(dev.lines.empty());
    expectNoViolation(
        [&](const SourceFile& file) { return file.path.ends_with(".md") ? unknownCommands(file, dev) : Violations{}; });
}

TEST_F(House, TheIndexOfTheDefinitionsHasAllPagesAndFields) {
    const SourceFile index = fileAt("docs/definitions/README.md");
    const SourceFile schema = fileAt("resources/report.schema.json");
    ASSERT_FALSE(index.lines.empty());
    ASSERT_FALSE(schema.lines.empty());
    EXPECT_EQ(pagesNotIn(index, files), Violations());
    EXPECT_EQ(fieldsNotIn(index, files, schema), Violations());
}

TEST_F(House, TheVersionIsTheSameEverywhere) {
    const std::string version = firstIn("CMakeLists.txt", R"(^project\(rankscope VERSION ([0-9.]+) )");
    ASSERT_FALSE(version.empty());
    EXPECT_EQ(firstIn("CHANGELOG.md", "^## ([0-9.]+) - [0-9]{4}-[0-9]{2}-[0-9]{2}$"), version);
    const char* const metainfo = "packaging/org.rankscope.Rankscope.metainfo.xml";
    EXPECT_EQ(firstIn(metainfo, "<release version=\"([0-9.]+)\""), version);
    EXPECT_EQ(firstIn(metainfo, "<release .* date=\"([0-9-]+)\""), firstIn("CHANGELOG.md", "^## [0-9.]+ - ([0-9-]+)$"));
}

TEST_F(House, TheVersionsOfSchemaAndDefinitionsAreTheSameEverywhere) {
    const std::string schema = firstIn("core/report/version.h", R"(kReportSchema = ([0-9]+);)");
    const std::string definitions = firstIn("core/report/version.h", R"(kDefinitions = ([0-9]+);)");
    ASSERT_FALSE(schema.empty() || definitions.empty());
    EXPECT_EQ(firstIn("resources/report.schema.json", R"re("schema": \{"const": ([0-9]+))re"), schema);
    EXPECT_EQ(firstIn("resources/report.schema.json", R"re("definitions": \{"const": ([0-9]+))re"), definitions);
    EXPECT_EQ(firstIn("docs/definitions/README.md", R"(^Version ([0-9]+)\.)"), definitions);
    EXPECT_EQ(firstIn("CHANGELOG.md", R"(^Report schema ([0-9]+),)"), schema);
    EXPECT_EQ(firstIn("CHANGELOG.md", R"(^Report schema [0-9]+, definitions ([0-9]+)\.)"), definitions);
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
