// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/name_rules.h"
#include "core/analysis/device/name_rules_file.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

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

TEST(UserRules, AreAskedInTheirOrderAlsoIfAllTogetherAreTooLargeForOneAutomaton) {
    std::string rules;
    for (int i = 0; i < 40; ++i) {
        rules +=
            R"({"pattern": "large)" + std::to_string(i) + R"([a-z]{0,900}[0-9]{0,900}$", "communication": false},)";
    }
    const NameRules joined =
        NameRules::fromJson(R"({"rules": [)" + rules + R"({"pattern": "ring", "waits": true}, {"pattern": "ring2"}]})",
                            "rules.json")
            .value();
    const NameRules::Rule* const first = joined.ruleOf("void ring2");
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->pattern, "ring");
    EXPECT_FALSE(joined.isCommunication("large7ring2"));
    EXPECT_EQ(joined.ruleOf("gemm"), nullptr);
}

TEST(UserRules, NameTheLineAndTheByteOfWhatIsWrong) {
    const std::string head = "{\"about\": [{}, {}],\n \"rules\": [\n  {\"pattern\": \"a\"},\n  ";
    const std::string broken[] = {"{\"pattern\": \"(\"}]}", "{\"note\": \"none\"}]}",
                                  "{\"pattern\": \"a\", \"waits\": 1}]}",
                                  "{\"pattern\": \"a\", \"waits\": true, \"communication\": false}]}"};
    for (const std::string& rest : broken) {
        const Result<NameRules> rules = NameRules::fromJson(head + rest, "rules.json");
        ASSERT_TRUE(rules.failed()) << rest;
        EXPECT_EQ(rules.error().byte_offset, head.size()) << rest;
        EXPECT_EQ(rules.error().cause.rfind("line 4: ", 0), 0U) << rules.error().text();
    }
    const Result<NameRules> cut = NameRules::fromJson(head + "{\"pattern\": ,", "rules.json");
    ASSERT_TRUE(cut.failed());
    EXPECT_EQ(cut.error().cause, "line 4: is not valid JSON");
    EXPECT_TRUE(cut.error().byte_offset.has_value());
}

TEST(UserRules, ThatAreNestedTooDeeplyAreRefused) {
    const std::string deep(100'000, '[');
    EXPECT_TRUE(NameRules::fromJson("{\"rules\": " + deep, "rules.json").failed());
}

TEST(UserRules, SayThatAKernelOnlyWaits) {
    const NameRules rules =
        NameRules::fromJson(R"({"rules": [{"pattern": "my_flag", "waits": true}]})", "rules.json").value();
    ASSERT_NE(rules.ruleOf("my_flag_wait"), nullptr);
    EXPECT_TRUE(rules.ruleOf("my_flag_wait")->waits);
    EXPECT_TRUE(rules.isCommunication("my_flag_wait"));
    EXPECT_EQ(rules.ruleOf("gemm"), nullptr);
}

TEST(UserRules, FromANamedFileStandBeforeTheBuiltInOnes) {
    const TempFolder folder;
    const Result<NameRules> rules = NameRules::fromFile(folder.write("rules.json", kOwn));
    ASSERT_TRUE(rules.ok());
    EXPECT_TRUE(rules.value().isCommunication("my_ring_exchange"));
    EXPECT_TRUE(rules.value().isCommunication("ncclDevKernel_Generic"));
    EXPECT_TRUE(NameRules::fromFile((folder.path() / "none.json").string()).failed());
}

TEST(UserRules, OfAKernelHoldForItsOtherInstantiationsAndForNoOtherKernel) {
    const char* const kernel = "void (anonymous namespace)::ring.step<float, 4>(float*)";
    const TempFolder folder;
    const std::string path = (folder.path() / "made" / "rules.json").string();
    ASSERT_FALSE(NameRules::addToFile(NameRules::ruleFor(kernel, true), path));
    const NameRules rules = NameRules::fromFile(path).value();
    EXPECT_TRUE(rules.isCommunication(kernel));
    EXPECT_TRUE(rules.isCommunication("void (anonymous namespace)::ring.step<half, 8>(half*)"));
    EXPECT_FALSE(rules.isCommunication("void (anonymous namespace)::ring_step<half, 8>(half*)"));
    EXPECT_FALSE(rules.isCommunication("other<void (anonymous namespace)::ring.step>"));
}

TEST(UserRules, ThatAreAddedComeFirstAndKeepWhatStandsInTheFile) {
    const TempFolder folder;
    const std::string path =
        folder.write("rules.json", R"({"about": "ours", "rules": [{"pattern": "ring", "communication": true}]})");
    ASSERT_FALSE(NameRules::addToFile({.pattern = "^ring_local", .communication = false, .note = "no exchange"}, path));
    const NameRules rules = NameRules::fromFile(path).value();
    EXPECT_FALSE(rules.isCommunication("ring_local"));
    EXPECT_TRUE(rules.isCommunication("ring_far"));
    EXPECT_EQ(rules.rules()[0].note, "no exchange");
    std::ifstream file(path);
    EXPECT_NE(std::string(std::istreambuf_iterator<char>(file), {}).find("ours"), std::string::npos);
}

TEST(UserRules, AreFoundInTheirFileAndTakenOutOfItAgain) {
    const TempFolder folder;
    const std::string path = folder.write("rules.json", R"({"about": "ours", "rules": [{"pattern": "other"}]})");
    const NameRules::Rule rule = NameRules::ruleFor("ring_step<float>(float*)", false);
    EXPECT_FALSE(ruleInFile(rule.pattern, path));
    ASSERT_FALSE(NameRules::addToFile(rule, path));
    ASSERT_TRUE(ruleInFile(rule.pattern, path));
    EXPECT_FALSE(ruleInFile(rule.pattern, path)->communication);
    ASSERT_FALSE(removeRuleFromFile(rule.pattern, path));
    EXPECT_FALSE(ruleInFile(rule.pattern, path));
    EXPECT_TRUE(ruleInFile("other", path)) << "what else stands there is kept";
    std::ifstream file(path);
    EXPECT_NE(std::string(std::istreambuf_iterator<char>(file), {}).find("ours"), std::string::npos);
}

TEST(UserRules, CannotBeTakenOutOfAFileThatHoldsNone) {
    const TempFolder folder;
    const std::string broken = folder.write("rules.json", "not rules");
    EXPECT_FALSE(ruleInFile("ring", broken));
    EXPECT_TRUE(removeRuleFromFile("ring", broken).has_value());
    EXPECT_FALSE(ruleInFile("ring", (folder.path() / "none.json").string()));
    EXPECT_TRUE(removeRuleFromFile("ring", (folder.path() / "none.json").string()).has_value());
}

TEST(UserRules, AreNotAddedToAFileThatHoldsNone) {
    const TempFolder folder;
    const std::string path = folder.write("rules.json", "not rules");
    EXPECT_TRUE(NameRules::addToFile({.pattern = "ring"}, path).has_value());
    EXPECT_TRUE(NameRules::addToFile({.pattern = "("}, (folder.path() / "new.json").string()).has_value());
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "new.json"));
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "not rules");
}

}  // namespace
}  // namespace rankscope::test
