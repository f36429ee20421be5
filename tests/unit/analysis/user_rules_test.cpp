// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/analysis/device/name_rules.h"
#include "tests/support/temp_files.h"

namespace rankscope::test {
namespace {

/// Sets a variable for one test.
class Variable {
  public:
    Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
    ~Variable() { unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    Variable(Variable&&) = delete;
    Variable& operator=(Variable&&) = delete;

  private:
    const char* name_;
};

constexpr auto kOwn = R"({"rules": [{"pattern": "^my_ring_exchange", "communication": true, "note": "ours"},
                                    {"pattern": "ncclDevKernel_Fake", "communication": false}]})";

TEST(UserRules, StandBeforeTheBuiltInOnes) {
    const TempFolder folder;
    const Variable named("RANKSCOPE_NAME_RULES", folder.write("rules.json", kOwn));
    const Result<NameRules> rules = NameRules::forUser();
    ASSERT_TRUE(rules.ok());
    EXPECT_TRUE(rules.value().isCommunication("my_ring_exchange<float>"));
    EXPECT_FALSE(rules.value().isCommunication("ncclDevKernel_Fake"));
    EXPECT_TRUE(rules.value().isCommunication("ncclDevKernel_Generic"));
}

TEST(UserRules, AreFoundInTheUsersConfiguration) {
    const TempFolder folder;
    folder.write("rankscope/name_rules.json", kOwn);
    const Variable config("XDG_CONFIG_HOME", folder.path().string());
    EXPECT_TRUE(NameRules::forUser().value().isCommunication("my_ring_exchange"));
}

TEST(UserRules, WithoutAFileTheBuiltInOnesHold) {
    const TempFolder folder;
    const Variable config("XDG_CONFIG_HOME", folder.path().string());
    const Result<NameRules> rules = NameRules::forUser();
    ASSERT_TRUE(rules.ok());
    EXPECT_EQ(rules.value().rules().size(), NameRules::builtIn().rules().size());
}

TEST(UserRules, ABrokenOrMissingFileIsNamed) {
    const TempFolder folder;
    const std::string broken = folder.write("broken.json", "{\"rules\": [{\"pattern\": \"(\"}]}");
    for (const std::string& path : {broken, (folder.path() / "none.json").string()}) {
        const Variable named("RANKSCOPE_NAME_RULES", path);
        const Result<NameRules> rules = NameRules::forUser();
        ASSERT_TRUE(rules.failed());
        EXPECT_NE(rules.error().text().find(path), std::string::npos);
    }
}

TEST(UserRules, AFolderInPlaceOfAFileIsNamed) {
    const TempFolder folder;
    const Variable named("RANKSCOPE_NAME_RULES", folder.path().string());
    const Result<NameRules> rules = NameRules::forUser();
    ASSERT_TRUE(rules.failed());
    EXPECT_NE(rules.error().text().find(folder.path().string()), std::string::npos);
}

std::string tableOf(const std::string& pattern) {
    return R"({"rules": [{"pattern": ")" + pattern + R"("}]})";
}

TEST(UserRules, ThatTryEveryWayToMatchTakeLinearTime) {
    // With backtracking each of these takes longer than anybody waits.
    const std::string name(NameRules::kNameRead, 'a');
    for (const char* pattern : {"(.+)+~", "(a*)*b", "(a|aa)+$b", "(.*)(.*)(.*)(.*)(.*)~"}) {
        const Result<NameRules> rules = NameRules::fromJson(tableOf(pattern), "rules.json");
        ASSERT_TRUE(rules.ok()) << pattern;
        EXPECT_FALSE(rules.value().isCommunication(name)) << pattern;
    }
}

TEST(UserRules, OfSizesThatCannotBeMatchedAreRefused) {
    const std::string deep = std::string(200'000, '(') + "a" + std::string(200'000, ')');
    const std::string nested = std::string(1000, '(') + "a" + std::string(1000, ')');
    const std::string repeated = "((a{1000}){1000}){1000}";
    for (const std::string& pattern : {deep, nested, repeated, std::string(5000, 'a')}) {
        const Result<NameRules> rules = NameRules::fromJson(tableOf(pattern), "rules.json");
        ASSERT_TRUE(rules.failed()) << pattern.substr(0, 40);
        EXPECT_LT(rules.error().text().size(), 300U) << "an error is one line";
    }
}

TEST(UserRules, FindTheirPatternAnywhereButWhereItIsAnchored) {
    const NameRules rules = NameRules::fromJson(tableOf("(^void |::)ring[0-9]+"), "rules.json").value();
    EXPECT_TRUE(rules.isCommunication("void ring2<float>"));
    EXPECT_TRUE(rules.isCommunication("__global__ ours::ring17"));
    EXPECT_FALSE(rules.isCommunication("avoid ring2"));
    EXPECT_FALSE(rules.isCommunication("ring2"));
}

}  // namespace
}  // namespace rankscope::test
