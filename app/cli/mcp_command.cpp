// SPDX-License-Identifier: GPL-3.0-or-later

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/mcp/mailbox.h"
#include "app/cli/mcp/server.h"
#include "app/cli/progress_line.h"
#include "app/exit_code.h"
#include "core/request/companions_of_runs.h"

namespace rankscope::cli {
namespace {

using nlohmann::json;

void send(const json& message) {
    std::cout << message.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;  // flushed at once
}

/// Puts each line of standard input into a mailbox. The thread is never joined: it may wait for input forever while the
/// process ends.
std::shared_ptr<Mailbox> mailOfStandardInput() {
    auto mailbox = std::make_shared<Mailbox>();
    std::thread([mailbox] {
        for (std::string line; std::getline(std::cin, line);) {
            mailbox->put(std::move(line));
        }
        mailbox->end();
    }).detach();
    return mailbox;
}

}  // namespace

int runMcp(const McpRequest& request) {
    Request fetched = request.runs;
    OnStandardError shown;
    if (!fetchRemotePaths(fetched, shown)) {
        return kNothingReadable;
    }
    shown.clear();
    ReadRuns runs;
    const std::shared_ptr<Mailbox> mailbox = mailOfStandardInput();
    Server server(
        [&]() -> const ReadRuns& {
            OnStandardError progress;
            return runs = readJob(fetched, progress);
        },
        *mailbox);
    while (const std::optional<std::string> line = mailbox->next()) {
        if (line->find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        if (const std::optional<json> answer = server.answer(*line)) {
            send(*answer);
        }
    }
    return kDone;
}

}  // namespace rankscope::cli
