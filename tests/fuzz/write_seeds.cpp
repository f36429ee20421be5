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

#include "tests/support/nsight_export.h"
#include "tests/support/perfetto_trace.h"
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

/// A small dump as JSON, with the fields of a call, a send and a status.
void writeFlightDumps(const fs::path& folder) {
    write(
        folder / "flight_recorder" / "small",
        R"({"version": "2.9", "pg_config": {"0": {"desc": "default_pg", "ranks": "[0, 1]"}, "7": {"ranks": [0]}}, )"
        R"("pg_status": {"0": {"last_enqueued_collective": 3, "last_completed_collective": 2}}, "entries": [)"
        R"({"record_id": 4, "pg_id": 0, "process_group": ["0", "default_pg"], "collective_seq_id": 3, "p2p_seq_id": 0, )"
        R"("profiling_name": "nccl:all_reduce", "time_created_ns": 17, "input_sizes": [[4, 8]], )"
        R"("input_dtypes": ["Float"], "output_sizes": [[4, 8]], "state": "started", "is_p2p": false, )"
        R"("frames": [{"name": "f", "filename": "a.py", "line": 3}]}, )"
        R"({"record_id": 5, "process_group": ["0", ""], "collective_seq_id": 3, "p2p_seq_id": 1, )"
        R"("profiling_name": "nccl:send 0->1", "is_p2p": true}]})");
}

void writeNsight(const fs::path& folder) {
    test::NsightExport made;
    made.kernel(10, 0, 7, 60, 80, 1, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
    made.copy(10, 0, 7, 90, 95, 3, 1, 0, 4096);
    made.call(10, 11, 20, 30, 1, "cudaLaunchKernel_v7000");
    made.range(10, 11, 0, 100, "aten::mm, seq = 5, sizes = [[2, 3], [3, 4]]");
    made.range(10, 11, 10, 40, "ncclAllReduce", R"({"NCCL communicator ID": 5, "Message size [bytes]": 4096})");
    write(folder / "nsight" / "small", made.bytes());
}

/// A small trace, one with names that are written once, and the real fields of a clock and of defaults.
void writePerfetto(const fs::path& folder) {
    using test::bytesField;
    using test::numberField;
    write(folder / "perfetto" / "small", test::smallPerfettoTrace().bytes());
    const auto entry = [](std::string_view text) { return numberField(1, 1) + bytesField(2, text); };
    test::PerfettoTrace made = test::threadAndStream();
    made.packet(numberField(10, 7) + numberField(13, 1) +
                bytesField(6, bytesField(1, numberField(1, 64) + numberField(2, 5) + numberField(3, 1)) +
                                  bytesField(1, numberField(1, 6) + numberField(2, 5000))) +
                bytesField(12, bytesField(1, entry("kernel")) + bytesField(2, entry("gemm")) +
                                   bytesField(3, entry("stream")) + bytesField(29, entry("text"))) +
                bytesField(59, numberField(58, 64) + bytesField(11, numberField(11, 4))));
    const std::string argument = numberField(1, 1) + bytesField(12, numberField(17, 1)) + bytesField(12, "");
    made.packet(numberField(8, 2) + numberField(10, 7) +
                bytesField(11, numberField(9, 1) + numberField(3, 1) + numberField(10, 1) + bytesField(4, argument)));
    made.packet(numberField(8, 3) + numberField(10, 7) + bytesField(11, numberField(9, 2)));
    write(folder / "perfetto" / "interned", made.bytes());
}

/// A line of each kind that is read of NCCL's logs.
void writeNcclLogs(const fs::path& folder) {
    std::string text;
    for (const char* line :
         {"NCCL version 2.28.9+cuda13.0", "cudaDriverVersion 13020", "NCCL_ALGO set by environment to Ring",
          "NET/IB : No device found.", "Using network Socket",
          "ncclCommInitRank comm 0x10 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0xaa - Init START",
          "comm 0x10 rank 0 nRanks 2 nNodes 1 localRanks 2 localRank 0 MNNVL 0", "Channel 00/02 : 0 1",
          "Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1",
          "2 coll channels, 2 collnet channels, 0 nvls channels, 2 p2p channels, 2 p2p channels per peer",
          "Init timings - ncclCommInitRank: rank 0 nranks 2 total 12.36 (kernels 0.25, bootstrap 11.0)",
          "Channel 00 : 0[0] -> 1[1] via SHM/direct/direct", "Channel 01/0 : 0[0] -> 1[1] [send] via NET/IB/0/GDRDMA",
          "AllReduce: opCount 1a sendbuff 0x1 recvbuff 0x2 count 687 datatype 7 op 0 root 0 comm 0x10 [nranks=2] "
          "stream "
          "0x3",
          "AllReduce: 1048576 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..7}",
          "comm 0x10 rank 0 nranks 2 cudaDev 0 busId 1000 - Destroy COMPLETE"}) {
        text += std::string("a:1:2 [0] NCCL INFO ") + line + "\n";
    }
    write(folder / "nccl_log" / "small", text);
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

/// A call of each tool, and one message of each other kind.
void writeMessages(const fs::path& folder) {
    using nlohmann::json;
    json messages = {
        {{"method", "initialize"}, {"params", {{"protocolVersion", "2025-06-18"}}}},
        {{"method", "tools/list"}},
        {{"method", "prompts/list"}},
        {{"method", "prompts/get"}, {"params", {{"name", "why-slow"}}}},
        {{"method", "resources/list"}},
        {{"method", "resources/templates/list"}},
        {{"method", "resources/read"}, {"params", {{"uri", "definition://gaps"}}}},
        {{"method", "notifications/cancelled"}, {"params", {{"requestId", 3}}}},
    };
    const json calls = {{"overview", json::object()},
                        {"finding", {{"number", 1}, {"run", "asked"}}},
                        {"check", {{"page", 2}}},
                        {"tables", {{"pattern", "slice"}}},
                        {"query", {{"sql", "SELECT name, dur_ns FROM slice"}, {"limit", 3}}},
                        {"slice", {{"id", 5}}},
                        {"step", {{"rank", 0}, {"step", 1}}},
                        {"rank", {{"rank", 0}}},
                        {"picture", {{"from_ns", 0}, {"to_ns", 1'000'000}}},
                        {"compare", {{"a", "asked"}, {"b", "asked"}}}};
    for (const auto& [name, arguments] : calls.items()) {
        messages.push_back({{"method", "tools/call"}, {"params", {{"name", name}, {"arguments", arguments}}}});
    }
    std::string all;
    int number = 0;
    for (json& message : messages) {
        message["jsonrpc"] = "2.0";
        message["id"] = ++number;
        write(folder / "mcp" / std::to_string(number), message.dump());
        all += message.dump() + '\n';
    }
    write(folder / "mcp" / "all", all);
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
    rankscope::fuzz::writeFlightDumps(argv[1]);
    rankscope::fuzz::writeNsight(argv[1]);
    rankscope::fuzz::writeNcclLogs(argv[1]);
    rankscope::fuzz::writePerfetto(argv[1]);
    rankscope::fuzz::writeChoices(argv[1]);
    rankscope::fuzz::writeQueries(argv[1]);
    rankscope::fuzz::writeMessages(argv[1]);
    return 0;
}
