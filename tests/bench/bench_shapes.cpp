// SPDX-License-Identifier: GPL-3.0-or-later
//
// Traces of unusual shapes, each of a size and of a tenth of it, loaded and analysed: what an element costs in the
// large one over the small one. Linear is 1, n log n some 1.2; above 2 something grows faster than the work. Each has a
// limit of time, so that what does fails instead of never ending.
//     bench_shapes [--quick] [NAME...]    --quick: a third of the size; NAME: those with it in their name
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/ingest/load.h"
#include "tests/bench/in_child.h"
#include "tests/bench/shape_text.h"
#include "tests/support/temp_files.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;
using std::int64_t;

/// What takes a second when it is linear.
constexpr unsigned kLimitSeconds = 90;

void write(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
}

void writeRank(const fs::path& folder, int rank, ShapeText& trace) {
    write(folder / ("rank" + std::to_string(rank) + ".json"), trace.take());
}

// ---- the shapes: each writes `count` elements into a folder
// ----------------------------------------------------------

/// Equal all-reduces of four ranks in one step, with sequence numbers in their args or with nothing but their order.
void collectives(const fs::path& folder, int64_t count, bool with_args) {
    constexpr int kRanks = 4;
    for (int rank = 0; rank < kRanks; ++rank) {
        ShapeText trace(rank, kRanks);
        const int64_t each = count / kRanks;
        trace.step(1, 0, each * 10 + 20);
        for (int64_t i = 0; i < each; ++i) {
            const std::string args =
                R"("Collective name":"allreduce","In msg nelems":1000,"Out msg nelems":1000,"Group size":4,"dtype":"Float",)"
                R"("Process Group Name":"0","Process Group Ranks":"[0, 1, 2, 3]","Seq":)" +
                std::to_string(i);
            trace.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", i * 10,
                         i * 10 + 2, 5 + (i + rank) % 3, 20, with_args ? args : "");
        }
        writeRank(folder, rank, trace);
    }
}

void matchedCollectives(const fs::path& folder, int64_t count) {
    collectives(folder, count, true);
}
void orderedCollectives(const fs::path& folder, int64_t count) {
    collectives(folder, count, false);
}

void steps(const fs::path& folder, int64_t count) {
    for (int rank = 0; rank < 2; ++rank) {
        ShapeText trace(rank, 2);
        for (int64_t i = 0; i < count / 2; ++i) {
            const int64_t start = i * 100;
            trace.step(i, start, 98);
            trace.host("cpu_op", "aten::mm", start + 5, 20);
            trace.kernel("gemm", start + 10, start + 12, 60 + i % 7);
        }
        writeRank(folder, rank, trace);
    }
}

/// Kernels of one stream that all lie across all others.
void overlapsOnAStream(const fs::path& folder, int64_t count) {
    ShapeText trace(0, 1);
    trace.step(1, 0, 3 * count);
    for (int64_t i = 0; i < count; ++i) {
        trace.kernel("gemm", i, i + 1, 2 * count - i % 1'000);
    }
    writeRank(folder, 0, trace);
}

/// Operators of one thread, each begun inside the one before and ended after it.
void overlapsOnAThread(const fs::path& folder, int64_t count) {
    ShapeText trace(0, 1);
    trace.step(1, 0, 3 * count);
    for (int64_t i = 0; i < count; ++i) {
        trace.host("cpu_op", "aten::mm", i, count + i % 1'000, 2);
    }
    trace.kernel("gemm", 5, 7, count);
    writeRank(folder, 0, trace);
}

void names(const fs::path& folder, int64_t count) {
    ShapeText trace(0, 1);
    trace.step(1, 0, count * 10);
    for (int64_t i = 0; i < count / 2; ++i) {
        const std::string number = std::to_string(i);
        trace.host("cpu_op", "aten::op_" + number, i * 20, 8);
        trace.kernel("void kernel_" + number + "<float>(int)", i * 20 + 1, i * 20 + 4, 12);
    }
    writeRank(folder, 0, trace);
}

/// Towers of operators, ten of them, of `count` floors each; the topmost launches.
void depth(const fs::path& folder, int64_t count) {
    constexpr int64_t kTowers = 10;
    ShapeText trace(0, 1);
    const int64_t width = 2 * count + 40;
    trace.step(1, 0, kTowers * width);
    for (int64_t tower = 0; tower < kTowers; ++tower) {
        for (int64_t floor = 0; floor < count; ++floor) {
            trace.host("cpu_op", floor % 2 == 0 ? "aten::mm" : "aten::addmm", tower * width + floor,
                       width - 2 * floor - 10);
        }
        for (int64_t launch = 0; launch < 10; ++launch) {
            trace.kernel("gemm", tower * width + count + launch, tower * width + count + launch + 12, 1);
        }
    }
    writeRank(folder, 0, trace);
}

void zipMembers(const fs::path& folder, int64_t count) {
    std::vector<std::pair<std::string, std::string>> members;
    for (int64_t i = 0; i < count; ++i) {
        ShapeText trace(static_cast<int>(i), static_cast<int>(count));
        trace.step(1, 0, 100);
        trace.kernel("gemm", 5, 10, 80);
        members.emplace_back("rank" + std::to_string(i) + ".json", trace.take());
    }
    test::writeZip(folder / "run.zip", members);
}

/// Files of one rank, each of which continues the one before.
void windows(const fs::path& folder, int64_t count) {
    for (int64_t window = 0; window < count; ++window) {
        ShapeText trace(0, 1);
        const int64_t start = window * 10'000;
        trace.step(window, start, 5'000);
        for (int64_t i = 0; i < 100; ++i) {
            trace.kernel("gemm", start + i * 20, start + i * 20 + 2, 15);
        }
        write(folder / ("window" + std::to_string(window) + ".json"), trace.take());
    }
}

struct Shape {
    const char* name;
    int64_t count;
    void (*write)(const fs::path& folder, int64_t count);
    bool analysed = true;
};

constexpr Shape kShapes[] = {
    {"collectives with sequence numbers", 100'000, matchedCollectives},
    {"collectives in order alone", 100'000, orderedCollectives},
    {"steps", 100'000, steps},
    {"overlaps on a stream", 1'000'000, overlapsOnAStream},
    {"overlaps on a thread", 1'000'000, overlapsOnAThread},
    {"names", 100'000, names},
    {"depth", 10'000, depth},
    {"zip members", 8'000, zipMembers, false},
    {"windows of a rank", 3'000, windows, false},
};

// ---- measuring
// -------------------------------------------------------------------------------------------------------

Figures measure(const fs::path& folder, bool analyse) {
    const double start = processorSeconds();
    const Discovery found = discoverRuns({folder.string()});
    LoadObserver observer;
    Result<Run> run = loadRun(found.runs.at(0), {}, observer, {});
    const double loaded = processorSeconds();
    if (analyse) {
        (void)analyseRun(std::make_shared<const Run>(std::move(run).value()), {}, {}, {}).ok();
    }
    return {loaded - start, processorSeconds() - loaded};
}

/// The least of some runs, in processor seconds: loading, and analysis. Nothing where one took too long.
std::optional<Figures> least(const Shape& shape, int64_t count, int runs) {
    const fs::path folder = fs::temp_directory_path() / ("rankscope-bench-shapes-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    shape.write(folder, count);
    std::optional<Figures> best;
    for (int i = 0; i < runs; ++i) {
        const auto figures = inChild(kLimitSeconds, [&] { return measure(folder, shape.analysed); });
        if (!figures) {
            best.reset();
            break;
        }
        if (!best || (*figures)[0] + (*figures)[1] < (*best)[0] + (*best)[1]) {
            best = figures;
        }
    }
    fs::remove_all(folder);
    return best;
}

void benchShape(const Shape& shape, int64_t count) {
    constexpr int kRunsOfSmall = 3;
    const auto small = least(shape, count / 10, kRunsOfSmall);
    const auto large = small ? least(shape, count, 1) : std::nullopt;
    double ratio = 999;  // not within the limit
    if (large) {
        const double small_s = (*small)[0] + (*small)[1];
        ratio = ((*large)[0] + (*large)[1]) / 10.0 / std::max(small_s, 1e-6);
        std::printf("%8lld %-36s load %.3f s, analysis %.3f s; of a tenth %.3f and %.3f\n",
                    static_cast<long long>(count), shape.name, (*large)[0], (*large)[1], (*small)[0], (*small)[1]);
    } else {
        std::printf("%8lld %-36s not within %u s, or crashed (%s)\n", static_cast<long long>(count), shape.name,
                    kLimitSeconds, small ? "a tenth of it was" : "nor was a tenth of it");
    }
    std::printf("%-72s %.2f\n", (std::string(shape.name) + ": an element over one of a tenth").c_str(), ratio);
    std::fflush(stdout);
}

int run(int argc, char** argv) {
    bool quick = false;
    std::vector<std::string> wanted;
    for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
        if (argument == "--quick") {
            quick = true;
        } else {
            wanted.push_back(argument);
        }
    }
    for (const Shape& shape : kShapes) {
        const bool asked = std::ranges::any_of(wanted, [&](const std::string& name) {
            return std::string_view(shape.name).find(name) != std::string::npos;
        });
        if (wanted.empty() || asked) {
            benchShape(shape, quick ? shape.count / 3 : shape.count);
        }
    }
    return 0;
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    return rankscope::bench::run(argc, argv);
}
