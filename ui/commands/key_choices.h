// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QSettings;

namespace rankscope::ui {

class CommandRegistry;

/// Gives the commands the keys that the user has chosen, and saves later choices in `settings`, which must outlive the
/// registry. Default keys are not saved, so that a later version can change them.
void keepKeyChoices(CommandRegistry& commands, QSettings& settings);

}  // namespace rankscope::ui
