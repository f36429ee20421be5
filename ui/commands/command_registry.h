// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace rankscope::ui {

/// Something the user can do: one entry, from which its menu item, its shortcut and its line in the help come.
struct Command {
    QString id;     ///< "file.open-files"; unique
    QString group;  ///< heading in the help: "File"
    QString title;  ///< as in the menu, with its "&" mnemonic
    QKeySequence keys;
    std::function<void()> run;
    bool checkable = false;
};

/// A key that a widget handles itself, listed in the help only.
struct KeyHint {
    QString group;
    QString keys;  ///< "W  S"
    QString what;  ///< "Zoom in and out at the pointer"
};

/// The one registry of commands of a window. Shortcuts of a single plain key stay silent while a text field has the
/// focus, so that typing there types.
class CommandRegistry : public QObject {
    Q_OBJECT

  public:
    /// Commands act while `window` is the active one.
    explicit CommandRegistry(QWidget* window);

    /// Registers a command and returns its action, which lives as long as the registry.
    QAction* add(Command command);
    void addHint(KeyHint hint);

    /// The action of `id`, or nullptr.
    [[nodiscard]] QAction* action(const QString& id) const;
    /// Puts the actions of `ids` in a menu; an empty id is a separator.
    void fill(QMenu* menu, const std::vector<QString>& ids) const;

    /// Everything that the help lists, in order of registration: commands that have keys, then hints.
    [[nodiscard]] std::vector<KeyHint> keys() const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* window_;
    std::vector<Command> commands_;
    std::vector<QAction*> actions_;
    std::vector<KeyHint> hints_;
};

}  // namespace rankscope::ui
