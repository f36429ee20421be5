// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/digest/column.h"

namespace rankscope {

// One function both writes and reads a type, so both visit the same members in the same order:
//     template <class Way> void transfer(Way& way, Thing& thing) { way(thing.a); way(thing.b); }
// Way is Saving or Loading. A type with such a function is transferred as a part of another.

/// Writes plain values into a column. Does not change its arguments.
class Saving {
  public:
    explicit Saving(ColumnWriter& to) : to_(to) {}

    void operator()(std::string& text) { to_.putText(text); }
    void operator()(double& number) { to_.put(std::bit_cast<std::uint64_t>(number)); }
    template <class T>
    void operator()(T& thing) {
        if constexpr (std::is_enum_v<T>) {
            to_.put(static_cast<std::uint64_t>(thing));
        } else if constexpr (std::signed_integral<T>) {
            to_.putSigned(thing);
        } else if constexpr (std::unsigned_integral<T>) {
            to_.put(thing);
        } else {
            transfer(*this, thing);
        }
    }
    template <class T>
    void operator()(std::optional<T>& thing) {
        to_.put(thing ? 1U : 0U);
        if (thing) {
            (*this)(*thing);
        }
    }
    template <class T>
    void operator()(std::vector<T>& things) {
        to_.put(things.size());
        for (T& thing : things) {
            (*this)(thing);
        }
    }
    void operator()(std::map<std::string, std::string>& texts) {
        to_.put(texts.size());
        for (auto& [key, text] : texts) {
            to_.putText(key);
            to_.putText(text);
        }
    }
    /// A value of an enum whose last value is `last`.
    template <class T>
    void upTo(T& value, T /*last*/) {
        (*this)(value);
    }

  private:
    ColumnWriter& to_;
};

/// Reads them back. Throws DigestFault if there is no such value.
class Loading {
  public:
    explicit Loading(ColumnReader& from) : from_(from) {}

    void operator()(std::string& text) { text = from_.getText(); }
    void operator()(double& number) { number = std::bit_cast<double>(from_.get()); }
    void operator()(bool& flag) { flag = from_.getBelow(2) == 1; }
    template <class T>
    void operator()(T& thing) {
        if constexpr (std::signed_integral<T>) {
            thing = narrowed<T>(from_.getSigned());
        } else if constexpr (std::unsigned_integral<T>) {
            thing = narrowed<T>(from_.get());
        } else {
            transfer(*this, thing);
        }
    }
    template <class T>
    void operator()(std::optional<T>& thing) {
        thing.reset();
        if (from_.getBelow(2) == 1) {
            (*this)(thing.emplace());
        }
    }
    template <class T>
    void operator()(std::vector<T>& things) {
        things.clear();
        things.resize(from_.getCount());
        for (T& thing : things) {
            (*this)(thing);
        }
    }
    void operator()(std::map<std::string, std::string>& texts) {
        for (std::size_t left = from_.getCount(); left > 0; --left) {
            const std::string key(from_.getText());
            texts[key] = from_.getText();
        }
    }
    /// Reads an enumerator that is at most `last`.
    template <class T>
    void upTo(T& value, T last) {
        value = static_cast<T>(from_.getBelow(static_cast<std::uint64_t>(last) + 1));
    }

  private:
    template <class T, class Wide>
    [[nodiscard]] T narrowed(Wide number) const {
        if (!std::in_range<T>(number)) {
            from_.fail("contains a number that is too large");
        }
        return static_cast<T>(number);
    }

    ColumnReader& from_;
};

/// Writes or reads the number.
template <class Way>
void transfer(Way& way, RankNumber& rank) {
    way(rank.value);
}

/// Writes or reads the id.
template <class Way>
void transfer(Way& way, StringId& id) {
    // Plus one, so a missing text costs one byte, not five.
    std::uint32_t number = id.value + 1U;
    way(number);
    id.value = number - 1U;
}

}  // namespace rankscope
