// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/pickle/pickle_data.h"

#include <limits>

namespace rankscope {
namespace {

constexpr std::int64_t kMostInline = (std::int64_t{1} << (PickleValue::kPayloadBits - 1)) - 1;
constexpr std::int64_t kLeastInline = -kMostInline - 1;

}  // namespace

std::optional<std::int64_t> PickleData::integer(PickleValue value) const {
    switch (value.kind()) {
        case PickleKind::Boolean: return static_cast<std::int64_t>(value.payload());
        case PickleKind::Integer: {
            constexpr int kSpare = 64 - PickleValue::kPayloadBits;
            return static_cast<std::int64_t>(value.payload() << kSpare) >> kSpare;
        }
        case PickleKind::WideInteger: return wide_[value.payload()];
        default: return std::nullopt;
    }
}

std::optional<double> PickleData::real(PickleValue value) const {
    if (value.kind() == PickleKind::Real) {
        return reals_[value.payload()];
    }
    const std::optional<std::int64_t> whole = integer(value);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): asked of the data, like the other kinds
StringId PickleData::text(PickleValue value) const {
    return value.kind() == PickleKind::Text ? StringId(static_cast<std::uint32_t>(value.payload())) : StringId();
}

std::size_t PickleData::memoryBytes() const {
    return cells_.size() * sizeof(Cell) + containers_.capacity() * sizeof(Container) +
           wide_.capacity() * sizeof(std::int64_t) + reals_.capacity() * sizeof(double);
}

PickleValue PickleData::addInteger(std::int64_t value) {
    if (value >= kLeastInline && value <= kMostInline) {
        return {PickleKind::Integer, static_cast<std::uint64_t>(value)};
    }
    wide_.push_back(value);
    return {PickleKind::WideInteger, wide_.size() - 1};
}

PickleValue PickleData::addReal(double value) {
    reals_.push_back(value);
    return {PickleKind::Real, reals_.size() - 1};
}

PickleValue PickleData::addContainer(PickleKind kind) {
    containers_.emplace_back();
    return {kind, containers_.size() - 1};
}

void PickleData::addItems(PickleValue container, const PickleValue* items, std::size_t count) {
    if (count == 0) {
        return;
    }
    const auto run = static_cast<std::uint32_t>(cells_.size());
    cells_.emplace_back(Run{static_cast<std::uint32_t>(count), 0});
    for (std::size_t i = 0; i < count; ++i) {
        cells_.emplace_back(items[i]);
    }
    Container& of = containers_[container.payload()];
    if (of.first == 0) {
        of.first = run;
    } else {
        cells_[of.last].run.next = run;
    }
    of.last = run;
}

}  // namespace rankscope
