// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/ingest/nccl_log/log_builder.h"

namespace rankscope::nccl {
namespace {

constexpr std::string_view kOpCount = ": opCount ";
/// Names of calls are shorter: what is in front of the number must be one.
constexpr std::size_t kLongestKind = 32;
constexpr std::size_t kMostShapes = std::size_t{1} << 20;
constexpr std::size_t kMostShapeRows = std::size_t{1} << 22;
constexpr std::size_t kMostOrdered = std::size_t{1} << 24;
constexpr std::size_t kMostChoices = std::size_t{1} << 14;
constexpr int kHexadecimal = 16;

bool isKind(std::string_view text) {
    return !text.empty() && text.size() <= kLongestKind && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    });
}

/// The fields of a call, in the order of the line.
struct CallFields {
    NcclShape shape;
    std::uint64_t pointer = 0;
};

/// Takes the words of "KEY VALUE KEY VALUE..." one after the other.
class Words {
  public:
    explicit Words(std::string_view text) : rest_(text) {}

    std::string_view next() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
        const std::string_view word = rest_.substr(0, rest_.find(' '));
        rest_.remove_prefix(word.size());
        return word;
    }

  private:
    std::string_view rest_;
};

std::optional<CallFields> fieldsOf(std::string_view text, std::size_t at) {
    CallFields fields;
    fields.shape.kind = text.substr(0, at);
    Words words(text.substr(at + kOpCount.size()));
    const auto op_count = numberOf<std::uint64_t>(words.next(), kHexadecimal);
    std::optional<std::uint64_t> count;
    std::optional<std::int32_t> type;
    std::optional<std::uint64_t> pointer;
    bool is_whole = false;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word == "count") {
            count = numberOf<std::uint64_t>(words.next());
        } else if (word == "datatype") {
            type = numberOf<std::int32_t>(words.next());
        } else if (word == "op") {
            fields.shape.op = numberOf<std::int32_t>(words.next()).value_or(-1);
        } else if (word == "root") {
            fields.shape.root = numberOf<std::int32_t>(words.next()).value_or(-1);
        } else if (word == "comm") {
            pointer = pointerOf(words.next());
        } else if (word == "stream") {
            is_whole = !words.next().empty();
        }
    }
    if (!op_count || !count || !type || !pointer || !is_whole) {
        return std::nullopt;
    }
    fields.shape.count = *count;
    fields.shape.type = *type;
    fields.pointer = *pointer;
    return fields;
}

}  // namespace

void LogBuilder::count(NcclMember& member, const NcclShape& shape) {
    NcclKindSum& sum = member.kinds[shape.kind];
    ++sum.calls;
    const auto size = ncclTypeBytes(shape.type);
    std::uint64_t bytes = 0;
    if (!size || __builtin_mul_overflow(*size, shape.count, &bytes) ||
        __builtin_add_overflow(sum.bytes, bytes, &sum.bytes)) {
        ++sum.untyped;
    }
    const ShapeKey key{shape.kind, shape.count, shape.type, shape.op, shape.root};
    auto known = shapes_.find(key);
    if (known == shapes_.end() && shapes_.size() < kMostShapes) {
        known = shapes_.emplace(key, static_cast<std::uint32_t>(logs_.shapes.size())).first;
        logs_.shapes.push_back(shape);
    }
    const bool has_row = known != shapes_.end() && member.shapes.contains(known->second);
    if (known == shapes_.end() || (!has_row && shape_rows_ >= kMostShapeRows)) {
        member.order_is_whole = false;
        return;
    }
    shape_rows_ += has_row ? 0 : 1;
    ++member.shapes[known->second];
    if (shape.isExchange()) {
        return;
    }
    if (member.order_is_whole && ordered_ < kMostOrdered) {
        member.order.push_back(known->second);
        ++ordered_;
    } else {
        member.order_is_whole = false;
    }
}

bool LogBuilder::addCall(const PrefixedLine& line) {
    const std::size_t at = line.text.substr(0, kLongestKind + kOpCount.size()).find(kOpCount);
    if (at == std::string_view::npos || !isKind(line.text.substr(0, at))) {
        return false;
    }
    const std::optional<CallFields> fields = fieldsOf(line.text, at);
    const auto known = fields ? open_[process_].by_pointer.find(fields->pointer) : open_[process_].by_pointer.end();
    if (!fields) {
        ++file().cut;
        return true;
    }
    // A log that begins late, or without INIT, has calls of a communicator that it never named.
    NcclMember& member =
        logs_.members[known == open_[process_].by_pointer.end() ? beginMember(fields->pointer) : known->second];
    if (member.ranks == 0) {
        std::string_view ranks = line.text.substr(std::min(line.text.find("[nranks="), line.text.size()));
        ranks.remove_prefix(std::min(ranks.size(), std::string_view("[nranks=").size()));
        member.ranks = std::max(0, numberOf<std::int32_t>(ranks.substr(0, ranks.find(']'))).value_or(0));
    }
    count(member, fields->shape);
    member.last_call.file = static_cast<std::uint32_t>(logs_.files.size() - 1);
    member.last_call.number = file().lines;
    member.last_call.text.assign(line_.substr(0, 200));
    return true;
}

bool LogBuilder::addChoice(const PrefixedLine& line) {
    // "AllReduce: 1048576 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..7}"
    constexpr std::string_view kAlgo = " Bytes -> Algo ";
    const std::size_t at = line.text.find(kAlgo);
    const std::size_t colon = line.text.find(": ");
    if (at == std::string_view::npos || colon >= at || !isKind(line.text.substr(0, colon))) {
        return false;
    }
    const auto bytes = numberOf<std::uint64_t>(line.text.substr(colon + 2, at - colon - 2));
    const std::string_view algorithm = wordBehind(line.text, "Algo");
    const std::string_view protocol = wordBehind(line.text, "proto");
    if (!bytes || !isKind(algorithm) || protocol.empty() || protocol.size() > kLongestKind) {
        ++file().cut;
        return true;
    }
    NcclChoice choice{std::string(line.text.substr(0, colon)), *bytes, std::string(algorithm), std::string(protocol)};
    if (logs_.choices.size() < kMostChoices || logs_.choices.contains(choice)) {
        ++logs_.choices[std::move(choice)];
    }
    return true;
}

}  // namespace rankscope::nccl
