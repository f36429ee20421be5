// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/window/places/panel_layout.h"

class QWidget;

namespace rankscope {
struct AnalysedRun;
}

namespace rankscope::ui {

struct PanelSet;

/// A place below the timeline. Its pages answer one kind of question.
struct PlaceRow {
    const char* name;       ///< "place-steps"; the command that shows it is "view.place-steps"
    QString title;          ///< on its tab
    QString menu;           ///< the same as the title of a menu, with its mnemonic
    QString about;          ///< what its pages show
    QString empty;          ///< if none of its pages applies: what would be there, and what to record
    QString command_title;  ///< as in the menu
    const char* keys;       ///< keys of the command; empty: none
};

/// A panel: its default place, its title there, and the command that shows it.
struct PageRow {
    const char* name;       ///< "charts": in sessions, layouts and links; must never change
    const char* place;      ///< a PlaceRow::name; nullptr: it is at the side
    PanelPlace dock;        ///< the part of the window
    QString title;          ///< its title outside a list of pages, and in the palette
    QString in_list;        ///< in the list of its place
    QString about;          ///< what it shows
    const char* command;    ///< the id of its command
    QString command_title;  ///< as in the menu; empty: the command is added elsewhere
    const char* keys;       ///< keys of the command; empty: none
    QWidget* (*panel)(const PanelSet&);
    void (*then)(const PanelSet&);        ///< what the command then does with the shown panel; nullptr: nothing
    bool (*applies)(const AnalysedRun&);  ///< whether it has something to show for an analysed run; nullptr: always
};

/// The places below the timeline, in the order of their tabs.
[[nodiscard]] std::vector<PlaceRow> placeTable();
/// All panels, in the order of their tabs and of the lists of their places.
[[nodiscard]] std::vector<PageRow> pageTable();

}  // namespace rankscope::ui
