// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace rankscope {

/// Why something failed, in words on which a user can act: the file, the byte if known, and the cause.
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

    /// Whether there is a value. Exactly one of ok(), cancelled() and failed() is true.
    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    /// Whether the user asked to stop, so that there is no value: neither value() nor error() may be called.
    [[nodiscard]] bool cancelled() const { return state_.index() == 2; }
    /// Whether there is no value because of an error, which error() returns.
    [[nodiscard]] bool failed() const { return state_.index() == 1; }

    /// The value, in place. Throws std::bad_variant_access unless ok().
    [[nodiscard]] T& value() & { return std::get<0>(state_); }
    /// The value, const. Throws std::bad_variant_access unless ok().
    [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
    /// The value, to be moved out of a result that is no longer used. Throws std::bad_variant_access unless ok().
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
    /// What went wrong. Throws std::bad_variant_access unless failed(): a cancelled result has no error.
    [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

  private:
    std::variant<T, Error, Cancelled> state_;
};

}  // namespace rankscope
