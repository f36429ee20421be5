// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast a 500 MB trace comes in, against nlohmann's SAX parse of the same bytes, and what memory it takes. The
// targets are ratios, taken in one run: at least 6 with one thread, 10 with two, 64 bytes an event, a peak of at most
// 1.5 times what stays plus 256 MiB; with gzip, two cores take as long as the slower of inflating and parsing.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/ingest/files/batch_cutter.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/kineto/event_pipeline.h"
#include "core/ingest/load.h"
#include "tests/bench/memory_use.h"
#include "tests/bench/repeat_trace.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;

/// Of the text that is read: 500 MB, or what --megabytes=N says.
std::uint64_t input_bytes = 500'000'000;

/// A sink that counts, so that nlohmann does nothing but parse.
struct CountingSax : nlohmann::json::json_sax_t {
    std::size_t values = 0;
    bool null() override { return ++values != 0; }
    bool boolean(bool /*v*/) override { return ++values != 0; }
    bool number_integer(number_integer_t /*v*/) override { return ++values != 0; }
    bool number_unsigned(number_unsigned_t /*v*/) override { return ++values != 0; }
    bool number_float(number_float_t /*v*/, const string_t& /*s*/) override { return ++values != 0; }
    bool string(string_t& /*v*/) override { return ++values != 0; }
    bool binary(binary_t& /*v*/) override { return ++values != 0; }
    bool start_object(std::size_t /*n*/) override { return true; }
    bool key(string_t& /*v*/) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t /*n*/) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t /*p*/, const std::string& /*t*/, const nlohmann::detail::exception& /*e*/) override {
        return false;
    }
};

fs::path input(const char* name) {
    return fs::temp_directory_path() / "rankscope-bench" / name;
}

/// The traces that are repeated: a modern CUDA one, and the old dialect with long args.
std::string sourceTrace() {
    const fs::path real = fs::path(RANKSCOPE_TRACES) / "hta/nccl_parser_config/nccl_data.json.gz";
    if (fs::exists(real)) {
        return readAll(real);
    }
    for (const auto& entry : fs::directory_iterator(fs::path(RANKSCOPE_SOURCE_DIR) / "resources/samples/FourWorkers")) {
        return readAll(entry.path());
    }
    return {};
}

const fs::path& plainInput() {
    static const fs::path file = [] {
        fs::path path = input("trace.json");
        repeatTraceToFile(sourceTrace(), input_bytes, path);
        return path;
    }();
    return file;
}

const fs::path& packedInput() {
    static const fs::path file = [] {
        fs::path path = input("trace.json.gz");
        repeatTraceToFile(sourceTrace(), input_bytes, path);
        return path;
    }();
    return file;
}

FileSource sourceOf(const fs::path& path) {
    return {path.string(), "", fs::file_size(path)};
}

void countBytes(benchmark::State& state, std::uint64_t bytes) {
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
}

void nlohmannSax(benchmark::State& state) {
    const fs::path& path = plainInput();
    for (auto _ : state) {
        std::ifstream in(path, std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(in), {});
        CountingSax sax;
        benchmark::DoNotOptimize(nlohmann::json::sax_parse(text, &sax));
    }
    countBytes(state, fs::file_size(path));
}

/// The whole way to the model.
void load(benchmark::State& state, const fs::path& path) {
    LoadOptions options;
    options.threads = static_cast<unsigned>(state.range(0));
    for (auto _ : state) {
        resetPeak();
        const std::uint64_t before = residentBytes();
        LoadObserver observer;
        Result<RankTrace> trace = loadFile(sourceOf(path), options, observer, {});
        state.PauseTiming();
        const auto peak = static_cast<double>(peakBytes() - before);
        resetPeak();
        const auto stays = static_cast<double>(residentBytes() - before);
        const auto events = static_cast<double>(trace.value().health.events);
        state.counters["events"] = events;
        state.counters["resident_B_per_event"] = stays / events;
        state.counters["model_B_per_event"] = static_cast<double>(trace.value().memoryBytes()) / events;
        state.counters["peak_over_limit"] = peak / (1.5 * stays + 256.0 * 1024 * 1024);
        state.ResumeTiming();
    }
    countBytes(state, fs::file_size(plainInput()));
}

void loadPlain(benchmark::State& state) {
    load(state, plainInput());
}
void loadGzip(benchmark::State& state) {
    load(state, packedInput());
}

/// One event's text back from the middle of the gzip: the longest of many, since a click must never wait (150 ms).
void readBack(benchmark::State& state) {
    LoadObserver observer;
    const Result<RankTrace> trace = loadFile(sourceOf(packedInput()), {}, observer, {});
    constexpr SliceIndex kSamples = 100;
    double worst_ms = 0;
    for (auto _ : state) {
        for (SliceIndex i = 0; i < kSamples; ++i) {
            const auto start = std::chrono::steady_clock::now();
            const std::size_t slices = trace.value().tracks[0].slices.size();
            const auto slice = static_cast<SliceIndex>(i * (slices - 1) / (kSamples - 1));
            benchmark::DoNotOptimize(readEventText(trace.value(), {TrackId(0), slice}).ok());
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
            worst_ms = std::max(worst_ms, took.count());
        }
    }
    state.counters["worst_ms"] = worst_ms;
}

/// Where the time goes, each stage with all before it.
void readOnly(benchmark::State& state, const fs::path& path) {
    std::vector<char> buffer(1U << 20U);
    for (auto _ : state) {
        const auto stream = openByteStream(sourceOf(path));
        while (stream.value()->read(buffer) == buffer.size()) {}
    }
    countBytes(state, fs::file_size(plainInput()));
}
void stageRead(benchmark::State& state) {
    readOnly(state, plainInput());
}
void stageInflate(benchmark::State& state) {
    readOnly(state, packedInput());
}

void stageSplit(benchmark::State& state) {
    for (auto _ : state) {
        const auto stream = openByteStream(sourceOf(plainInput()));
        BatchCutter cutter(*stream.value());
        benchmark::DoNotOptimize(cutter.readHeader("").ok());
        TextBatch batch;
        while (cutter.next(batch)) {}
    }
    countBytes(state, fs::file_size(plainInput()));
}

void stageParse(benchmark::State& state) {
    for (auto _ : state) {
        const auto stream = openByteStream(sourceOf(plainInput()));
        const auto read = readEvents(*stream.value(), "", 1, [](std::uint64_t, std::uint64_t) {}, {});
        benchmark::DoNotOptimize(read.ok());
    }
    countBytes(state, fs::file_size(plainInput()));
}

/// Keeps the shortest time of each name, to print ratios of one run at its end: other work on the machine only ever
/// makes a run longer.
class RatioReporter : public benchmark::ConsoleReporter {
  public:
    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs) {
            if (run.run_type == Run::RT_Aggregate) {
                continue;
            }
            const std::string name = run.benchmark_name();
            const double seconds = run.GetAdjustedRealTime() / 1e3;
            if (const auto bytes = run.counters.find("resident_B_per_event"); bytes != run.counters.end()) {
                resident_bytes_ =
                    resident_bytes_ > 0 ? std::min<double>(resident_bytes_, bytes->second) : double{bytes->second};
            }
            const auto [at, is_new] = seconds_.try_emplace(name.substr(0, name.find("/iterations")), seconds);
            at->second = std::min(at->second, seconds);
        }
    }

    void printRatios() const {
        ratio("plain, one thread: times nlohmann's SAX (at least 6)", "nlohmann_sax", "load_plain/1");
        ratio("plain, two threads: times nlohmann's SAX (at least 8)", "nlohmann_sax", "load_plain/2");
        if (resident_bytes_ > 0) {
            std::printf("%-72s %.2f\n", "plain: resident bytes an event (at most 32)", resident_bytes_);
        }
        const auto inflate = seconds_.find("stage_inflate");
        const auto plain = seconds_.find("load_plain/1");
        const auto gzip = seconds_.find("load_gzip/2");
        if (inflate != seconds_.end() && plain != seconds_.end() && gzip != seconds_.end()) {
            std::printf("%-72s %.2f\n", "gzip, two threads: over the slower of inflating and loading (at most 1)",
                        gzip->second / std::max(inflate->second, plain->second));
        }
    }

  private:
    void ratio(const char* what, const char* over, const char* under) const {
        const auto a = seconds_.find(over);
        const auto b = seconds_.find(under);
        if (a != seconds_.end() && b != seconds_.end()) {
            std::printf("%-72s %.2f\n", what, a->second / b->second);
        }
    }

    std::map<std::string, double> seconds_;
    double resident_bytes_ = 0;
};

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    using namespace rankscope::bench;
    const auto once = [](benchmark::internal::Benchmark* b) {
        b->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->MeasureProcessCPUTime()
            ->Iterations(1)
            ->Repetitions(3)
            ->ReportAggregatesOnly(false);
    };
    once(benchmark::RegisterBenchmark("nlohmann_sax", nlohmannSax));
    once(benchmark::RegisterBenchmark("stage_read", stageRead));
    once(benchmark::RegisterBenchmark("stage_inflate", stageInflate));
    once(benchmark::RegisterBenchmark("stage_split", stageSplit));
    once(benchmark::RegisterBenchmark("stage_parse", stageParse));
    once(benchmark::RegisterBenchmark("load_plain", loadPlain)->Arg(1)->Arg(2));
    once(benchmark::RegisterBenchmark("load_gzip", loadGzip)->Arg(1)->Arg(2));
    once(benchmark::RegisterBenchmark("read_back_100", readBack));
    // The machine's speed drifts: taken in turns, all that a ratio stands on meets the same weather.
    std::string interleave = "--benchmark_enable_random_interleaving=true";
    std::vector<char*> arguments;
    for (char* const argument : std::vector<char*>(argv, argv + argc)) {
        constexpr std::string_view kMegabytes = "--megabytes=";
        if (std::string_view(argument).starts_with(kMegabytes)) {
            input_bytes = 1'000'000 * std::strtoull(argument + kMegabytes.size(), nullptr, 10);
        } else {
            arguments.push_back(argument);
        }
    }
    arguments.push_back(interleave.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    RatioReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    std::puts("");
    reporter.printRatios();
    return 0;
}
