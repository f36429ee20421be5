// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/operator_call.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/bounded_json.h"

namespace rankscope {
namespace {

/// Above this a dimension is invalid; the product of two dimensions fits 64 bits.
constexpr std::uint64_t kMostInADimension = std::uint64_t{1} << 31U;

/// Reads lists of sizes as the profiler writes them, "[[64, 3, 224, 224], []]", without a JSON tree.
class PlainSizes {
  public:
    explicit PlainSizes(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

    /// The sizes of several tensors; nothing for any other text.
    std::optional<std::vector<TensorSizes>> read() {
        std::vector<TensorSizes> tensors;
        const auto tensor = [&] { return numbers(tensors.emplace_back()); };
        return list(tensor) && at_ == end_ ? std::optional(std::move(tensors)) : std::nullopt;
    }
    /// One list, "[2, 2]"; nothing for any other text.
    std::optional<TensorSizes> readOne() {
        TensorSizes sizes;
        return numbers(sizes) && at_ == end_ ? std::optional(std::move(sizes)) : std::nullopt;
    }

  private:
    bool numbers(TensorSizes& into) {
        return list([&] { return number(into); });
    }
    void skipSpaces() {
        while (at_ != end_ && *at_ == ' ') {
            ++at_;
        }
    }
    bool take(char c) {
        skipSpaces();
        const bool here = at_ != end_ && *at_ == c;
        at_ += here ? 1 : 0;
        return here;
    }
    template <class Element>
    bool list(const Element& element) {
        if (!take('[')) {
            return false;
        }
        if (take(']')) {
            return true;
        }
        do {
            if (!element()) {
                return false;
            }
        } while (take(','));
        return take(']');
    }
    bool number(TensorSizes& into) {
        skipSpaces();
        std::uint64_t size = 0;
        const auto [stop, error] = std::from_chars(at_, end_, size);
        const bool zeros_in_front = stop - at_ > 1 && *at_ == '0';
        if (error != std::errc() || zeros_in_front || size > kMostInADimension) {
            return false;
        }
        into.push_back(static_cast<std::int64_t>(size));
        at_ = stop;
        return true;
    }

    const char* at_;
    const char* end_;
};

nlohmann::json listIn(std::string_view text) {
    if (text.empty()) {
        return nlohmann::json::array();
    }
    Result<nlohmann::json> list = parseBoundedJson(text);
    return list.ok() && list.value().is_array() ? std::move(list).value() : nlohmann::json::array();
}

std::optional<TensorSizes> numbersOf(const nlohmann::json& list) {
    TensorSizes numbers;
    for (const nlohmann::json& number : list) {
        if (!number.is_number_unsigned() || number.get<std::uint64_t>() > kMostInADimension) {
            return std::nullopt;
        }
        numbers.push_back(number.get<std::int64_t>());
    }
    return numbers;
}

std::vector<std::string> textsIn(std::string_view text) {
    std::vector<std::string> texts;
    for (const nlohmann::json& one : listIn(text)) {
        texts.push_back(one.is_string() ? one.get<std::string>() : std::string());
    }
    return texts;
}

}  // namespace

std::span<const std::int64_t> OperatorCall::tensor(std::size_t position) const {
    return position < sizes.size() ? std::span<const std::int64_t>(sizes[position]) : std::span<const std::int64_t>();
}

std::optional<TensorSizes> OperatorCall::list(std::size_t position) const {
    return position < values.size() ? PlainSizes(values[position]).readOne() : std::nullopt;
}

std::optional<std::int64_t> OperatorCall::number(std::size_t position) const {
    if (position >= values.size()) {
        return std::nullopt;
    }
    const std::string& text = values[position];
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && stop == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<bool> OperatorCall::flag(std::size_t position) const {
    if (position >= values.size() || (values[position] != "True" && values[position] != "False")) {
        return std::nullopt;
    }
    return values[position] == "True";
}

const std::vector<std::string>& CallReader::texts(StringId list) {
    const auto [at, is_new] = texts_.try_emplace(list);
    if (is_new) {
        at->second = textsIn(trace_.strings.view(list));
    }
    return at->second;
}

OperatorCall CallReader::read(const OperatorInputs& inputs) {
    OperatorCall call;
    const std::string_view shapes = trace_.strings.view(inputs.shapes);
    if (std::optional<std::vector<TensorSizes>> plain = PlainSizes(shapes).read()) {
        call.sizes = std::move(*plain);
    } else {
        for (const nlohmann::json& sizes : listIn(shapes)) {
            const std::optional<TensorSizes> tensor = sizes.is_array() ? numbersOf(sizes) : std::nullopt;
            call.sizes.push_back(tensor.value_or(TensorSizes()));
        }
    }
    call.types = texts(inputs.types);
    call.values = texts(inputs.values);
    return call;
}

}  // namespace rankscope
