// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "ui/commands/command_registry.h"

namespace rankscope::ui {

/// The keys, grouped, as the registry knows them.
class HelpDialog : public QDialog {
    Q_OBJECT

  public:
    HelpDialog(const std::vector<KeyHint>& keys, QWidget* parent);
};

}  // namespace rankscope::ui
