// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of an agent to the server of a small simulated run. Whatever they are, each is answered as the protocol
// says.
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/mcp/mailbox.h"
#include "app/cli/mcp/server.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"

namespace rankscope::fuzz {
namespace {

using nlohmann::json;

const ReadRuns& servedRuns() {
    static const ReadRuns served = [] {
        ReadRuns runs;
        runs.runs.push_back(std::move(*smallRun()));
        runs.path_of = {0};
        return runs;
    }();
    return served;
}

void checkAnswer(const json& answer) {
    const std::string line = answer.dump(-1, ' ', false, json::error_handler_t::replace);
    demand(line.find('\n') == std::string::npos, "an answer is one line");
    demand(answer.at("jsonrpc") == "2.0", "an answer is of JSON-RPC");
    demand(answer.contains("result") != answer.contains("error"), "an answer is a result or an error");
    const json& id = answer.at("id");
    demand(id.is_null() || id.is_string() || id.is_number(), "an answer has the id of its call");
}

}  // namespace

void fuzzMcp(Input input) {
    static cli::Mailbox mailbox;
    static cli::Server server(servedRuns, mailbox);
    std::istringstream lines{std::string(textOf(input))};
    for (std::string line; std::getline(lines, line);) {
        mailbox.put(line);
    }
    mailbox.end();
    while (const std::optional<std::string> line = mailbox.next()) {
        if (const std::optional<json> answer = server.answer(*line)) {
            checkAnswer(*answer);
        }
    }
}

}  // namespace rankscope::fuzz
