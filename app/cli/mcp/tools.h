// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/request/read_runs.h"

namespace rankscope::cli {

/// The answer of a tool: text for a model to read.
struct ToolAnswer {
    std::string text;
    bool is_error = false;
    std::string png = {};  ///< the bytes of a picture; empty for none
};

/// What an agent can ask about runs. Only the runs are read, and nothing of them is changed; a picture is drawn by the
/// window's program in a temporary folder.
class Toolbox {
  public:
    /// `read` must outlive it, and have a run.
    explicit Toolbox(const ReadRuns& read);
    ~Toolbox();
    Toolbox(const Toolbox&) = delete;
    Toolbox& operator=(const Toolbox&) = delete;

    /// The tools with their arguments, in the form of the protocol's `tools/list`.
    [[nodiscard]] static nlohmann::json list();
    /// Calls a tool. A wrong name or wrong arguments are an error with the reason. Answers have at most 4 KB; longer
    /// ones come in pages. Ends soon after `stop` is requested, with an error.
    [[nodiscard]] ToolAnswer call(std::string_view name, const nlohmann::json& arguments, const std::stop_token& stop);

  private:
    class Asked;
    std::unique_ptr<Asked> asked_;
};

}  // namespace rankscope::cli
