// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/input_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

#include "app/cli/command_line.h"
#include "app/cli/complain.h"
#include "app/cli/options/number_options.h"
#include "app/cli/usage.h"

namespace rankscope::cli {
namespace {

std::optional<double> gigabytesOf(const std::string& text) {
    constexpr double kMost = 1e9;
    double gigabytes = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, gigabytes);
    const bool is_told = error == std::errc() && stop == end && gigabytes > 0 && gigabytes < kMost;
    return is_told ? std::optional(gigabytes) : std::nullopt;
}

/// Why a text is not a size of memory; empty if it is one.
std::string problemOfMemory(const std::string& text) {
    return gigabytesOf(text) ? std::string() : "\"" + text + "\" must be a number of GB above 0, like 16 or 0.5";
}

void readMemory(const InputTexts& texts, LoadOptions& load) {
    if (texts.memory.empty()) {
        return;
    }
    constexpr double kBytes = 1e9;
    load.memory_bytes = static_cast<std::uint64_t>(gigabytesOf(texts.memory).value_or(0) * kBytes);
}

void readLists(const InputTexts& texts, LoadOptions& load) {
    readMemory(texts, load);
    if (!texts.ranks.empty()) {
        const auto ranks = parseNumberList(texts.ranks);
        if (!ranks) {
            refuseOption("--ranks", "\"" + texts.ranks + "\" is not a list like 0,2-5");
        }
        for (const std::int32_t number : *ranks) {
            load.ranks.emplace_back(number);
        }
    }
    if (!texts.steps.empty()) {
        const auto steps = parseNumberList(texts.steps);
        if (!steps) {
            refuseOption("--steps", "\"" + texts.steps + "\" is not a range like 5-8");
        }
        if (steps->back() - steps->front() + 1 != static_cast<std::int32_t>(steps->size())) {
            refuseOption("--steps", "\"" + texts.steps + "\" has gaps; give one range, like 5-8");
        }
        load.first_step = steps->front();
        load.last_step = steps->back();
    }
}

void readNameRules(Request& request) {
    if (request.name_rules_file.empty()) {
        return;
    }
    Result<NameRules> rules = NameRules::fromFile(request.name_rules_file);
    if (!rules.ok()) {
        refuseOption("--name-rules", rules.error().text());
    }
    request.name_rules = std::move(rules).value();
}

/// Reads {"before=a.json", "b.json"}: a name with its first path, and more paths.
void readNamedRuns(const InputTexts& texts, Request& request) {
    for (const std::vector<std::string>& group : texts.runs) {
        const std::size_t equals = group.front().find('=');
        if (equals == 0 || equals >= group.front().size() - 1) {
            refuseOption("--run", "\"" + group.front() + "\" is not NAME=PATH, like before=rank0.json");
        }
        NamedRun run{group.front().substr(0, equals), {group.front().substr(equals + 1)}};
        run.paths.insert(run.paths.end(), group.begin() + 1, group.end());
        const bool again =
            std::ranges::any_of(request.named_runs, [&](const NamedRun& other) { return other.name == run.name; });
        if (again) {
            refuseOption("--run", "there are two runs \"" + run.name + "\"; give all paths of a run after one --run");
        }
        request.named_runs.push_back(std::move(run));
    }
}

/// Reads "mesh_tp=tensor": a group's name or description, and a role. The name may contain "=".
void readRoles(const InputTexts& texts, Request& request) {
    for (const std::string& text : texts.roles) {
        const std::size_t equals = text.rfind('=');
        if (equals == std::string::npos || equals == 0) {
            refuseOption("--roles", "\"" + text + "\" is not NAME=ROLE, like mesh_tp=tensor");
        }
        const std::optional<Role> role = roleOf(text.substr(equals + 1));
        if (!role) {
            refuseOption("--roles",
                         "there is no role \"" + text.substr(equals + 1) + "\"; the roles are " + roleNames());
        }
        request.roles.emplace_back(text.substr(0, equals), *role);
    }
}

/// Reads "/lustre=/mnt": a folder's path on another machine, and its path on this one.
void readMap(const InputTexts& texts, LoadOptions& load) {
    load.path_map = pathMapForUser();  // options of the command line take precedence
    for (const std::string& text : texts.map) {
        const std::optional<MappedFolder> folder = mappedFolderOf(text);
        if (!folder) {
            refuseOption("--map", "\"" + text + "\" is not a pair of absolute paths, like /lustre=/mnt");
        }
        load.path_map.push_back(*folder);
    }
}

void readIterations(const InputTexts& texts, Request& request) {
    request.iterations = iterationKindOf(texts.iterations);
    if (!texts.iterations.empty() && !request.iterations) {
        refuseOption("--iterations", "\"" + texts.iterations + "\" is not prefill, decode or mixed");
    }
}

}  // namespace

void addInput(CLI::App& command, Request& request, InputTexts& texts) {
    command.add_option("PATH", request.paths, "Trace files, folders or archives");
    command.add_option("--run", texts.runs, "Read these paths as one run of this name")->type_name("NAME=PATH...");
    command.add_option("--ranks", texts.ranks, "Read these ranks only")->type_name("LIST");
    command.add_option("--steps", texts.steps, "Read these steps only: one range of step numbers")->type_name("LIST");
    command
        .add_option("--memory", texts.memory, "Read only some steps of digests that need more than this much memory")
        ->type_name("GB")
        ->check(problemOfMemory);
    command.add_option("--map", texts.map, "A digest's traces are below TO here, and were below FROM when it was made")
        ->type_name("FROM=TO")
        ->allow_extra_args(false);
    command
        .add_option("--name-rules", request.name_rules_file,
                    "Recognise communication kernels by this file's rules first, instead of the user's own")
        ->type_name("F");
    command
        .add_option("--roles", texts.roles, "Role of a process group, given by its name, description or number (#0)")
        ->type_name("NAME=ROLE")
        ->allow_extra_args(false);
    command
        .add_option("--iterations", texts.iterations,
                    "For a server: medians and prices of only these iterations: prefill, decode or mixed")
        ->type_name("KIND");
    command.footer(usageFooter());
}

void addSnapshots(CLI::App& command, Request& request) {
    command
        .add_option("--memory-snapshot", request.snapshots,
                    "Show a memory snapshot: a file of torch.cuda.memory._dump_snapshot()")
        ->type_name("F")
        ->allow_extra_args(false);
}

void needPath(const Request& request) {
    if (request.paths.empty() && request.named_runs.empty() && request.snapshots.empty()) {
        refuseOption("PATH", "name a trace file, a folder or an archive");
    }
}

void readInput(const InputTexts& texts, Request& request) {
    readNamedRuns(texts, request);
    readLists(texts, request.load);
    readMap(texts, request.load);
    readNameRules(request);
    readRoles(texts, request);
    readIterations(texts, request);
}

}  // namespace rankscope::cli
