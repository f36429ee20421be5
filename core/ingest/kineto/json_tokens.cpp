// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/json_tokens.h"

#include <simdjson.h>

namespace rankscope {

// The first stage by itself is not a public interface of simdjson: On-Demand visits a text once and forwards only,
// while events are read by their tokens in any order. core/CMakeLists.txt requires the versions that have it in this
// form.
static_assert(simdjson::SIMDJSON_VERSION_MAJOR == 3, "the first stage of simdjson is used as version 3 has it");
static_assert(JsonTokens::kPadding >= simdjson::SIMDJSON_PADDING);

struct JsonTokens::Finder {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
    std::size_t capacity = 0;

    simdjson::error_code reserve(std::size_t size) {
        if (size <= capacity) {
            return simdjson::SUCCESS;
        }
        constexpr std::size_t kDepth = 1;  // depth of the second stage, which is not used
        const auto error =
            stage ? stage->set_capacity(size)
                  : simdjson::get_active_implementation()->create_dom_parser_implementation(size, kDepth, stage);
        capacity = error == simdjson::SUCCESS ? size : 0;
        return error;
    }
};

JsonTokens::JsonTokens() : finder_(std::make_unique<Finder>()) {}
JsonTokens::~JsonTokens() = default;

std::string_view JsonTokens::find(const char* text, std::size_t size) {
    size_ = 0;
    auto error = finder_->reserve(size);
    if (error == simdjson::SUCCESS) {
        error =
            finder_->stage->stage1(reinterpret_cast<const std::uint8_t*>(text), size, simdjson::stage1_mode::regular);
    }
    if (error != simdjson::SUCCESS) {
        return simdjson::error_message(error);
    }
    text_ = text;
    places_ = finder_->stage->structural_indexes.get();
    size_ = finder_->stage->n_structural_indexes;
    return {};
}

}  // namespace rankscope
