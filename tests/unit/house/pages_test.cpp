// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/house/pages.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

bool nothingButGuide(const std::string& path) {
    return path == "docs/guide.md" || path == "docs/" || path == "README.md";
}

TEST(Pages, AnchorsAreThoseOfGitHub) {
    const SourceFile page{"docs/guide.md",
                          {"# What `idle_ns` is", "text", "## DDP's messages, and more", "```", "# code", "```",
                           "## Late ranks", "### Late ranks"}};
    EXPECT_THAT(anchorsOf(page),
                ElementsAre("what-idle_ns-is", "ddps-messages-and-more", "late-ranks", "late-ranks-1"));
}

TEST(Pages, LinksToFilesAndHeadingsThatAreThereAreRight) {
    const std::vector<SourceFile> pages{
        {"docs/guide.md", {"# Steps", "[here](#steps) [there](../README.md#what) [far](https://example.org/x.md#y)"}},
        {"README.md", {"# What", "[guide](docs/guide.md#steps)", "```", "[code](none.md)", "```", "[folder](docs/)"}}};
    for (const SourceFile& page : pages) {
        EXPECT_THAT(brokenLinks(page, pages, nothingButGuide), IsEmpty());
    }
}

TEST(Pages, LinksToNothingAreNamedWithTheirLine) {
    const std::vector<SourceFile> pages{
        {"docs/guide.md", {"# Steps", "[a](gone.md)", "[b](#stops), [c](../README.md#w)"}}, {"README.md", {"# What"}}};
    EXPECT_THAT(
        brokenLinks(pages.front(), pages, nothingButGuide),
        ElementsAre("docs/guide.md:2: leads to no file: gone.md", "docs/guide.md:3: leads to no heading: #stops",
                    "docs/guide.md:3: leads to no heading: ../README.md#w"));
}

TEST(Pages, PathsInBackticksAreThere) {
    const SourceFile page{"docs/guide.md",
                          {"`docs/guide.md` and `core/gone.h`, `./dev test x/y`, `a` and core/gone.h"}};
    EXPECT_THAT(missingPaths(page, nothingButGuide), ElementsAre("docs/guide.md:1: is not there: core/gone.h"));
}

TEST(Pages, CommandsAreThoseOfTheUsage) {
    const SourceFile dev{
        "dev",
        {"usage: ./dev COMMAND", "  test [SUITE...]   all tests", "  test --asan [--core]", "END", "  gone --away"}};
    const SourceFile page{
        "README.md",
        {"`./dev test --asan --core` and `./dev test ingest`", "```", "./dev gone", "```", "`./dev test --away`"}};
    EXPECT_THAT(unknownCommands(page, dev),
                ElementsAre("README.md:3: is no command: ./dev gone", "README.md:5: is no command: ./dev test --away"));
}

TEST(Pages, AnIndexHasALinkToEachPageOfItsFolder) {
    const SourceFile index{"docs/README.md", {"[a](guide.md)"}};
    const std::vector<SourceFile> pages{index, {"docs/guide.md", {}}, {"docs/other.md", {}}, {"README.md", {}}};
    EXPECT_THAT(pagesNotIn(index, pages), ElementsAre("docs/README.md: has no link to docs/other.md"));
}

TEST(Pages, AnIndexListsEachFieldThatItsPagesDefine) {
    const SourceFile index{"docs/README.md", {"[`idle_ns`](guide.md)"}};
    const SourceFile schema{"schema.json", {R"("idle_ns": {"type": "integer"}, "late_ns": {}, "value": {})"}};
    const std::vector<SourceFile> pages{index, {"docs/guide.md", {"`idle_ns` `name_rules`", "`late_ns` `value`"}}};
    EXPECT_THAT(fieldsNotIn(index, pages, schema),
                ElementsAre("docs/guide.md:2: docs/README.md does not list late_ns"));
}

}  // namespace
}  // namespace rankscope::test
