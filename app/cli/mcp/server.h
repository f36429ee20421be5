// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>

#include "app/cli/mcp/mailbox.h"
#include "app/cli/mcp/tools.h"
#include "core/request/read_runs.h"

namespace rankscope::cli {

/// A server of the Model Context Protocol: answers messages about runs, and changes nothing. The specification is
/// https://modelcontextprotocol.io/specification/2025-06-18; older and newer clients are answered alike.
class Server {
  public:
    /// `read` gives the runs. It is called once, at the first call of a tool, and what it gives must outlive the
    /// server, as `mailbox` must.
    Server(std::function<const ReadRuns&()> read, Mailbox& mailbox);

    /// The answer to one message; nothing for a notification. A broken message is answered by an error.
    [[nodiscard]] std::optional<nlohmann::json> answer(const std::string& line);

  private:
    [[nodiscard]] nlohmann::json result(const nlohmann::json& id, const std::string& method,
                                        const nlohmann::json& params);
    [[nodiscard]] nlohmann::json call(const nlohmann::json& id, const nlohmann::json& params);
    [[nodiscard]] ToolAnswer answerOf(const std::string& name, const nlohmann::json& arguments,
                                      const std::stop_token& stop);

    std::function<const ReadRuns&()> read_;
    Mailbox& mailbox_;
    const ReadRuns* runs_ = nullptr;  // once they are read
    std::unique_ptr<Toolbox> tools_;  // of *runs_
};

}  // namespace rankscope::cli
