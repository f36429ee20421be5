// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/cli/read_runs.h"

namespace rankscope::cli {

/// What a tool answers: text for a model to read.
struct ToolAnswer {
    std::string text;
    bool is_error = false;
};

/// What an agent can ask of some runs. Nothing writes, and nothing but the runs is read.
class Toolbox {
  public:
    /// `read` outlives it, and has a run.
    explicit Toolbox(const ReadRuns& read);
    ~Toolbox();
    Toolbox(const Toolbox&) = delete;
    Toolbox& operator=(const Toolbox&) = delete;

    /// The tools with their arguments, as `tools/list` of the protocol has them.
    [[nodiscard]] static nlohmann::json list();
    /// Calls a tool. A name or arguments that are wrong are an error with the reason. Answers have at most 4 KB; longer
    /// ones come in pages. Ends soon after `stop` is requested, with an error.
    [[nodiscard]] ToolAnswer call(std::string_view name, const nlohmann::json& arguments, const std::stop_token& stop);

  private:
    class Asked;
    std::unique_ptr<Asked> asked_;
};

}  // namespace rankscope::cli
