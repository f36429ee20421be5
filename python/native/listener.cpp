// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/native/listener.h"

namespace rankscope::python {

void Listener::progress(const Progress& at) {
    const std::scoped_lock lock(mutex_);
    latest_ = at;
}

void Listener::note(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    notes_.push_back(text);
}

void Listener::failure(const Error& error) {
    const std::scoped_lock lock(mutex_);
    failures_.push_back(error);
}

std::function<void()> Listener::tellerTo(const pybind11::object& function) {
    if (function.is_none()) {
        return {};
    }
    return [this, function] {
        std::optional<Progress> latest;
        {
            const std::scoped_lock lock(mutex_);
            latest = std::exchange(latest_, std::nullopt);
        }
        if (latest) {
            function(latest->stage, latest->done, latest->total);
        }
    };
}

}  // namespace rankscope::python
