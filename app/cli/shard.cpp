// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/shard.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace rankscope::cli {
namespace {

/// More processes than any machine has. The product of two such numbers does not overflow.
constexpr std::size_t kMostShards = 1'000'000;

std::optional<std::size_t> numberOf(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size() && number <= kMostShards;
    return whole ? std::optional(number) : std::nullopt;
}

Error wrong(const std::string& where, const std::string& why) {
    return {where, std::nullopt, why};
}

Result<Shard> checked(const std::string& where, std::size_t index, std::size_t count) {
    if (count == 0) {
        return wrong(where, "says 0 parts; at least one is needed");
    }
    if (index >= count) {
        return wrong(where,
                     "part " + std::to_string(index) + " is not one of the parts 0 to " + std::to_string(count - 1));
    }
    return Shard{index, count};
}

Result<Shard> typed(const std::string& text) {
    const std::size_t slash = text.find('/');
    const auto index = numberOf(std::string_view(text).substr(0, slash));
    const auto count = slash == std::string::npos ? std::nullopt : numberOf(std::string_view(text).substr(slash + 1));
    if (!index || !count || *count == 0) {
        return wrong("--shard", whyNoPart(text));
    }
    return checked("--shard", *index, *count);
}

/// Reads numbers from the environment. Remembers the first variable that is not a number.
class Variables {
  public:
    explicit Variables(const Environment& environment) : environment_(environment) {}

    [[nodiscard]] bool has(const char* name) const { return environment_(name).has_value(); }
    /// Nothing if the variable is not set or is not a number.
    std::optional<std::size_t> number(const char* name) {
        const std::optional<std::string> text = environment_(name);
        const std::optional<std::size_t> number = text ? numberOf(*text) : std::nullopt;
        if (text && !number && wrong_.empty()) {
            wrong_ = name;
        }
        return number;
    }
    [[nodiscard]] const std::string& wrongOne() const { return wrong_; }

  private:
    const Environment& environment_;
    std::string wrong_;
};

/// What the environment says, and in which variable.
struct Told {
    std::string by;
    std::size_t index = 0;
    std::optional<std::size_t> count;
};

/// A process of a step of srun. A batch script has its variables too, but is not a step.
std::optional<Told> stepOfSlurm(Variables& variables) {
    if (variables.has("SLURM_JOB_ID") && !variables.has("SLURM_STEP_ID")) {
        return std::nullopt;
    }
    const auto process = variables.number("SLURM_PROCID");
    const auto processes = variables.number("SLURM_NTASKS");
    return process && processes ? std::optional(Told{"SLURM_PROCID", *process, *processes}) : std::nullopt;
}

/// A task of an array. `is_counted`: the number of tasks is known from elsewhere, and the task's id is its index.
std::optional<Told> arrayOfSlurm(Variables& variables, bool is_counted) {
    const auto id = variables.number("SLURM_ARRAY_TASK_ID");
    if (!id) {
        return std::nullopt;
    }
    if (is_counted) {
        return Told{"SLURM_ARRAY_TASK_ID", *id, std::nullopt};
    }
    const std::size_t first = variables.number("SLURM_ARRAY_TASK_MIN").value_or(0);
    const std::size_t step = variables.number("SLURM_ARRAY_TASK_STEP").value_or(1);
    Told told{"SLURM_ARRAY_TASK_ID", (*id - std::min(first, *id)) / std::max<std::size_t>(step, 1),
              variables.number("SLURM_ARRAY_TASK_COUNT")};
    if (const auto inner = stepOfSlurm(variables); inner && told.count) {
        told.index = told.index * inner->count.value_or(1) + inner->index;
        told.count = *told.count * inner->count.value_or(1);
    }
    return told;
}

std::optional<Told> ask(Variables& variables, bool is_counted) {
    if (auto told = arrayOfSlurm(variables, is_counted)) {
        return told;
    }
    if (auto told = stepOfSlurm(variables)) {
        return told;
    }
    if (const auto rank = variables.number("OMPI_COMM_WORLD_RANK")) {
        return Told{"OMPI_COMM_WORLD_RANK", *rank, variables.number("OMPI_COMM_WORLD_SIZE")};
    }
    if (const auto index = variables.number("JOB_COMPLETION_INDEX")) {
        return Told{"JOB_COMPLETION_INDEX", *index, std::nullopt};
    }
    return std::nullopt;
}

}  // namespace

Result<Shard> shardOf(const std::string& text, std::optional<std::size_t> count, const Environment& environment) {
    if (!text.empty()) {
        return typed(text);
    }
    Variables variables(environment);
    const std::optional<Told> told = ask(variables, count.has_value());
    if (!variables.wrongOne().empty()) {
        return wrong(variables.wrongOne(), "is set, but not to a number");
    }
    if (!told) {
        return count ? Result<Shard>(wrong("--shards", "nothing says which part this process does; use --shard I/N"))
                     : Result<Shard>(Shard());
    }
    const std::optional<std::size_t> parts = count ? count : told->count;
    if (!parts) {
        return wrong(told->by, "is set; give the number of parts with --shards");
    }
    return checked(told->by, told->index, *parts);
}

std::string whyNoPart(const std::string& text) {
    return "\"" + text + "\" is not a part I/N of the files, like 0/8; N is at least 1, and I is from 0 to N - 1";
}

Environment processEnvironment() {
    return [](const char* name) {
        const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    };
}

}  // namespace rankscope::cli
