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

/// Something the user can do: one entry, from which its menu item, its shortcut, its place in the palette and its line
/// in the help come.
struct Command {
    QString id;         ///< "file.open-files"; unique
    QString group;      ///< heading in the help: "File"
    QString title;      ///< as in the menu, with its "&" mnemonic
    QKeySequence keys;  ///< unless the user has chosen others
    std::function<void()> run;
    bool checkable = false;
    /// Its keys act only while one of these widgets has the focus; none: anywhere in the window.
    std::vector<QWidget*> scope{};
    /// Another name that the palette finds it by, as good as its title: that on the tab of the panel that it shows.
    QString alias{};

    /// The title as it is read: without mnemonic and dots.
    [[nodiscard]] QString plainTitle() const;
};

/// A key that a widget handles itself: listed in the help, and taken.
struct KeyHint {
    QString group;
    QString keys;                       ///< "W  S"
    QString what;                       ///< "Zoom in and out at the pointer"
    std::vector<QKeySequence> taken{};  ///< no command may have these
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
    /// Registers keys that a widget handles itself, for the help.
    void addHint(KeyHint hint);

    /// Lets the commands act while `window` is the active one too; those with a scope of their own stay there.
    void actIn(QWidget* window) const;

    /// The action of `id`, or nullptr.
    [[nodiscard]] QAction* action(const QString& id) const;
    /// Puts the actions of `ids` in a menu; an empty id is a separator.
    void fill(QMenu* menu, const std::vector<QString>& ids) const;

    /// All commands in order of registration.
    [[nodiscard]] const std::vector<Command>& commands() const { return commands_; }
    /// The keys that widgets handle themselves, in order of registration.
    [[nodiscard]] const std::vector<KeyHint>& hints() const { return hints_; }
    /// The keys of `id` as they are now.
    [[nodiscard]] QKeySequence keysOf(const QString& id) const;
    /// Gives `id` other keys; empty ones for none. Who had them keeps them: ask holder() before.
    void setKeys(const QString& id, const QKeySequence& keys);
    /// Whom `keys` belong to, for people: a command's plain title or what a hint says; empty where they are free, or
    /// are those of `except` itself.
    [[nodiscard]] QString holder(const QKeySequence& keys, const QString& except) const;
    /// The command that has `keys` and is not `except`; an empty id where none has.
    [[nodiscard]] QString commandWith(const QKeySequence& keys, const QString& except) const;

    /// Everything that the help lists, in order of registration: hints, which are about moving, then commands that have
    /// keys.
    [[nodiscard]] std::vector<KeyHint> keys() const;

  Q_SIGNALS:
    /// The user has triggered a command, which is about to be done.
    void begun();
    /// The command with this id has other keys now.
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
