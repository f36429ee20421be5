// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/reading_plan.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/digest/choose_steps.h"
#include "core/digest/digest_file.h"
#include "core/digest/step_table.h"
#include "core/ingest/files/holds_digest.h"

namespace rankscope {
namespace {

std::optional<std::uint64_t> memoryOfEnvironment() {
    const char* const text = std::getenv("RANKSCOPE_MEMORY");
    if (text == nullptr) {
        return std::nullopt;
    }
    const std::string_view said(text);
    double gigabytes = 0;
    const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), gigabytes);
    constexpr double kBytes = 1e9;
    constexpr double kMost = 1e9;  // GB
    const bool is_number = error == std::errc() && end == said.data() + said.size();
    return is_number && gigabytes > 0 && gigabytes < kMost
               ? std::optional(static_cast<std::uint64_t>(gigabytes * kBytes))
               : std::nullopt;
}

/// Half of what the system can provide without swapping.
std::optional<std::uint64_t> halfOfAvailable() {
    std::ifstream file("/proc/meminfo");
    std::string what;
    std::uint64_t kibibytes = 0;
    std::string unit;
    while (file >> what >> kibibytes) {
        if (what == "MemAvailable:") {
            return kibibytes * 1024 / 2;
        }
        std::getline(file, unit);
    }
    return std::nullopt;
}

/// The paths of the files if all of them are digests; else none.
std::vector<std::string> onlyDigests(const RunSource& source) {
    std::vector<std::string> paths;
    for (const FileSource& file : source.files) {
        if (!holdsDigest(file)) {
            return {};
        }
        paths.push_back(file.path);
    }
    return paths;
}

bool isWanted(const std::optional<RankNumber>& rank, const LoadOptions& options) {
    return options.ranks.empty() || (rank && std::ranges::find(options.ranks, *rank) != options.ranks.end());
}

/// The rows of the requested ranks, and the steps that any of them has.
StepTable wantedRows(StepTable table, const LoadOptions& options) {
    if (options.ranks.empty()) {
        return table;
    }
    StepTable wanted;
    wanted.steps = table.steps;
    for (std::size_t r = 0; r < table.ranks.size(); ++r) {
        if (isWanted(table.ranks[r], options)) {
            wanted.ranks.push_back(table.ranks[r]);
            const auto row = table.cells.begin() + static_cast<std::ptrdiff_t>(r * table.steps.size());
            wanted.cells.insert(wanted.cells.end(), row, row + static_cast<std::ptrdiff_t>(table.steps.size()));
        }
    }
    return wanted;
}

/// The memory for one of this many steps of these ranks, as chooseSteps() estimates it.
std::uint64_t bytesOfAStep(const std::vector<DigestedRank>& ranks, std::size_t threads, std::size_t steps) {
    std::uint64_t slices = 0;
    std::ranges::for_each(ranks, [&slices](const DigestedRank& rank) { slices += rank.slices; });
    const std::uint64_t of_steps = slices * kBytesOfASlice;
    return bytesToRead(ranks, threads) - of_steps + of_steps / steps;
}

Error tooMuch(const RunSource& source, std::size_t ranks, std::uint64_t bytes, std::uint64_t budget,
              std::optional<std::uint64_t> of_a_step) {
    const std::string one = of_a_step ? " (about " + formatBytes(*of_a_step) + ")" : std::string();
    return {source.name, std::nullopt,
            fmt::format("needs about {} of memory, but only {} may be used: not even one step of its {}{} fits. Use "
                        "--ranks to read some of them, or --memory or RANKSCOPE_MEMORY to allow more",
                        formatBytes(bytes), formatBytes(budget), formatCounted(ranks, "rank"), one)};
}

}  // namespace

std::optional<std::uint64_t> defaultMemory() {
    const std::optional<std::uint64_t> said = memoryOfEnvironment();
    return said ? said : halfOfAvailable();
}

Result<ReadingPlan> planReading(const RunSource& source, const LoadOptions& options) {
    ReadingPlan plan{options, nullptr};
    const std::optional<std::uint64_t> budget = options.memory_bytes ? options.memory_bytes : defaultMemory();
    const std::vector<std::string> digests =
        options.first_step || options.last_step || !budget ? std::vector<std::string>() : onlyDigests(source);
    const Result<std::vector<DigestedRank>> listed = readDigestedRanks(digests);
    if (digests.empty() || !listed.ok()) {
        return plan;  // a problem with a digest is reported when it is read
    }
    std::vector<DigestedRank> ranks = listed.value();
    std::erase_if(ranks, [&](const DigestedRank& rank) { return !isWanted(rank.rank, options); });
    const std::size_t threads = threadCount(options.threads);
    const std::uint64_t bytes = bytesToRead(ranks, threads);
    if (bytes <= *budget) {
        return plan;
    }
    Result<StepTable> table = readStepTable(digests);
    const std::size_t steps = table.ok() ? table.value().steps.size() : 0;
    std::optional<ChosenSteps> chosen =
        table.ok() ? chooseSteps(wantedRows(std::move(table).value(), options), ranks, threads, *budget) : std::nullopt;
    if (!chosen) {
        return tooMuch(source, ranks.size(), bytes, *budget,
                       steps > 1 ? std::optional(bytesOfAStep(ranks, threads, steps)) : std::nullopt);
    }
    for (TabledRank& rank : chosen->long_ranks) {
        rank.cause = mostIdleCause(digests, rank.rank, rank.worst_step);
    }
    plan.options.first_step = chosen->first;
    plan.options.last_step = chosen->last;
    plan.chosen = std::make_shared<const ChosenSteps>(std::move(*chosen));
    return plan;
}

}  // namespace rankscope
