// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/shared/sorted_table.h"

namespace rankscope::ui {

/// A table of what changed, with less in green and more in red.
class CompareTable : public SortedTable {
    Q_OBJECT

  public:
    CompareTable(const QString& name, const Theme& theme, QWidget* parent = nullptr);
};

}  // namespace rankscope::ui
