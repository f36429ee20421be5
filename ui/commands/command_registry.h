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

/// Something the user can do. Its menu item, its shortcut, its entry in the palette and its line in the help all come
/// from this.
struct Command {
    QString id;         ///< "file.open-files"; unique
    QString group;      ///< heading in the help: "File"
    QString title;      ///< as in the menu, with its "&" mnemonic
    QKeySequence keys;  ///< unless the user has chosen other keys
    std::function<void()> run;
    bool checkable = false;
    /// Its keys act only while one of these widgets has the focus; none: anywhere in the window.
    std::vector<QWidget*> scope{};
    /// Another name by which the palette finds it, as well as by its title: the title on the tab of the panel that it
    /// shows.
    QString alias{};

    /// The title without mnemonic and dots.
    [[nodiscard]] QString plainTitle() const;
};

/// A key that a widget handles itself: listed in the help, and taken.
struct KeyHint {
    QString group;
    QString keys;                       ///< "W  S"
    QString what;                       ///< "Zoom in and out at the pointer"
    std::vector<QKeySequence> taken{};  ///< no command may use these
};

/// The one registry of commands of a window. Shortcuts of a single plain key do nothing while a text field has the
/// focus, so that it gets the key.
class CommandRegistry : public QObject {
    Q_OBJECT

  public:
    /// Commands work while `window` is the active one.
    explicit CommandRegistry(QWidget* window);

    /// Registers a command and returns its action, which exists as long as the registry.
    QAction* add(Command command);
    /// Registers keys that a widget handles itself, for the help.
    void addHint(KeyHint hint);

    /// Lets the commands work also while `window` is the active one; those with a scope work only there.
    void actIn(QWidget* window) const;

    /// The action of `id`, or nullptr.
    [[nodiscard]] QAction* action(const QString& id) const;
    /// Puts the actions of `ids` in a menu; an empty id is a separator.
    void fill(QMenu* menu, const std::vector<QString>& ids) const;

    /// All commands in order of registration.
    [[nodiscard]] const std::vector<Command>& commands() const { return commands_; }
    /// The keys that widgets handle themselves, in order of registration.
    [[nodiscard]] const std::vector<KeyHint>& hints() const { return hints_; }
    /// The current keys of `id`.
    [[nodiscard]] QKeySequence keysOf(const QString& id) const;
    /// Gives `id` other keys; empty ones for none. A command that has them keeps them too: check holder() before.
    void setKeys(const QString& id, const QKeySequence& keys);
    /// The current use of `keys`, for people: a command's plain title or the text of a hint; empty if they are free, or
    /// belong to `except` itself.
    [[nodiscard]] QString holder(const QKeySequence& keys, const QString& except) const;
    /// The command that has `keys` and is not `except`; an empty id if there is none.
    [[nodiscard]] QString commandWith(const QKeySequence& keys, const QString& except) const;

    /// All lines of the help, in order of registration: hints, which are about moving, then commands with keys.
    [[nodiscard]] std::vector<KeyHint> keys() const;

  Q_SIGNALS:
    /// The user has triggered a command, which is about to run.
    void begun();
    /// The keys of the command with this id have changed.
    void keysChanged(const QString& id);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* window_;
    std::vector<Command> commands_;
    std::vector<QAction*> actions_;
    std::vector<KeyHint> hints_;
};

}  // namespace rankscope::ui
