// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rankscope::ui {

/// Previous states, for going back and forward as in a browser. It keeps the last 100 in each direction; equal
/// neighbours are kept once. `T` must be comparable.
template <class T>
class History {
  public:
    /// `state` is replaced by another one; the forward states are dropped.
    void leave(const T& state) {
        ahead_.clear();
        push(behind_, state);
    }
    /// The previous state; `here` becomes the first forward state. Nothing if there is none.
    [[nodiscard]] std::optional<T> back(const T& here) { return step(behind_, ahead_, here); }
    /// The state that back() left; `here` becomes the previous state. Nothing if there is none.
    [[nodiscard]] std::optional<T> forward(const T& here) { return step(ahead_, behind_, here); }
    /// Drops all states.
    void clear() {
        behind_.clear();
        ahead_.clear();
    }
    /// Applies `change` to each stored state.
    template <class Change>
    void forEach(const Change& change) {
        for (std::vector<T>* states : {&behind_, &ahead_}) {
            for (T& state : *states) {
                change(state);
            }
        }
    }

  private:
    static constexpr std::size_t kMost = 100;

    static void push(std::vector<T>& states, const T& state) {
        if (!states.empty() && states.back() == state) {
            return;
        }
        if (states.size() == kMost) {
            states.erase(states.begin());
        }
        states.push_back(state);
    }
    static std::optional<T> step(std::vector<T>& from, std::vector<T>& to, const T& here) {
        // The user may be at the next place already: then the one after it is used.
        while (!from.empty() && from.back() == here) {
            from.pop_back();
        }
        if (from.empty()) {
            return std::nullopt;
        }
        const T state = from.back();
        from.pop_back();
        push(to, here);
        return state;
    }

    std::vector<T> behind_;  // the most recent one is the last
    std::vector<T> ahead_;   // the first forward state is the last
};

}  // namespace rankscope::ui
