// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/translated_wording.h"

#include "ui/theme/core_text.h"

namespace rankscope::ui {

std::shared_ptr<const Wording> translatedWording() {
    if (!speaksAnotherLanguage()) {
        return nullptr;
    }
    return Wording::translated(
        [](const std::string& text, const std::string& key) {
            return coreText(QString::fromStdString(text), key.c_str()).toStdString();
        },
        [](const std::string& value) { return coreText(value).toStdString(); });
}

}  // namespace rankscope::ui
