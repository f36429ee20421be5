// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace rankscope {

/// The tokens of a JSON text: brackets, commas and colons outside strings, strings, and bare words (such as numbers).
/// The first stage of simdjson finds them, many bytes at once. Callers access them by number, in any order and any
/// number of times, and skip others at no cost. The caller checks the grammar.
class JsonTokens {
  public:
    /// Bytes after the text that must be readable.
    static constexpr std::size_t kPadding = 64;

    JsonTokens();
    ~JsonTokens();
    JsonTokens(const JsonTokens&) = delete;
    JsonTokens& operator=(const JsonTokens&) = delete;
    JsonTokens(JsonTokens&&) = delete;
    JsonTokens& operator=(JsonTokens&&) = delete;

    /// Finds the tokens of `size` bytes at `text`, which must stay valid. Returns what is wrong if it is not UTF-8, if
    /// a string is open at the end or contains a bare control character, or if there are no tokens; else nothing.
    [[nodiscard]] std::string_view find(const char* text, std::size_t size);

    /// The number of tokens of the text that find() was last called with; 0 before that.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Where token `i` begins. Tokens size() and size() + 1 begin at the end of the text.
    [[nodiscard]] const char* at(std::size_t i) const { return text_ + places_[i]; }
    /// The first character of token `i`, which shows its kind. Undefined for token size().
    [[nodiscard]] char kind(std::size_t i) const { return *at(i); }
    /// The text of a token that is a word or string, with its quotes, without white space after it.
    [[nodiscard]] std::string_view text(std::size_t i) const;
    /// The token after the value that begins with token `i`, by counting brackets only; size() if they are never
    /// closed.
    [[nodiscard]] std::size_t behind(std::size_t i) const;

  private:
    struct Finder;
    std::unique_ptr<Finder> finder_;
    const char* text_ = nullptr;
    const std::uint32_t* places_ = nullptr;
    std::size_t size_ = 0;
};

inline std::string_view JsonTokens::text(std::size_t i) const {
    const char* const begin = at(i);
    const char* end = at(i + 1);
    while (end != begin && (end[-1] == ' ' || end[-1] == '\n' || end[-1] == '\r' || end[-1] == '\t')) {
        --end;
    }
    return {begin, static_cast<std::size_t>(end - begin)};
}

inline std::size_t JsonTokens::behind(std::size_t i) const {
    // '[' and '{' differ by this bit only, and so do ']' and '}'.
    constexpr unsigned kBracketBit = 0x20;
    const auto bracket = [&] { return static_cast<unsigned char>(kind(i)) | kBracketBit; };
    std::size_t open = bracket() == '{' ? 1 : 0;
    ++i;
    for (; open > 0 && i < size_; ++i) {
        const unsigned c = bracket();
        open += c == '{' ? 1U : 0U;
        open -= c == '}' ? 1U : 0U;
    }
    return open == 0 ? i : size_;
}

}  // namespace rankscope
