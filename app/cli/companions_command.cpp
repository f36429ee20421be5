// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/companions_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "app/cli/complain.h"
#include "app/cli/options/number_options.h"
#include "app/exit_code.h"
#include "core/base/format.h"
#include "core/base/utf8.h"

namespace rankscope::cli {
namespace {

constexpr const char* kCompanionsFooter =
    "Packs logs of NCCL, dumps of PyTorch's flight recorder and memory snapshots, which are found by their content, "
    "so\n"
    "that they can be copied and opened with the digests of the job. If they take too much, the largest are left out.\n"
    "Exit code: 0 done; 2 wrong usage, or the file cannot be written; 3 there are none; 4 done, but some are left out.";

constexpr std::size_t kMostListed = 20;

/// Names what is left out, each with its size; of many only the first, which are the largest.
void tellLeftOut(const std::vector<Error>& left_out) {
    for (std::size_t i = 0; i < left_out.size() && i < kMostListed; ++i) {
        complain(left_out[i]);
    }
    if (left_out.size() > kMostListed) {
        complain(fmt::format("{} are left out too", formatCounted(left_out.size() - kMostListed, "more file")));
    }
}

}  // namespace

CLI::App* addCompanions(CLI::App& app, CompanionsRequest& request) {
    CLI::App* const command =
        app.add_subcommand("companions", "Pack logs, dumps and memory snapshots of a job into one archive");
    command->add_option("PATH", request.path, "The job's folder or archive")->required();
    command->add_option("-o,--output", request.archive, "Zip file to write")->type_name("FILE.zip")->required();
    command->add_option("--most", request.most_gb, "Pack files of up to this size together; default 1")
        ->type_name("GB")
        ->check(zeroOrMore());
    command->footer(kCompanionsFooter);
    return command;
}

int runCompanions(const CompanionsRequest& request) {
    std::error_code error;
    if (!std::filesystem::exists(request.path, error)) {
        complain(Error{request.path, {}, "does not exist"});
        return kNothingReadable;
    }
    constexpr double kMostGb = 1e9;
    const double most_gb = request.most_gb < kMostGb ? request.most_gb : kMostGb;
    const Result<PackedCompanions> made =
        packCompanions(request.path, request.archive, static_cast<std::uint64_t>(most_gb * 1e9));
    if (!made.ok()) {
        complain(made.error());
        return kWrongUsage;
    }
    const PackedCompanions& packed = made.value();
    tellLeftOut(packed.left_out);
    if (packed.bytes == 0) {
        if (packed.left_out.empty()) {
            complain(Error{request.path, {}, "has no logs of NCCL, flight recorder dumps or memory snapshots"});
        }
        return packed.left_out.empty() ? kNothingReadable : kSomeUnreadable;
    }
    std::cout << fmt::format("{}: {}, {}, {}, {}\n", printable(request.archive), formatCounted(packed.logs, "NCCL log"),
                             formatCounted(packed.dumps, "flight recorder dump"),
                             formatCounted(packed.snapshots, "memory snapshot"), formatBytes(packed.bytes));
    return packed.left_out.empty() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
