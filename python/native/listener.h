// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/request/run_request.h"

namespace rankscope::python {

/// Keeps what a request reports, for the thread that holds the interpreter's lock.
class Listener : public RequestObserver {
  public:
    void progress(const Progress& at) override;
    void note(const std::string& text) override;
    void failure(const Error& error) override;

    /// Calls `function(stage, done, total)` with the latest progress, if there is any since the last call. For
    /// onThread().
    [[nodiscard]] std::function<void()> tellerTo(const pybind11::object& function);
    /// What was noted. For use when the work has ended.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    /// What could not be read, in the order in which that was found. The same.
    [[nodiscard]] const std::vector<Error>& failures() const { return failures_; }

  private:
    std::mutex mutex_;
    std::optional<Progress> latest_;
    std::vector<std::string> notes_;
    std::vector<Error> failures_;
};

}  // namespace rankscope::python
