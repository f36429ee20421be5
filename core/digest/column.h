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
/// inside core/digest; what others call gives a Result.
class DigestFault : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The sum of two numbers of a file. Those of a damaged file may be anything: it wraps around beyond 64 bits.
[[nodiscard]] constexpr std::int64_t roundSum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
/// What has to be added to `b` for `a`, by roundSum().
[[nodiscard]] constexpr std::int64_t roundDifference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// Numbers one behind the other, small ones in few bytes: seven bits a byte, the lowest first, the top bit of each byte
/// but the last set (LEB128).
class ColumnWriter {
  public:
    /// Numbers from 0 up.
    void put(std::uint64_t number) {
        while (number >= kMore) {
            bytes_.push_back(static_cast<char>(number % kMore + kMore));
            number /= kMore;
        }
        bytes_.push_back(static_cast<char>(number));
    }
    /// Numbers on both sides of 0: 0, -1, 1, -2, 2... as 0, 1, 2, 3, 4...
    void putSigned(std::int64_t number) {
        const auto bits = static_cast<std::uint64_t>(number);
        put(number < 0 ? ~(bits << 1U) : bits << 1U);
    }
    /// A length, then this many bytes as they are.
    void putText(std::string_view text) {
        put(text.size());
        bytes_.append(text);
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    static constexpr std::uint64_t kMore = 128;
    std::string bytes_;
};

/// Reads what ColumnWriter wrote, in the same order. Throws DigestFault where the bytes end too early, and where a
/// number has more than 64 bits.
class ColumnReader {
  public:
    /// `bytes` must outlive it; `name` is what errors call the column.
    ColumnReader(std::string_view name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    /// The next number. Throws DigestFault where none is left.
    [[nodiscard]] std::uint64_t get() {
        if (!bytes_.empty()) {
            const auto byte = static_cast<unsigned char>(bytes_.front());
            if (byte < kMore) {  // as most are
                bytes_.remove_prefix(1);
                return byte;
            }
        }
        return getLong();
    }
    /// The next number that was written with a sign.
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
    /// The number of things that follow. Each takes at least one byte, so it is at most the number of bytes left.
    [[nodiscard]] std::size_t getCount();
    /// Throws where fewer than `count` bytes are left: fewer than this many numbers.
    void expectAtLeast(std::uint64_t count) const;
    [[nodiscard]] bool atEnd() const { return bytes_.empty(); }
    /// Throws where anything is left.
    void expectEnd() const;
    [[noreturn]] void fail(const std::string& why) const;

  private:
    static constexpr unsigned char kMore = 128;
    [[nodiscard]] std::uint64_t getLong();

    std::string_view name_;
    std::string_view bytes_;
};

/// Packs the bytes of a column with zstd, with a checksum of its own.
[[nodiscard]] std::string packBytes(std::string_view bytes);
/// Unpacks columns, one after the other: zstd's state, which takes longer to make than most columns take to unpack, is
/// made once.
class Unpacker {
  public:
    Unpacker();
    /// The bytes of the column `name`. `size` is how many they were. Throws DigestFault where they are damaged or are
    /// not as many.
    [[nodiscard]] std::string unpack(std::string_view name, std::string_view packed, std::uint64_t size);

  private:
    struct Free {
        void operator()(ZSTD_DCtx_s* state) const;
    };
    std::unique_ptr<ZSTD_DCtx_s, Free> state_;
};

}  // namespace rankscope
