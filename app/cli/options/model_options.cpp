// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/model_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/options/number_options.h"

namespace rankscope::cli {
void addModel(CLI::App& command, ModelTexts& texts) {
    command.add_option("--params", texts.parameters, "Parameters of the whole model")->type_name("N");
    command.add_option("--layers", texts.layers, "Layers of the model")->type_name("N");
    command.add_option("--hidden", texts.hidden, "Width of a layer")->type_name("N");
    command.add_option("--sequence", texts.sequence, "Tokens per sequence")->type_name("N");
    command.add_option("--micro-batch", texts.micro_batch, "Sequences per micro-batch on one GPU")->type_name("N");
    command.add_option("--heads", texts.heads, "Attention heads")->type_name("N");
}

ModelSize readModel(const ModelTexts& texts) {
    return {countOf("--params", texts.parameters),       countOf("--layers", texts.layers),
            countOf("--hidden", texts.hidden),           countOf("--sequence", texts.sequence),
            countOf("--micro-batch", texts.micro_batch), countOf("--heads", texts.heads)};
}

}  // namespace rankscope::cli
