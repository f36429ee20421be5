// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the inputs that fuzzing starts from: fuzz_seeds FOLDER makes FOLDER/<target>/*, some 300 KB in all.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/support/places.h"
#include "tests/support/temp_files.h"
#include "tests/tracegen/simulate.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::fuzz {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

/// A simulated rank's file, with `events` of its events from the front, and what describes the file at its end.
std::string shortTrace(const tracegen::Config& config, std::size_t events, int indent) {
    nlohmann::ordered_json trace = nlohmann::ordered_json::parse(tracegen::kinetoText(tracegen::simulate(config), 0));
    auto& all = trace["traceEvents"].get_ref<nlohmann::ordered_json::array_t&>();
    const std::size_t kept = std::min(events, all.size());
    std::size_t position = 0;
    std::erase_if(all, [&](const nlohmann::ordered_json& event) {
        const bool step = event.value("name", "").starts_with("ProfilerStep#");
        return ++position > kept && position < all.size() - 12 && !step;
    });
    return trace.dump(indent);
}

std::vector<std::string> traces() {
    std::vector<std::string> texts;
    for (const auto vendor : {tracegen::Vendor::Cuda, tracegen::Vendor::Rocm}) {
        for (const auto dialect : {tracegen::Dialect::Modern, tracegen::Dialect::Old}) {
            tracegen::Config config;
            config.ranks = 2;
            config.steps = 1;
            config.layers = 2;
            config.vendor = vendor;
            config.dialect = dialect;
            config.with_stack = dialect == tracegen::Dialect::Modern;
            config.profile_memory = config.with_stack;
            texts.push_back(shortTrace(config, 24, -1));
            texts.push_back(shortTrace(config, 90, dialect == tracegen::Dialect::Old ? 2 : -1));
        }
    }
    texts.emplace_back("[]");
    texts.emplace_back(R"({"traceEvents": []})");
    texts.emplace_back(R"([{"ph": "X", "name": "a\u00e9\n", "ts": 1.5, "dur": 1e3, "pid": 1, "tid": "t"}])");
    texts.emplace_back(R"({"a": {"a": [1, {"b": null}]}, "traceEvents": [{"name": "x"}, {"ph": "M"}, 3, "t"]})");
    return texts;
}

void writeTraces(const fs::path& folder) {
    const std::vector<std::string> texts = traces();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string number = std::to_string(i);
        write(folder / "json" / number, texts[i]);
        write(folder / "gzip" / (number + ".gz"), test::gzip(texts[i]));
        write(folder / "gzip" / (number + ".zst"), test::zstd(texts[i]));
        const std::string tar = test::tar({{"run/rank0.json", texts[i]}, {"run/rank1.json.gz", test::gzip(texts[i])}});
        write(folder / "tar" / number, tar);
        write(folder / "tar" / (number + ".gz"), test::gzip(tar));
        write(folder / "tar" / (number + ".zst"), test::zstd(tar));
        fs::create_directories(folder / "zip");
        test::writeZip(folder / "zip" / number,
                       {{"run/rank0.json", texts[i]}, {"run/rank1.json", texts[(i + 1) % texts.size()]}});
    }
    test::writeZip(folder / "zip" / "packed", {{"rank0.json.gz", test::gzip(texts[0])}, {"notes.txt", "hello"}});
}

void writeTars(const fs::path& folder) {
    const std::string trace = R"([{"ph": "X", "name": "a", "ts": 1.5, "dur": 1e3, "pid": 1, "tid": "t"}])";
    write(folder / "tar" / "names", test::tarEntry("././@LongLink", std::string(300, 'n') + "/rank0.json", 'L') +
                                        test::tarEntry("n", trace) + test::tarEntry("link.json", "", '2', "n") +
                                        test::tarEntry("PaxHeader", "20 path=rank1.json.\n", 'x') +
                                        test::tarEntry("m", trace));
}

void writeRules(const fs::path& folder) {
    const std::array<const char*, 5> rules = {
        R"({"rules": []})", R"({"rules": [{"pattern": "nccl", "communication": true, "note": "ours"}]})",
        R"({"rules": [{"pattern": "^my_(all|reduce)_\\w+<\\d*>$", "communication": true}]})",
        R"({"rules": [{"pattern": "(a|b)*c{2,3}[x-z]", "communication": false}]})",
        R"({"rules": [{"pattern": "(", "communication": 1}]})"};
    for (std::size_t i = 0; i < rules.size(); ++i) {
        write(folder / "name_rules" / std::to_string(i), rules[i] + std::string(1, '\0') + "my_all_reduce<4>");
    }
}

void writeSessions(const fs::path& folder) {
    write(folder / "session" / "runs", R"({"schema": "rankscope-session", "version": 1, "runs": [{"name": "a",
        "files": ["a.json", "/tmp/b.json"], "clock": {"file_times": false, "typed": [{"rank": 0, "offset_ns": 5}]}}],
        "selection": {"run": 0, "rank": 0, "track": 1, "slice": 2}, "search": "nccl", "panel": "tables",
        "compared": {"a": 0, "b": 0, "linked": true}, "side_panel": true, "bottom_panel": false})");
    write(folder / "session" / "empty", "{}");
}

/// Choices for fuzz_run: chance, from which the fuzzer goes on.
void writeChoices(const fs::path& folder) {
    std::mt19937 chance(13);
    for (int i = 0; i < 64; ++i) {
        std::string bytes;
        for (std::size_t count = 8 + chance() % 64; count > 0; --count) {
            bytes += static_cast<char>(chance() % 256);
        }
        write(folder / "run" / std::to_string(i), bytes);
    }
}

/// A small snapshot in the opcodes of protocol 2: a segment with a block and its stack, and an entry of history.
void writeSnapshots(const fs::path& folder) {
    const auto text = [](const std::string& value) {
        return "U" + std::string(1, static_cast<char>(value.size())) + value;
    };
    const std::string frames =
        "](}(" + text("filename") + text("a.py") + text("line") + "K\x07" + text("name") + text("forward") + "ueq\x01";
    const std::string block =
        "}(" + text("size") + "M\x01\x02" + text("state") + text("active_allocated") + text("frames") + frames + "u";
    const std::string segment = "}(" + text("total_size") + "M\x01\x04" + text("blocks") + "](" + block + "eu";
    const std::string entry = "}(" + text("action") + text("alloc") + text("addr") + "K\x05" + text("size") + "K\x09" +
                              text("frames") + "h\x01u";
    write(folder / "snapshot" / "small",
          "\x80\x02}(" + text("segments") + "](" + segment + "e" + text("device_traces") + "](](" + entry + "eeu.");
    write(folder / "snapshot" / "refused",
          "\x80\x02"
          "cos\nsystem\n.");
}

/// The examples of docs/query.md.
void writeQueries(const fs::path& folder) {
    std::ifstream file(test::sourceFolder() / "docs/query.md");
    std::string question;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        if (line == "```sql") {
            question = " ";
        } else if (line == "```" && !question.empty()) {
            write(folder / ("query/" + std::to_string(++number) + ".sql"), question.substr(1));
            question.clear();
        } else if (!question.empty()) {
            question += line + '\n';
        }
    }
}

}  // namespace
}  // namespace rankscope::fuzz

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: fuzz_seeds FOLDER\n", stderr);
        return 2;
    }
    rankscope::fuzz::writeTraces(argv[1]);
    rankscope::fuzz::writeTars(argv[1]);
    rankscope::fuzz::writeRules(argv[1]);
    rankscope::fuzz::writeSessions(argv[1]);
    rankscope::fuzz::writeSnapshots(argv[1]);
    rankscope::fuzz::writeChoices(argv[1]);
    rankscope::fuzz::writeQueries(argv[1]);
    return 0;
}
