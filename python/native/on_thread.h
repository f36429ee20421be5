// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <functional>
#include <future>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace rankscope::python {

/// Returns what `work(stop)` returns on another thread, while other Python threads run. Calls `meanwhile` ten times per
/// second on this thread, with the interpreter's lock. Ctrl+C, or an exception of `meanwhile`, stops the work; the
/// exception is thrown when the work has ended.
template <class Work>
std::invoke_result_t<Work, std::stop_token> onThread(Work work, const std::function<void()>& meanwhile = {}) {
    constexpr std::chrono::milliseconds kBetween{100};
    std::stop_source stop;
    auto result = std::async(std::launch::async, std::move(work), stop.get_token());
    for (;;) {
        {
            const pybind11::gil_scoped_release released;
            if (result.wait_for(kBetween) == std::future_status::ready) {
                break;
            }
        }
        try {
            if (PyErr_CheckSignals() != 0) {
                throw pybind11::error_already_set();
            }
            if (meanwhile) {
                meanwhile();
            }
        } catch (...) {
            stop.request_stop();
            const pybind11::gil_scoped_release released;
            result.wait();
            throw;
        }
    }
    return result.get();
}

}  // namespace rankscope::python
