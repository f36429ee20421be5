// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of findings in another language.
#include "core/diagnosis/frame/wording.h"

#include "core/diagnosis/frame/finding.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

TEST(Wording, HasEachTextTranslatedByItsKey) {
    std::set<std::string> keys;
    const auto wording = Wording::translated(
        [&keys](const std::string& text, const std::string& key) {
            keys.insert(key);
            return "[" + text + "]";
        },
        {});
    for (const char* key :
         {"dataloader-stall.title", "dataloader-stall.pattern", "dataloader-stall.action", "dataloader-stall.detail",
          "dataloader-stall.brief", "dataloader-stall.record", "dataloader-stall.why", "common.summary"}) {
        EXPECT_TRUE(keys.contains(key)) << key;
    }
    const auto english = Wording::builtIn();
    EXPECT_EQ(wording->advice.title(FindingId::DataloaderStall),
              "[" + english->advice.title(FindingId::DataloaderStall) + "]");
    EXPECT_EQ(wording->advice.everyRemedy(FindingId::HostSync).size(),
              english->advice.everyRemedy(FindingId::HostSync).size());
    EXPECT_EQ(wording->sentences.fill("common.summary", {{"saving", "1 ms"}, {"step", "9 ms"}}),
              "[" + english->sentences.fill("common.summary", {{"saving", "1 ms"}, {"step", "9 ms"}}) + "]");
}

TEST(Wording, StaysEnglishWhereATranslationCouldNotBeFilled) {
    const auto english = Wording::builtIn();
    const std::string expected = english->sentences.fill("common.summary", {{"saving", "1 ms"}, {"step", "9 ms"}});
    for (const std::string wrong : {"{saving} only", "{saving} {step} {more}", "{saving} {step", "{saving} {step:d}"}) {
        const auto translate = [&wrong](const std::string& text, const std::string& key) {
            return key == "common.summary" ? wrong : text;
        };
        const auto wording = Wording::translated(translate, {});
        EXPECT_EQ(wording->sentences.fill("common.summary", {{"saving", "1 ms"}, {"step", "9 ms"}}), expected) << wrong;
    }
}

TEST(Wording, MayPutValuesInAnotherOrder) {
    const auto wording = Wording::translated(
        [](const std::string& text, const std::string& key) {
            return key == "common.summary" ? std::string("Von {step} kostet es {saving}.") : text;
        },
        {});
    EXPECT_EQ(wording->sentences.fill("common.summary", {{"saving", "1 ms"}, {"step", "9 ms"}}),
              "Von 9 ms kostet es 1 ms.");
}

TEST(Wording, TellsValuesToo) {
    const auto same = [](const std::string& text, const std::string& /*key*/) { return text; };
    const auto wording = Wording::translated(
        same, [](const std::string& value) { return value == "9 steps" ? std::string("9 Schritte") : value; });
    EXPECT_EQ(wording->sentences.fill("common.seen", {{"seen", "4"}, {"steps", "9 steps"}}),
              "Seen in 4 of 9 Schritte.");
}

}  // namespace
}  // namespace rankscope
