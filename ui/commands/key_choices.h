// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QSettings;

namespace rankscope::ui {

class CommandRegistry;

/// Gives the commands the keys that the user has chosen, and keeps each later choice in `settings`, which must outlive
/// the registry. Keys as they were delivered are not kept, so that better ones of a later version are taken over.
void keepKeyChoices(CommandRegistry& commands, QSettings& settings);

}  // namespace rankscope::ui
