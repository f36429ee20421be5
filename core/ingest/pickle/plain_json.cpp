// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "core/base/bounded_json.h"
#include "core/base/utf8.h"
#include "core/ingest/pickle/read_pickle.h"

namespace rankscope {
namespace {

/// Converts values, one after the other, until one is refused.
class Converter {
  public:
    explicit Converter(const PickleData& data) : data_(data), left_(kFree + kTimes * data.containerCount()) {}

    [[nodiscard]] const std::optional<std::string>& refusal() const { return refusal_; }

    nlohmann::json of(PickleValue value, std::size_t depth) {
        if (left_ == 0) {
            refuse("its values share so many items that they cannot be listed");
        }
        if (depth > kJsonDepth) {
            refuse("its values are nested too deep");
        }
        if (refusal_) {
            return nullptr;
        }
        --left_;
        switch (value.kind()) {
            case PickleKind::List:
            case PickleKind::Tuple: return list(value, depth);
            case PickleKind::Dict: return dict(value, depth);
            case PickleKind::Boolean: return value.payload() != 0;
            case PickleKind::Text: return validUtf8(data_.strings().view(data_.text(value)));
            case PickleKind::Real: return data_.real(value).value_or(0);
            case PickleKind::Integer:
            case PickleKind::WideInteger: {
                const std::optional<std::int64_t> number = data_.integer(value);
                return number ? nlohmann::json(*number) : nlohmann::json(nullptr);
            }
            case PickleKind::None:
            case PickleKind::Bytes: break;
        }
        return nullptr;
    }

  private:
    /// Items that small pickles may have, and per list, tuple or dict of a larger one. The flight recorder writes some
    /// thirty.
    static constexpr std::size_t kFree = 1'000'000;
    static constexpr std::size_t kTimes = 100;

    void refuse(std::string why) {
        if (!refusal_) {
            refusal_ = std::move(why);
        }
    }

    nlohmann::json list(PickleValue value, std::size_t depth) {
        nlohmann::json out = nlohmann::json::array();
        data_.each(value, [&](PickleValue item) {
            out.push_back(of(item, depth + 1));
            return !refusal_;
        });
        return out;
    }

    nlohmann::json dict(PickleValue value, std::size_t depth) {
        nlohmann::json out = nlohmann::json::object();
        std::optional<std::string> key;
        data_.each(value, [&](PickleValue item) {
            if (key) {
                out[*std::exchange(key, std::nullopt)] = of(item, depth + 1);
            } else {
                key = keyOf(item);
            }
            return !refusal_;
        });
        return out;
    }

    std::string keyOf(PickleValue item) {
        if (item.kind() == PickleKind::Text) {
            return validUtf8(data_.strings().view(data_.text(item)));
        }
        if (const std::optional<std::int64_t> number = data_.integer(item)) {
            return std::to_string(*number);
        }
        refuse("a key of a dict is neither a text nor an integer");
        return {};
    }

    const PickleData& data_;
    std::size_t left_;
    std::optional<std::string> refusal_;
};

}  // namespace

Result<nlohmann::json> plainJson(const PickleData& data, const std::string& path) {
    Converter converter(data);
    nlohmann::json out = converter.of(data.root, 0);
    if (converter.refusal()) {
        return Error{path, {}, *converter.refusal()};
    }
    return out;
}

}  // namespace rankscope
