// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/pickle/read_pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/pickle/pickle_opcodes.h"

namespace rankscope {
namespace {

constexpr std::uint8_t kFirstProtocol = 2;
constexpr std::uint8_t kLastProtocol = 5;

/// The bytes of a stream, one by one or several at once: zeros after its end, which ended() reports.
class Bytes {
  public:
    explicit Bytes(ByteStream& stream) : stream_(stream), buffer_(kBuffer) {}

    [[nodiscard]] std::uint64_t position() const { return before_ + at_; }

    std::uint8_t one() {
        if (at_ == filled_ && !fill()) {
            return 0;
        }
        return static_cast<std::uint8_t>(buffer_[at_++]);
    }

    /// An unsigned number of `Width` bytes, the least first.
    template <std::size_t Width>
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < Width; ++i) {
            value |= static_cast<std::uint64_t>(one()) << (8 * i);
        }
        return value;
    }

    /// The next `count` bytes, of which only the first `kept` are returned. A claimed length costs nothing: only bytes
    /// in the file are read.
    std::string take(std::uint64_t count, std::uint64_t kept) {
        std::string out;
        while (count > 0) {
            if (at_ == filled_ && !fill()) {
                break;
            }
            const std::uint64_t here = std::min<std::uint64_t>(count, filled_ - at_);
            out.append(buffer_.data() + at_, std::min<std::uint64_t>(here, kept - out.size()));
            at_ += here;
            count -= here;
        }
        return out;
    }

    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] const std::optional<std::string>& damage() const { return stream_.damage(); }

  private:
    static constexpr std::size_t kBuffer = std::size_t{256} * 1024;

    bool fill() {
        before_ += filled_;
        at_ = 0;
        filled_ = stream_.read(std::span(buffer_));
        ended_ = filled_ == 0;
        return !ended_;
    }

    ByteStream& stream_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;
    std::size_t filled_ = 0;
    std::uint64_t before_ = 0;  // bytes of the stream in front of the buffer
    bool ended_ = false;
};

/// The stack machine that executes a pickle, with only the instructions for plain data.
class PickleReader {
  public:
    PickleReader(ByteStream& stream, std::string path, const PickleLimits& limits)
        : bytes_(stream), path_(std::move(path)), limits_(limits) {}

    Result<PickleData> read() {
        readAll();
        if (bytes_.ended()) {
            return Error{path_, opcode_at_,
                         bytes_.damage().value_or("the file is cut off: it ends inside what begins here")};
        }
        if (refused_) {
            return Error{path_, opcode_at_, *refused_};
        }
        return std::move(data_);
    }

  private:
    /// Texts longer than this are cut: no part of a snapshot is that long.
    static constexpr std::uint64_t kLongestText = 2048;
    static constexpr std::uint64_t kOpcodesBetweenChecks = 16'384;
    /// Picklers number remembered values consecutively.
    static constexpr std::uint64_t kMostSkipped = 16;

    void readAll() {
        if (bytes_.one() != static_cast<std::uint8_t>(Opcode::Proto)) {
            fail("is not a pickle of protocol 2 or later");
            return;
        }
        checkProtocol();
        for (std::uint64_t count = 1; !refused_ && !bytes_.ended(); ++count) {
            opcode_at_ = bytes_.position();
            const std::uint8_t code = bytes_.one();
            if (code == static_cast<std::uint8_t>(Opcode::Stop)) {
                data_.root = pop();
                return;
            }
            if (bytes_.ended()) {
                return;
            }
            if (!readStack(code) && !readNumber(code) && !readText(code) && !readContainer(code) && !readMemo(code)) {
                refuse(code);
            }
            if (count % kOpcodesBetweenChecks == 0) {
                checkMemory();
            }
        }
    }

    /// Keeps the first cause: after it, up to the end of the opcode, operations have no effect.
    void fail(std::string cause) {
        if (!refused_) {
            refused_ = std::move(cause);
        }
    }

    void checkProtocol() {
        const std::uint8_t protocol = bytes_.one();
        if (protocol < kFirstProtocol || protocol > kLastProtocol) {
            fail(fmt::format("is a pickle of protocol {}; only 2 to 5 can be read", protocol));
        }
    }

    void refuse(std::uint8_t code) {
        const std::string_view name = refusedOpcodeName(code);
        fail(name.empty()
                 ? fmt::format("0x{:02x} is not a pickle opcode", code)
                 : fmt::format("the opcode {} (0x{:02x}) is more than plain data; nothing of it was run", name, code));
    }

    [[nodiscard]] std::uint64_t held() const {
        return data_.memoryBytes() + data_.strings().memoryBytes() +
               (stack_.capacity() + memo_.capacity()) * sizeof(PickleValue) + marks_.capacity() * sizeof(std::size_t);
    }

    void checkMemory() {
        const std::uint64_t allowed =
            std::min(limits_.most_bytes, limits_.spare_bytes + limits_.times * bytes_.position());
        if (held() > allowed) {
            fail("its content takes far more memory than its size, unlike any snapshot");
        }
    }

    // The stack, above the innermost mark.

    [[nodiscard]] std::size_t bottom() const { return marks_.empty() ? 0 : marks_.back(); }

    void push(PickleValue value) { stack_.push_back(value); }

    PickleValue pop() {
        if (stack_.size() <= bottom()) {
            fail("takes a value where there is none");
            return {};
        }
        const PickleValue value = stack_.back();
        stack_.pop_back();
        return value;
    }

    /// The start of the values above the innermost mark; removes the mark.
    std::size_t takeMark() {
        if (marks_.empty()) {
            fail("goes back to a mark where there is none");
            return stack_.size();
        }
        const std::size_t from = marks_.back();
        marks_.pop_back();
        return from;
    }

    // The instructions, by kind. Each returns false for an opcode of another kind.

    bool readStack(std::uint8_t code) {
        switch (static_cast<Opcode>(code)) {
            case Opcode::Mark: marks_.push_back(stack_.size()); return true;
            case Opcode::Pop:
                if (!marks_.empty() && marks_.back() == stack_.size()) {
                    marks_.pop_back();
                } else {
                    (void)pop();
                }
                return true;
            case Opcode::PopMark: stack_.resize(takeMark()); return true;
            case Opcode::Dup: {
                const PickleValue value = pop();
                push(value);
                push(value);
                return true;
            }
            case Opcode::Frame: (void)bytes_.number<8>(); return true;
            case Opcode::Proto: checkProtocol(); return true;
            default: return false;
        }
    }

    bool readNumber(std::uint8_t code) {
        switch (static_cast<Opcode>(code)) {
            case Opcode::None: push({}); return true;
            case Opcode::NewTrue: push({PickleKind::Boolean, 1}); return true;
            case Opcode::NewFalse: push({PickleKind::Boolean, 0}); return true;
            case Opcode::BinInt1: push(data_.addInteger(bytes_.one())); return true;
            case Opcode::BinInt2: push(data_.addInteger(static_cast<std::int64_t>(bytes_.number<2>()))); return true;
            case Opcode::BinInt: push(data_.addInteger(static_cast<std::int32_t>(bytes_.number<4>()))); return true;
            case Opcode::Long1: pushLong(bytes_.one()); return true;
            case Opcode::Long4: {
                const auto length = static_cast<std::int32_t>(bytes_.number<4>());
                if (length < 0) {
                    fail("a number has a negative length");
                    return true;
                }
                pushLong(static_cast<std::uint64_t>(length));
                return true;
            }
            case Opcode::BinFloat: {
                std::uint64_t bits = 0;  // the greatest byte first, unlike everything else
                for (int i = 0; i < 8; ++i) {
                    bits = bits << 8U | bytes_.one();
                }
                push(data_.addReal(std::bit_cast<double>(bits)));
                return true;
            }
            default: return false;
        }
    }

    /// A two's complement number, little-endian. One that does not fit into 64 bits becomes a number that no field of a
    /// snapshot accepts.
    void pushLong(std::uint64_t length) {
        const std::string digits = bytes_.take(length, sizeof(std::uint64_t) + 1);
        if (digits.size() < std::min<std::uint64_t>(length, sizeof(std::uint64_t) + 1)) {
            return;  // the file ended
        }
        const bool unsigned_64 = length == sizeof(std::uint64_t) + 1 && digits.back() == 0;
        const bool fits = length <= sizeof(std::uint64_t) || unsigned_64;
        if (!fits) {
            push(data_.addReal(std::numeric_limits<double>::quiet_NaN()));
            return;
        }
        const bool negative = !unsigned_64 && !digits.empty() && (digits.back() & 0x80) != 0;
        std::uint64_t bits = negative ? ~std::uint64_t{0} : 0;
        for (std::size_t i = std::min(digits.size(), sizeof(bits)); i > 0; --i) {
            bits = bits << 8U | static_cast<std::uint8_t>(digits[i - 1]);
        }
        push(data_.addInteger(static_cast<std::int64_t>(bits)));
    }

    bool readText(std::uint8_t code) {
        switch (static_cast<Opcode>(code)) {
            case Opcode::ShortBinUnicode:
            case Opcode::ShortBinString: pushText(bytes_.one()); return true;
            case Opcode::BinUnicode: pushText(bytes_.number<4>()); return true;
            case Opcode::BinUnicode8: pushText(bytes_.number<8>()); return true;
            case Opcode::BinString: {
                const std::uint64_t length = bytes_.number<4>();
                if (length > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
                    fail("a text has a negative length");
                    return true;
                }
                pushText(length);
                return true;
            }
            case Opcode::ShortBinBytes: pushBytes(bytes_.one()); return true;
            case Opcode::BinBytes: pushBytes(bytes_.number<4>()); return true;
            case Opcode::BinBytes8:
            case Opcode::ByteArray8: pushBytes(bytes_.number<8>()); return true;
            default: return false;
        }
    }

    void pushText(std::uint64_t length) {
        const StringId id = data_.strings().intern(bytes_.take(length, kLongestText));
        push({PickleKind::Text, id.value});
    }

    /// No field of a snapshot contains bytes, so only their length is kept.
    void pushBytes(std::uint64_t length) {
        (void)bytes_.take(length, 0);
        push({PickleKind::Bytes, length});
    }

    bool readContainer(std::uint8_t code) {
        switch (static_cast<Opcode>(code)) {
            case Opcode::EmptyList: push(data_.addContainer(PickleKind::List)); return true;
            case Opcode::EmptyDict: push(data_.addContainer(PickleKind::Dict)); return true;
            case Opcode::EmptyTuple: push(data_.addContainer(PickleKind::Tuple)); return true;
            case Opcode::Tuple1: pushFilled(PickleKind::Tuple, above(1)); return true;
            case Opcode::Tuple2: pushFilled(PickleKind::Tuple, above(2)); return true;
            case Opcode::Tuple3: pushFilled(PickleKind::Tuple, above(3)); return true;
            case Opcode::Tuple: pushFilled(PickleKind::Tuple, takeMark()); return true;
            case Opcode::List: pushFilled(PickleKind::List, takeMark()); return true;
            case Opcode::Dict: pushFilled(PickleKind::Dict, takeMark()); return true;
            case Opcode::Append: addAbove(PickleKind::List, above(1)); return true;
            case Opcode::SetItem: addAbove(PickleKind::Dict, above(2)); return true;
            case Opcode::Appends: addAbove(PickleKind::List, takeMark()); return true;
            case Opcode::SetItems: addAbove(PickleKind::Dict, takeMark()); return true;
            default: return false;
        }
    }

    /// The start of the topmost `count` values.
    [[nodiscard]] std::size_t above(std::size_t count) {
        if (stack_.size() < bottom() + count) {
            fail("takes a value where there is none");
            return stack_.size();
        }
        return stack_.size() - count;
    }

    /// Moves the values from `from` on from the stack into `container`.
    void moveInto(PickleValue container, std::size_t from) {
        const std::size_t count = stack_.size() - from;
        if (container.kind() == PickleKind::Dict && count % 2 != 0) {
            fail("a key of a dict has no value");
            return;
        }
        data_.addItems(container, stack_.data() + from, count);
        stack_.resize(from);
    }

    void pushFilled(PickleKind kind, std::size_t from) {
        const PickleValue container = data_.addContainer(kind);
        moveInto(container, from);
        push(container);
    }

    void addAbove(PickleKind kind, std::size_t from) {
        if (from <= bottom() || stack_[from - 1].kind() != kind) {
            fail(kind == PickleKind::List ? "adds to a list where there is none"
                                          : "adds to a dict where there is none");
            return;
        }
        moveInto(stack_[from - 1], from);
    }

    bool readMemo(std::uint8_t code) {
        switch (static_cast<Opcode>(code)) {
            case Opcode::Memoize: put(memo_.size()); return true;
            case Opcode::BinPut: put(bytes_.one()); return true;
            case Opcode::LongBinPut: put(bytes_.number<4>()); return true;
            case Opcode::BinGet: get(bytes_.one()); return true;
            case Opcode::LongBinGet: get(bytes_.number<4>()); return true;
            default: return false;
        }
    }

    void put(std::uint64_t place) {
        if (place > memo_.size() + kMostSkipped) {
            fail(fmt::format("remembers value {} when there are {}", place, memo_.size()));
            return;
        }
        const PickleValue value = pop();
        push(value);
        if (place >= memo_.size()) {
            memo_.resize(place + 1);
        }
        memo_[place] = value;
    }

    void get(std::uint64_t place) {
        if (place >= memo_.size()) {
            fail(fmt::format("takes value {}, which was never remembered", place));
            return;
        }
        push(memo_[place]);
    }

    Bytes bytes_;
    std::string path_;
    PickleLimits limits_;
    PickleData data_;
    std::vector<PickleValue> stack_;
    std::vector<std::size_t> marks_;
    std::vector<PickleValue> memo_;
    std::uint64_t opcode_at_ = 0;
    std::optional<std::string> refused_;
};

}  // namespace

bool beginsLikePickle(std::string_view front) {
    return front.size() >= 2 && front[0] == '\x80' && front[1] >= kFirstProtocol && front[1] <= kLastProtocol;
}

Result<PickleData> readPickle(ByteStream& stream, const std::string& path, const PickleLimits& limits) {
    return PickleReader(stream, path, limits).read();
}

}  // namespace rankscope
