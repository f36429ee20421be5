// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/analysis/name_rules.h"
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

}  // namespace
}  // namespace rankscope::test
