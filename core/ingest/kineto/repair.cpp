// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/repair.h"

#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>

#include "core/ingest/kineto/json_text.h"

namespace rankscope {
namespace {

unsigned char byteAt(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// Length of the valid UTF-8 sequence at `at`, or 0.
std::size_t utf8Length(std::string_view text, std::size_t at) {
    const unsigned char lead = byteAt(text, at);
    const auto follows = [&](std::size_t i, unsigned low, unsigned high) {
        const unsigned char c = byteAt(text, at + i);
        return c >= low && c <= high;
    };
    const auto tail = [&](std::size_t i) { return follows(i, 0x80, 0xbf); };
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xc2 && lead <= 0xdf) {
        return tail(1) ? 2 : 0;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        const unsigned low = lead == 0xe0 ? 0xa0 : 0x80;
        const unsigned high = lead == 0xed ? 0x9f : 0xbf;
        return follows(1, low, high) && tail(2) ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        const unsigned low = lead == 0xf0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xf4 ? 0x8f : 0xbf;
        return follows(1, low, high) && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}

/// Writes a repaired copy of an event, from left to right.
class Repairer {
  public:
    explicit Repairer(std::string_view in) : in_(in), quotes_(in, "\""), newlines_(in, "\n") {
        out_.reserve(in.size() + 64);
    }

    std::string run() {
        while (at_ < in_.size()) {
            const char c = in_[at_];
            if (c == '"') {
                text(expects_key_);
            } else if (c == '{' || c == '[') {
                open(c);
            } else if (c == '}' || c == ']' || c == ',' || c == ':') {
                punctuation(c);
            } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
                out_ += c;
                ++at_;
            } else {
                bareWord();
            }
        }
        return std::move(out_);
    }

  private:
    void open(char c) {
        putMissingComma();
        nesting_ += c;
        expects_key_ = c == '{';
        after_value_ = false;
        out_ += c;
        ++at_;
    }

    void punctuation(char c) {
        if (c == '}' || c == ']') {
            dropTrailingComma();
            if (!nesting_.empty()) {
                nesting_.pop_back();
            }
            after_value_ = true;
            expects_key_ = false;
        } else {
            after_value_ = false;
            expects_key_ = c == ',' && !nesting_.empty() && nesting_.back() == '{';
        }
        out_ += c;
        ++at_;
    }

    void putMissingComma() {
        if (after_value_) {
            out_ += ',';
            after_value_ = false;
            expects_key_ = !nesting_.empty() && nesting_.back() == '{';
        }
    }

    void dropTrailingComma() {
        std::size_t end = out_.size();
        while (end > 0 && std::isspace(static_cast<unsigned char>(out_[end - 1])) != 0) {
            --end;
        }
        if (end > 0 && out_[end - 1] == ',') {
            out_.erase(end - 1, 1);
        }
    }

    /// Whether a quote at `at` closes the string, judged by what follows.
    [[nodiscard]] bool closes(std::size_t at, bool key) {
        const std::size_t next = skipSpace(in_, at + 1);
        const unsigned char c = byteAt(in_, next);
        if (key) {
            return c == ':';
        }
        if (c == '}' || c == ']' || c == 0) {
            return true;
        }
        const bool in_array = !nesting_.empty() && nesting_.back() == '[';
        if (c != ',') {
            return c == '"' && !in_array && startsKey(next);  // the comma is missing
        }
        const std::size_t behind = skipSpace(in_, next + 1);
        const unsigned char after = byteAt(in_, behind);
        if (in_array) {
            return std::isdigit(after) != 0 ||
                   (after != 0 && std::string_view("\"[{-]").find(static_cast<char>(after)) != kNowhere);
        }
        return after == 0 || after == '}' || startsKey(behind);
    }

    /// Whether a key and its colon are at `at`, also if the key lacks its opening quote.
    [[nodiscard]] bool startsKey(std::size_t at) {
        const std::size_t start = byteAt(in_, at) == '"' ? at + 1 : at;
        const std::size_t quote = quotes_.from(start);
        return quote != kNowhere && in_.substr(start, quote - start).find_first_of(",:{}[]\n") == kNowhere &&
               byteAt(in_, skipSpace(in_, quote + 1)) == ':';
    }

    void text(bool key) {
        putMissingComma();
        key = key || expects_key_;
        out_ += '"';
        for (++at_; at_ < in_.size(); ++at_) {
            const char c = in_[at_];
            if (c == '"') {
                if (closes(at_, key)) {
                    ++at_;
                    break;
                }
                out_ += "\\\"";
            } else if (c == '\\') {
                escape();
            } else if (static_cast<unsigned char>(c) < 0x20) {
                std::array<char, 8> code{};
                std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
                out_ += code.data();
            } else {
                out_ += c;
            }
        }
        out_ += '"';
        after_value_ = !key;
        expects_key_ = false;
    }

    /// A backslash: kept if it escapes something, else doubled.
    void escape() {
        const unsigned char next = byteAt(in_, at_ + 1);
        const bool unicode = next == 'u' && isHex(at_ + 2) && isHex(at_ + 3) && isHex(at_ + 4) && isHex(at_ + 5);
        const bool known = next != 0 && std::string_view("\"\\/bfnrt").find(static_cast<char>(next)) != kNowhere;
        // A path that ends in a backslash: the quote after it closes the string.
        const bool ends_here = next == '"' && closes(at_ + 1, false) && !closesLater(at_ + 2);
        if ((unicode || known) && !ends_here) {
            out_ += '\\';
            out_ += static_cast<char>(next);
            ++at_;
        } else {
            out_ += "\\\\";
        }
    }

    [[nodiscard]] bool closesLater(std::size_t from) {
        const std::size_t line_end = newlines_.from(from);
        const std::size_t quote = quotes_.from(from);
        return quote != kNowhere && quote < line_end && closes(quote, false);
    }

    [[nodiscard]] bool isHex(std::size_t at) const { return std::isxdigit(byteAt(in_, at)) != 0; }

    void bareWord() {
        putMissingComma();
        const std::size_t start = at_;
        if (expects_key_) {
            const std::size_t quote = quotes_.from(start);
            const std::string_view key = in_.substr(start, quote == kNowhere ? 0 : quote - start);
            if (!key.empty() && key.find_first_of(",:{}[]\n") == kNowhere) {  // a key without its opening quote
                out_ += '"';
                out_ += key;
                out_ += '"';
                at_ = quote + 1;
                expects_key_ = false;
                return;
            }
        }
        while (at_ < in_.size() && std::string_view(",}] \n\r\t").find(in_[at_]) == kNowhere) {
            ++at_;
        }
        const std::string_view word = in_.substr(start, at_ - start);
        const bool number = word.find_first_not_of("0123456789+-.eE") == kNowhere;
        out_ += number || word == "true" || word == "false" || word == "null" ? word : std::string_view("null");
        after_value_ = true;
        expects_key_ = false;
    }

    std::string_view in_;
    ForwardSearch quotes_;  // otherwise texts without any would be searched to their end for each word
    ForwardSearch newlines_;
    std::string out_;
    std::string nesting_;
    std::size_t at_ = 0;
    bool expects_key_ = false;
    bool after_value_ = false;
};

void appendUtf8(std::string& out, std::uint32_t code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | (code >> 6U));
        out += static_cast<char>(0x80 | (code & 0x3fU));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | (code >> 12U));
        out += static_cast<char>(0x80 | ((code >> 6U) & 0x3fU));
        out += static_cast<char>(0x80 | (code & 0x3fU));
    } else {
        out += static_cast<char>(0xf0 | (code >> 18U));
        out += static_cast<char>(0x80 | ((code >> 12U) & 0x3fU));
        out += static_cast<char>(0x80 | ((code >> 6U) & 0x3fU));
        out += static_cast<char>(0x80 | (code & 0x3fU));
    }
}

/// The four hex digits at `at`, or -1.
std::int32_t hex4(std::string_view text, std::size_t at) {
    std::int32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
        const unsigned char c = byteAt(text, i);
        if (std::isxdigit(c) == 0) {
            return -1;
        }
        value = value * 16 + (std::isdigit(c) != 0 ? c - '0' : std::tolower(c) - 'a' + 10);
    }
    return value;
}

/// Decodes \uXXXX at `at` (its backslash), also surrogate pairs; returns the length used, or 0 if it is invalid.
std::size_t unescapeUnicode(std::string_view raw, std::size_t at, std::string& out) {
    const std::int32_t first = hex4(raw, at + 2);
    if (first < 0) {
        return 0;
    }
    auto code = static_cast<std::uint32_t>(first);
    if (code >= 0xd800 && code < 0xdc00 && byteAt(raw, at + 6) == '\\' && byteAt(raw, at + 7) == 'u') {
        const std::int32_t second = hex4(raw, at + 8);
        if (second >= 0xdc00 && second < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10U) + (static_cast<std::uint32_t>(second) - 0xdc00);
            appendUtf8(out, code);
            return 12;
        }
    }
    constexpr std::uint32_t kReplacement = 0xfffd;
    appendUtf8(out, code >= 0xd800 && code < 0xe000 ? kReplacement : code);
    return 6;
}

}  // namespace

std::string repairEvent(std::string_view event) {
    return Repairer(mendUtf8(event)).run();
}

std::string mendUtf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8Length(text, at);
        if (length == 0) {
            out += "\xef\xbf\xbd";
            ++at;
        } else {
            out += text.substr(at, length);
            at += length;
        }
    }
    return out;
}

std::optional<std::string> unescape(std::string_view raw) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    std::string out;
    out.reserve(raw.size());
    for (std::size_t at = 0; at < raw.size(); ++at) {
        if (raw[at] != '\\') {
            out += raw[at];
            continue;
        }
        const unsigned char next = byteAt(raw, at + 1);
        const std::size_t letter = next == 0 ? kNowhere : kLetters.find(static_cast<char>(next));
        if (letter != kNowhere) {
            out += kMeanings[letter];
            ++at;
            continue;
        }
        const std::size_t used = next == 'u' ? unescapeUnicode(raw, at, out) : 0;
        if (used == 0) {
            return std::nullopt;
        }
        at += used - 1;
    }
    return out;
}

}  // namespace rankscope
