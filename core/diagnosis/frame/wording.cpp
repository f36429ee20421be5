// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/wording.h"

namespace rankscope {

std::shared_ptr<const Wording> Wording::builtIn() {
    static const auto english = std::make_shared<const Wording>(Wording{Advice::builtIn(), Sentences::builtIn()});
    return english;
}

std::shared_ptr<const Wording> Wording::translated(const TranslateText& translate, const TranslateValue& value) {
    const std::shared_ptr<const Wording> english = builtIn();
    return std::make_shared<const Wording>(
        Wording{english->advice.translated(translate), english->sentences.translated(translate, value)});
}

}  // namespace rankscope
