// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <optional>

namespace rankscope::cli {
namespace {

/// More than any model has.
constexpr double kMost = 1e18;

double unitOf(char letter) {
    switch (letter) {
        case 'k':
        case 'K': return 1e3;
        case 'm':
        case 'M': return 1e6;
        case 'b':
        case 'B':
        case 'g':
        case 'G': return 1e9;
        case 't':
        case 'T': return 1e12;
        default: return 1;
    }
}

/// Nothing of "nan".
bool isCount(double whole) {
    return whole >= 1 && whole <= kMost;
}

std::optional<std::int64_t> countOf(const char* option, const std::string& text) {
    if (text.empty()) {
        return std::nullopt;
    }
    const double unit = unitOf(text.back());
    const char* const end = text.data() + text.size() - (unit > 1 ? 1 : 0);
    double count = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    const double whole = std::round(count * unit);
    if (error != std::errc() || stop != end || !isCount(whole)) {
        throw CLI::ValidationError(option, "\"" + text + "\" is no number like 4096, 7e9 or 7B");
    }
    return static_cast<std::int64_t>(whole);
}

}  // namespace

void addModel(CLI::App& command, ModelTexts& texts) {
    command.add_option("--params", texts.parameters, "Parameters of the whole model")->type_name("N");
    command.add_option("--layers", texts.layers, "Layers of the model")->type_name("N");
    command.add_option("--hidden", texts.hidden, "Width of a layer")->type_name("N");
    command.add_option("--sequence", texts.sequence, "Tokens of a sequence")->type_name("N");
    command.add_option("--micro-batch", texts.micro_batch, "Sequences of a micro-batch on one device")->type_name("N");
    command.add_option("--heads", texts.heads, "Heads of attention")->type_name("N");
}

ModelSize readModel(const ModelTexts& texts) {
    return {countOf("--params", texts.parameters),       countOf("--layers", texts.layers),
            countOf("--hidden", texts.hidden),           countOf("--sequence", texts.sequence),
            countOf("--micro-batch", texts.micro_batch), countOf("--heads", texts.heads)};
}

}  // namespace rankscope::cli
