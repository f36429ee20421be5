// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inputs that once broke the program, kept in tests/fuzz/kept/<target>, go the same way again; and a few of chance.

#include "tests/fuzz/changed_run.h"
#include "tests/fuzz/targets.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"

namespace rankscope::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> keptFor(std::string_view target) {
    std::vector<fs::path> files;
    const fs::path folder = test::sourceFolder() / "tests/fuzz/kept" / target;
    if (fs::exists(folder)) {
        std::ranges::copy(fs::directory_iterator(folder), std::back_inserter(files));
    }
    std::ranges::sort(files);
    return files;
}

std::vector<std::uint8_t> bytesOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class KeptInputs : public testing::TestWithParam<Target> {};

TEST_P(KeptInputs, BreakNothingAnyMore) {
    for (const fs::path& path : keptFor(GetParam().name)) {
        SCOPED_TRACE(path.string());
        GetParam().run(bytesOf(path));
    }
    GetParam().run({});
}

INSTANTIATE_TEST_SUITE_P(Of, KeptInputs, testing::ValuesIn(kTargets),
                         [](const testing::TestParamInfo<Target>& target) { return std::string(target.param.name); });

TEST(KeptInputFolders, AreNamedForTargets) {
    for (const auto& folder : fs::directory_iterator(test::sourceFolder() / "tests/fuzz/kept")) {
        const std::string name = folder.path().filename().string();
        EXPECT_TRUE(name == "session" || std::ranges::any_of(kTargets, [&](const Target& t) { return t.name == name; }))
            << name;
    }
}

TEST(ChangedRuns, ChangeSomething) {
    std::mt19937 chance(1);
    std::size_t differ = 0;
    for (int i = 0; i < 20; ++i) {
        std::vector<std::uint8_t> bytes(40);
        std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(chance()); });
        Choices one(bytes);
        Choices same(bytes);
        const ChangedRun run = changeRun(one);
        EXPECT_EQ(run.files, changeRun(same).files);
        Choices base(Input(bytes).first(2));
        differ += run.files != changeRun(base).files ? 1U : 0U;
    }
    EXPECT_GT(differ, 15U);
}

std::size_t numberFrom(const char* variable, std::size_t otherwise) {
    const char* const text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// A few on every day; RANKSCOPE_FUZZ_RUNS and RANKSCOPE_FUZZ_SEED ask for more and others where there is no libFuzzer.
// What breaks has its input in last_input, beside where the test ran.
TEST(ChangedRuns, OfChanceGoTheWholeWayAndComeToOneReport) {
    constexpr std::size_t kRuns = 30;
    std::mt19937 chance(static_cast<std::uint32_t>(numberFrom("RANKSCOPE_FUZZ_SEED", 2)));
    const std::size_t runs = numberFrom("RANKSCOPE_FUZZ_RUNS", kRuns);
    for (std::size_t i = 0; i < runs; ++i) {
        std::vector<std::uint8_t> bytes(8 + chance() % 72);
        std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(chance()); });
        if (runs > kRuns) {
            std::ofstream("last_input", std::ios::binary)
                .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        }
        fuzzRun(bytes);
    }
}

}  // namespace
}  // namespace rankscope::fuzz
