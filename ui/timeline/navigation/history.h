// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rankscope::ui {

/// States that were left, to go back to and forward again, as a browser does with pages. It keeps the last 100 of each
/// way; neighbours that are equal are kept once. `T` is a value that can be compared.
template <class T>
class History {
  public:
    /// `state` is left for another one; what there was to go forward to is forgotten.
    void leave(const T& state) {
        ahead_.clear();
        push(behind_, state);
    }
    /// The state that was left last, for which `here` becomes the first to go forward to; nothing where none was left.
    [[nodiscard]] std::optional<T> back(const T& here) { return step(behind_, ahead_, here); }
    /// The state that back() came from, for which `here` becomes the first to go back to; nothing where it did not.
    [[nodiscard]] std::optional<T> forward(const T& here) { return step(ahead_, behind_, here); }
    /// Forgets all.
    void clear() {
        behind_.clear();
        ahead_.clear();
    }
    /// Lets `change` change each state that is kept.
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
        // The user may be at the next place already: then there is a state behind it.
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

    std::vector<T> behind_;  // the last one left is the last
    std::vector<T> ahead_;   // the first one to go to is the last
};

}  // namespace rankscope::ui
