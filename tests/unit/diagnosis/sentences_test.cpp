// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/sentences.h"

#include "core/diagnosis/evidence/lateness.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A call of fill() in the sources: its key, where that is a literal, and the names of the values.
struct Call {
    std::vector<std::string> keys;  ///< of "a ? "x" : "y"" both
    std::vector<std::string> values;
};

/// The text literals of a piece of code, each with how many braces are open around it.
std::vector<std::pair<int, std::string>> literalsOf(const std::string& code) {
    std::vector<std::pair<int, std::string>> literals;
    int depth = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
        depth += code[i] == '{' ? 1 : code[i] == '}' ? -1 : 0;
        if (code[i] == '"') {
            std::string text;
            for (++i; i < code.size() && code[i] != '"'; ++i) {
                i += code[i] == '\\' ? 1U : 0U;
                text += code[i];
            }
            literals.emplace_back(depth, text);
        }
    }
    return literals;
}

/// From an opening bracket to the one that closes it.
std::string bracketed(const std::string& code, std::size_t open) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = open; i < code.size(); ++i) {
        quoted = quoted != (code[i] == '"' && code[i - 1] != '\\');
        depth += quoted ? 0 : code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
        if (depth == 0) {
            return code.substr(open, i + 1 - open);
        }
    }
    return {};
}

std::string sources() {
    std::string code;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(sourceFolder() / "core/diagnosis")) {
        if (entry.path().extension() == ".cpp") {
            std::ifstream file(entry.path());
            code.append(std::istreambuf_iterator<char>(file), {});
        }
    }
    return code;
}

/// The calls whose keys stand in them as text. A value is the first literal inside two open braces.
std::vector<Call> callsIn(const std::string& code) {
    constexpr std::string_view kFill = ".fill(";
    std::vector<Call> calls;
    for (std::size_t at = code.find(kFill); at != std::string::npos; at = code.find(kFill, at + 1)) {
        const std::string arguments = bracketed(code, at + kFill.size() - 1);
        Call call;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (arguments.compare(i, 3, "{{\"") == 0 || arguments.compare(i, 2, "{\"") == 0) {
                const std::size_t from = arguments.find('"', i) + 1;
                const std::string before = arguments.substr(0, i);
                const auto opened = std::ranges::count(before, '(') - std::ranges::count(before, ')');
                if (opened == 1) {  // not of a call inside of this one
                    call.values.push_back(arguments.substr(from, arguments.find('"', from) - from));
                }
                i = from;
            }
        }
        for (const auto& [depth, text] : literalsOf(arguments)) {
            if (depth == 0 && text.find('.') != std::string::npos && text.find(' ') == std::string::npos) {
                call.keys.push_back(text);
            }
        }
        std::ranges::sort(call.values);
        calls.push_back(std::move(call));
    }
    return calls;
}

TEST(Sentences, HaveEachPlaceholderFilledWhereTheyAreSaid) {
    const Sentences& sentences = Sentences::builtIn();
    const std::vector<std::string> known = sentences.keys();
    std::size_t checked = 0;
    for (const Call& call : callsIn(sources())) {
        for (const std::string& key : call.keys) {
            if (key.ends_with('-')) {
                continue;  // completed by the name of a cause
            }
            EXPECT_TRUE(std::ranges::binary_search(known, key)) << key;
            std::vector<std::string> asked = sentences.placeholders(key);
            std::erase(asked, "typical");  // filled for all of a run
            EXPECT_EQ(asked, call.values) << key;
            ++checked;
        }
    }
    EXPECT_GT(checked, 40U);
}

TEST(Sentences, AreEachSaidSomewhere) {
    std::set<std::string> said;
    for (const auto& [depth, text] : literalsOf(sources())) {
        said.insert(text);
    }
    for (int cause = 0; cause <= static_cast<int>(LateBecause::Throttling); ++cause) {
        said.insert("straggler-rank.because-" + std::string(lateBecauseName(static_cast<LateBecause>(cause))));
    }
    for (std::size_t id = 0; id < kFindingIds; ++id) {
        said.insert(std::string(findingName(static_cast<FindingId>(id))) + ".summary");
    }
    for (int kind = 0; kind <= static_cast<int>(RemedyKind::Graphs); ++kind) {
        said.insert("remedy-cost." + std::string(remedyKindName(static_cast<RemedyKind>(kind))));
    }
    for (const std::string& key : Sentences::builtIn().keys()) {
        EXPECT_TRUE(said.contains(key)) << key;
    }
}

TEST(Sentences, OfEachCauseOfLatenessAreThere) {
    const std::vector<std::string> keys = Sentences::builtIn().keys();
    for (int cause = 0; cause <= static_cast<int>(LateBecause::Throttling); ++cause) {
        const std::string name(lateBecauseName(static_cast<LateBecause>(cause)));
        EXPECT_THAT(keys, testing::Contains("straggler-rank.because-" + name));
    }
}

TEST(Sentences, SayOfEachFindingWhatItComesDownTo) {
    const Sentences& sentences = Sentences::builtIn();
    const std::set<std::string> known = {"blocked", "saving", "step", "new_step"};
    for (std::size_t id = 0; id < kFindingIds; ++id) {
        const std::string key = std::string(findingName(static_cast<FindingId>(id))) + ".summary";
        EXPECT_THAT(sentences.keys(), testing::Contains(key));
        for (const std::string& placeholder : sentences.placeholders(key)) {
            EXPECT_TRUE(known.contains(placeholder)) << key << ": " << placeholder;
        }
    }
}

TEST(Sentences, AreFilledFromMoreValuesThanTheyName) {
    const Sentences sentences = Sentences::fromJson(R"({"findings": {"x": {"why": "{b} only"}}})", "s.json").value();
    EXPECT_EQ(sentences.fillFrom("x.why", {{"a", "1"}, {"b", "2"}}), "2 only");
}

TEST(Sentences, AreFilledByName) {
    const Sentences sentences =
        Sentences::fromJson(R"({"findings": {"x": {"why": "{b} before {a}, and {b}"}}})", "s.json").value();
    EXPECT_THAT(sentences.keys(), ElementsAre("x.why"));
    EXPECT_THAT(sentences.placeholders("x.why"), ElementsAre("a", "b"));
    EXPECT_EQ(sentences.fill("x.why", {{"a", "{1}"}, {"b", "2"}}), "2 before {1}, and 2");
}

TEST(Sentences, ThatCannotBeReadAreNamed) {
    for (const char* json : {"{", "{}", R"({"findings": {"x": {"why": 3}}})", R"({"findings": {"x": {"why": "{a"}}})",
                             R"({"findings": {"x": {"why": "a}"}}})"}) {
        const Result<Sentences> read = Sentences::fromJson(json, "s.json");
        ASSERT_TRUE(read.failed()) << json;
        EXPECT_EQ(read.error().path, "s.json");
    }
}

}  // namespace
}  // namespace rankscope::test
