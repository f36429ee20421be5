// SPDX-License-Identifier: GPL-3.0-or-later
// The checkers themselves: each finds what was planted, and leaves the rest alone.
#include "tests/unit/house/rules.h"
#include "tests/support/testing.h"

#include <stdexcept>

namespace rankscope::test {
namespace {

using ::testing::SizeIs;

Violations check(const std::string& path, const std::vector<std::string>& lines) {
    static const std::vector<Arrow> arrows =
        readArrows({"# a comment", "", "core/base:", "core/trace: core/base", "core/ingest: core/trace",
                    "core/lod: core/trace", "core/diagnosis: core/trace", "core/report: core/diagnosis",
                    "ui/commands:", "ui/theme:", "ui/timeline: ui/theme", "ui/panels: ui/timeline",
                    "ui/compare: ui/timeline", "ui/window: ui/panels ui/compare ui/commands"});
    return includesAgainstTheArrows({path, lines}, arrows);
}

TEST(IncludeArrows, AnIncludeOfAHigherFolderIsFoundWithItsLine) {
    EXPECT_THAT(
        check("core/trace/track.cpp", {"// x", "#include \"core/diagnosis/frame/finding.h\""}),
        ElementsAre(HasSubstr("core/trace/track.cpp:2: core/trace may not include core/diagnosis/frame/finding.h")));
}

TEST(IncludeArrows, AngleBracketsAndSpacesDoNotHideAnInclude) {
    EXPECT_THAT(check("core/base/time.h", {" #  include <core/trace/track.h>"}), SizeIs(1));
}

TEST(IncludeArrows, AnIncludeOfALowerFolderIsFree) {
    EXPECT_THAT(
        check("core/diagnosis/frame/rule.cpp", {"#include \"core/base/time.h\"", "#include \"core/trace/track.h\"",
                                                "#include \"resources/advice.h\"", "#include <vector>"}),
        IsEmpty());
}

TEST(IncludeArrows, AFolderMayIncludeItself) {
    EXPECT_THAT(check("core/base/time.cpp", {"#include \"core/base/time.h\""}), IsEmpty());
}

TEST(IncludeArrows, NeighboursThatStandBesideEachOtherDoNotMix) {
    EXPECT_THAT(check("core/ingest/load.cpp", {"#include \"core/lod/index.h\""}), SizeIs(1));
    EXPECT_THAT(check("ui/panels/steps/a.cpp", {"#include \"ui/compare/pair.h\""}), SizeIs(1));
    EXPECT_THAT(check("ui/commands/registry.cpp", {"#include \"ui/theme/theme.h\""}), SizeIs(1));
}

TEST(IncludeArrows, ThePartsOfTheWindowDoNotKnowTheWindow) {
    for (const char* path : {"ui/timeline/a.cpp", "ui/panels/steps/a.cpp", "ui/compare/a.cpp", "ui/commands/a.cpp"}) {
        EXPECT_THAT(check(path, {"#include \"ui/window/main_window.h\""}), SizeIs(1)) << path;
    }
    EXPECT_THAT(check("ui/window/main_window.cpp", {"#include \"ui/panels/steps/a.h\""}), IsEmpty());
}

TEST(IncludeArrows, TheCoreNeverLooksUp) {
    EXPECT_THAT(check("core/report/json.cpp", {"#include \"ui/theme/theme.h\"", "#include \"app/cli/options.h\""}),
                SizeIs(2));
}

TEST(IncludeArrows, ANameThatOnlyBeginsLikeAnAllowedFolderIsNotAllowed) {
    EXPECT_THAT(check("core/trace/a.cpp", {"#include \"core/base_extra/a.h\""}), SizeIs(1));
}

TEST(IncludeArrows, AHeaderThatIsNotNamedFromTheRootIsFound) {
    EXPECT_THAT(check("ui/timeline/a.cpp", {"#include \"selection.h\"", "#include \"../theme/theme.h\""}), SizeIs(2));
    EXPECT_THAT(check("ui/timeline/a.cpp", {"#include \"a.moc\""}), IsEmpty());
}

TEST(IncludeArrows, ANewFolderWithoutAnArrowIsFound) {
    EXPECT_THAT(check("core/new_part/a.cpp", {}), ElementsAre(HasSubstr("no arrow")));
    EXPECT_THAT(check("python/native/a.cpp", {}), ElementsAre(HasSubstr("no arrow")));
    EXPECT_THAT(check("app/other.cpp", {}), SizeIs(1));
    EXPECT_THAT(check("tests/unit/base/a.cpp", {"#include \"core/report/json.h\""}), IsEmpty());
}

TEST(IncludeArrows, AddUp) {
    const std::vector<Arrow> arrows = readArrows({"core/a:", "core/b: core/a", "core/c: core/b"});
    ASSERT_THAT(arrows, SizeIs(3));
    EXPECT_THAT(arrows[2].may_include, ElementsAre("core/a", "core/b"));
}

TEST(IncludeArrows, ThatRunInACircleAreRefused) {
    EXPECT_THROW(readArrows({"core/a: core/b", "core/b: core/a"}), std::invalid_argument);
}

TEST(QtFreeCore, IncludesOfQtInAnyFormAreFound) {
    for (const char* include : {"<QString>", "<QtCore/QString>", "<QtWidgets>", "<qglobal.h>", "<Qt6/QtCore>"}) {
        EXPECT_THAT(qtWhereNoneMayBe({"core/base/a.h", {std::string("#include ") + include}}), SizeIs(1)) << include;
    }
    EXPECT_THAT(qtWhereNoneMayBe({"app/rankscope_cli.cpp", {"#include <QApplication>"}}), SizeIs(1));
    EXPECT_THAT(qtWhereNoneMayBe({"app/cli/a.cpp", {"#include \"ui/theme/theme.h\""}}), SizeIs(1));
    EXPECT_THAT(qtWhereNoneMayBe({"python/native/a.cpp", {"#include <QString>"}}), SizeIs(1));
}

TEST(QtFreeCore, OtherIncludesAndOtherFoldersAreFree) {
    EXPECT_THAT(qtWhereNoneMayBe({"core/base/a.h", {"#include <queue>", "// #include QString"}}), IsEmpty());
    EXPECT_THAT(qtWhereNoneMayBe({"ui/theme/a.h", {"#include <QString>"}}), IsEmpty());
}

TEST(Licence, AFileWithoutItsLineIsFound) {
    EXPECT_THAT(missingLicence({"core/base/a.h", {"#pragma once"}}), SizeIs(1));
    EXPECT_THAT(missingLicence({"core/base/a.h", {}}), SizeIs(1));
    EXPECT_THAT(missingLicence({"dev", {"#!/usr/bin/env bash", "set -e"}}), SizeIs(1));
    EXPECT_THAT(missingLicence({"ui/CMakeLists.txt", {""}}), SizeIs(1));
}

TEST(Licence, TheLineMayFollowTheInterpreter) {
    const std::string line = "SPDX-License-Identifier: GPL-3.0-or-later";
    EXPECT_THAT(missingLicence({"core/base/a.h", {"// " + line}}), IsEmpty());
    EXPECT_THAT(missingLicence({"dev", {"#!/usr/bin/env bash", "# " + line}}), IsEmpty());
    EXPECT_THAT(missingLicence({"resources/a.json", {"{}"}}), IsEmpty());
}

TEST(PragmaOnce, AHeaderWithoutItIsFound) {
    EXPECT_THAT(missingPragmaOnce({"core/base/a.h", {"struct A;"}}), SizeIs(1));
    EXPECT_THAT(missingPragmaOnce({"core/base/a.h", {"", "#pragma once"}}), IsEmpty());
    EXPECT_THAT(missingPragmaOnce({"core/base/a.cpp", {"struct A;"}}), IsEmpty());
}

TEST(MachinePaths, AHomeOrAWorkFolderIsFound) {
    const std::string slash = "/";
    EXPECT_THAT(machinePaths({"a.cpp", {"", "open(\"" + slash + "home" + slash + "me/x\")"}}),
                ElementsAre(HasSubstr("a.cpp:2")));
    EXPECT_THAT(machinePaths({"a.cpp", {slash + "work" + slash + "main"}}), SizeIs(1));
}

TEST(MachinePaths, WordsThatContainTheNamesAreFree) {
    EXPECT_THAT(machinePaths({"a.cpp", {"// home/work/root", "https://example.org/homepage/a", "a/work/b"}}),
                IsEmpty());
}

TEST(RichText, ATooltipOrALabelThatGuessesWhatItShowsIsFound) {
    for (const char* line :
         {"row->setToolTip(name);", "row->setToolTip(tr(\"%1\").arg(name));", "QToolTip::showText(at, name, this);",
          "case Qt::ToolTipRole: return name;", "box->setItemData(0, name, Qt::ToolTipRole);",
          "auto* about = new QLabel(name);", "QMessageBox::warning(this, title, name);"}) {
        EXPECT_THAT(richTextByAccident({"ui/panels/a.cpp", {"", line, ""}}), ElementsAre(HasSubstr("a.cpp:2"))) << line;
    }
}

TEST(RichText, PlainTextsAndOtherFoldersAreFree) {
    for (const char* line : {"row->setToolTip(plainTip(name));", "copy->setToolTip(tr(\"Copy\"));",
                             "case Qt::ToolTipRole: return plainTip(name);", "auto* about = plainLabel(name);"}) {
        EXPECT_THAT(richTextByAccident({"ui/panels/a.cpp", {line}}), IsEmpty()) << line;
    }
    EXPECT_THAT(richTextByAccident({"tests/ui/a.cpp", {"row->setToolTip(name);"}}), IsEmpty());
}

TEST(FileLength, OnlyCodeOverTheLimitIsFound) {
    const std::vector<std::string> lines(11, "x");
    EXPECT_THAT(tooLong({"a.cpp", lines}, 10), ElementsAre("a.cpp: 11 lines, over 10"));
    EXPECT_THAT(tooLong({"a.cpp", lines}, 11), IsEmpty());
    EXPECT_THAT(tooLong({"a.json", lines}, 10), IsEmpty());
}

}  // namespace
}  // namespace rankscope::test
