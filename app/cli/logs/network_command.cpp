// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/logs/network_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/cli/complain.h"
#include "app/cli/logs/companion_logs.h"
#include "app/cli/output_files.h"
#include "app/exit_code.h"
#include "core/base/format.h"
#include "core/companions/read_companions.h"
#include "core/report/network.h"

namespace rankscope::cli {
namespace {

std::string screenOf(const Request& request, const NetworkInput& input) {
    const ScreenStyle& style = request.printed.style;
    switch (request.command) {
        case Command::Check: return networkCheckScreen(input, style);
        case Command::Info: return networkInfo(input, style);
        case Command::Analyze:
        case Command::Compare: break;
    }
    return networkScreen(input, style, request.printed.is_full);
}

/// Whether --fail-on is for what was found.
bool fails(const Request& request, const network::Network& network) {
    const auto is_at = [&request](const network::Finding& finding) {
        return request.fail_on && static_cast<int>(finding.level) >= static_cast<int>(*request.fail_on);
    };
    return std::ranges::any_of(network.jobs, [&](const network::Job& job) {
        const bool looks = std::ranges::find(job.judgements, network::Judgement::Look) != job.judgements.end();
        const bool is_open = std::ranges::find(job.judgements, network::Judgement::CannotTell) != job.judgements.end();
        return std::ranges::any_of(job.findings, is_at) ||
               (request.fail_on_check &&
                (looks || (is_open && *request.fail_on_check == report::CheckStatus::CannotTell)));
    });
}

}  // namespace

void tellOfLogs(const std::vector<std::string>& logs) {
    if (!logs.empty()) {
        complain(
            fmt::format("{} of NCCL next to traces: `rankscope-cli analyze LOG...` with logs alone shows them ({})",
                        formatCounted(logs.size(), "log"), logs.front()));
    }
}

int runNetwork(const Request& request, const std::vector<std::string>& logs) {
    if (const auto option = optionForTraces(request)) {
        complain(*option + ": cannot be used with NCCL logs alone; they are written as text, and with --json");
        return kWrongUsage;
    }
    const std::shared_ptr<const ReadLogs> read = readLogs(logs);
    std::ranges::for_each(read->unreadable, [](const Error& error) { complain(error); });
    if (!read->any()) {
        return kNothingReadable;
    }
    const NetworkInput input{read->logs, read->network, read->unreadable};
    if ((!request.json.empty() && !writeOutput(request.json, jsonNetwork(input))) ||
        (request.json != "-" && !writeOutput("-", screenOf(request, input)))) {
        return kWrongUsage;
    }
    if (fails(request, read->network)) {
        return kFindingAtLevel;
    }
    return read->unreadable.empty() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
