// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace rankscope {

/// Why something could not be done, in words a user can act on: the file, the byte where known, and the cause.
struct Error {
    std::string path;
    std::optional<std::uint64_t> byte_offset;
    std::string cause;

    /// "<path>, byte <offset>: <cause>", leaving out what is unknown.
    [[nodiscard]] std::string text() const {
        std::string out = path;
        if (byte_offset) {
            out += (out.empty() ? "byte " : ", byte ") + std::to_string(*byte_offset);
        }
        return out.empty() ? cause : out + ": " + cause;
    }
};

/// The user asked to stop. A value, not an error.
struct Cancelled {};

/// A value, or why there is none.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
    Result(Cancelled cancelled) : state_(std::in_place_index<2>, cancelled) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    [[nodiscard]] bool cancelled() const { return state_.index() == 2; }
    [[nodiscard]] bool failed() const { return state_.index() == 1; }

    [[nodiscard]] T& value() & { return std::get<0>(state_); }
    [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
    [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

  private:
    std::variant<T, Error, Cancelled> state_;
};

}  // namespace rankscope
