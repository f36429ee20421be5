// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/translated_wording.h"

#include "core/report/check/check.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {

namespace {

std::string translatedText(const std::string& text, const std::string& key) {
    return coreText(QString::fromStdString(text), key.c_str()).toStdString();
}

std::string translatedValue(const std::string& value) {
    return coreText(value).toStdString();
}

}  // namespace

std::shared_ptr<const Wording> translatedWording() {
    return speaksAnotherLanguage() ? Wording::translated(translatedText, translatedValue) : nullptr;
}

std::shared_ptr<const Sentences> translatedCheckSentences() {
    return speaksAnotherLanguage()
               ? std::make_shared<const Sentences>(report::checkSentences().translated(translatedText, translatedValue))
               : nullptr;
}

}  // namespace rankscope::ui
