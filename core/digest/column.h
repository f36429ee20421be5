// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct ZSTD_DCtx_s;

namespace rankscope {

/// Why a digest cannot be read or written, in words that follow "cannot be read as a digest: ". Thrown and caught
/// inside core/digest; public functions return a Result.
class DigestFault : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The sum of two numbers of a file, which may be anything in a damaged file: it wraps around beyond 64 bits.
[[nodiscard]] constexpr std::int64_t roundSum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
/// The number that added to `b` by roundSum() gives `a`.
[[nodiscard]] constexpr std::int64_t roundDifference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// A sequence of numbers, with few bytes for small ones: seven bits per byte, the lowest first, the top bit of each
/// byte except the last set (LEB128).
class ColumnWriter {
  public:
    /// Adds a number, 0 or above.
    void put(std::uint64_t number) {
        while (number >= kMore) {
            bytes_.push_back(static_cast<char>(number % kMore + kMore));
            number /= kMore;
        }
        bytes_.push_back(static_cast<char>(number));
    }
    /// Adds a signed number: 0, -1, 1, -2, 2... are written as 0, 1, 2, 3, 4...
    void putSigned(std::int64_t number) {
        const auto bits = static_cast<std::uint64_t>(number);
        put(number < 0 ? ~(bits << 1U) : bits << 1U);
    }
    /// Adds a length, then this many bytes unchanged.
    void putText(std::string_view text) {
        put(text.size());
        bytes_.append(text);
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    static constexpr std::uint64_t kMore = 128;
    std::string bytes_;
};

/// Reads what ColumnWriter wrote, in the same order. Throws DigestFault if the bytes end too early, or if a number has
/// more than 64 bits.
class ColumnReader {
  public:
    /// `bytes` must outlive it; `name` is the column's name in errors.
    ColumnReader(std::string_view name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    /// The next number. Throws DigestFault if there is none.
    [[nodiscard]] std::uint64_t get() {
        if (!bytes_.empty()) {
            const auto byte = static_cast<unsigned char>(bytes_.front());
            if (byte < kMore) {  // the usual case
                bytes_.remove_prefix(1);
                return byte;
            }
        }
        return getLong();
    }
    /// The next number that was written by putSigned().
    [[nodiscard]] std::int64_t getSigned() {
        const std::uint64_t bits = get();
        return static_cast<std::int64_t>((bits & 1U) != 0 ? ~(bits >> 1U) : bits >> 1U);
    }
    /// The next text; it is valid as long as the bytes.
    [[nodiscard]] std::string_view getText();
    /// A number that is below `bound`.
    [[nodiscard]] std::uint64_t getBelow(std::uint64_t bound) {
        const std::uint64_t number = get();
        if (number >= bound) {
            fail("names something that does not exist");
        }
        return number;
    }
    /// The number of items that follow. Each takes at least one byte, so it is at most the number of bytes left.
    [[nodiscard]] std::size_t getCount();
    /// Throws if fewer than `count` bytes are left, so that there cannot be this many numbers.
    void expectAtLeast(std::uint64_t count) const;
    [[nodiscard]] bool atEnd() const { return bytes_.empty(); }
    /// Throws if anything is left.
    void expectEnd() const;
    [[noreturn]] void fail(const std::string& why) const;

  private:
    static constexpr unsigned char kMore = 128;
    [[nodiscard]] std::uint64_t getLong();

    std::string_view name_;
    std::string_view bytes_;
};

/// Packs the bytes of a column with zstd, with its own checksum.
[[nodiscard]] std::string packBytes(std::string_view bytes);
/// Unpacks columns, one after the other. zstd's state is created once: that takes longer than unpacking most columns.
class Unpacker {
  public:
    Unpacker();
    /// The bytes of the column `name`, which must be `size`. Throws DigestFault if they are damaged or have another
    /// size.
    [[nodiscard]] std::string unpack(std::string_view name, std::string_view packed, std::uint64_t size);

  private:
    struct Free {
        void operator()(ZSTD_DCtx_s* state) const;
    };
    std::unique_ptr<ZSTD_DCtx_s, Free> state_;
};

}  // namespace rankscope
