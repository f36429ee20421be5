// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/run_question.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <string>

#include "core/ingest/load.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

bool hasFile(const Run& run, const std::string& name) {
    return std::ranges::any_of(run.ranks, [&name](const auto& rank) {
        return std::ranges::any_of(rank->files, [&name](const TraceFile& file) {
            return FileSource{file.path, file.member}.name() == name;
        });
    });
}

/// The file that, according to a note, may belong to the same run; empty if the note says nothing about that.
std::string fileOfSameRun(const std::string& note) {
    const std::size_t at = note.find(kMayBeOneRun);
    if (at == std::string::npos) {
        return {};
    }
    const std::size_t begin = at + kMayBeOneRun.size();
    return note.substr(begin, note.rfind(": ") - begin);
}

}  // namespace

std::vector<std::size_t> runsToAskAbout(const OpenRuns& runs) {
    std::set<std::size_t> asked;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        for (const std::string& note : runs[run]->run->notes) {
            const std::string file = fileOfSameRun(note);
            for (std::size_t other = 0; other < runs.size() && !file.empty(); ++other) {
                if (other != run && hasFile(*runs[other]->run, file)) {
                    asked.insert({run, other});
                }
            }
        }
    }
    return {asked.begin(), asked.end()};
}

RunQuestion::RunQuestion(Session& session, QWidget* parent) : QWidget(parent), session_(session), about_(plainLabel()) {
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    auto* one = new QPushButton(tr("One Run"));
    auto* several = new QPushButton(tr("Several Runs"));
    connect(one, &QPushButton::clicked, this, &RunQuestion::join);
    connect(several, &QPushButton::clicked, this, &RunQuestion::keepApart);
    connect(&session_, &Session::idle, this, &RunQuestion::look);
    connect(&session_, &Session::opening, this, &QWidget::hide);
    about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(16, 6, 8, 6);
    line->addWidget(about_, 1);
    line->addWidget(one);
    line->addWidget(several);
    hide();
}

void RunQuestion::look() {
    QStringList names;
    bool is_answered = true;
    for (const std::size_t run : runsToAskAbout(session_.runs())) {
        names.append(text(session_.runs()[run]->run->name));
        for (const QString& path : tracePaths(*session_.runs()[run]->run)) {
            is_answered = is_answered && apart_.contains(path);
        }
    }
    about_->setText(tr("Are %1 ranks of one run? Their files do not say, and were recorded at the same time.")
                        .arg(names.join(QStringLiteral(", "))));
    setVisible(!is_answered);
}

void RunQuestion::join() {
    hide();
    QStringList paths;
    const std::vector<std::size_t> runs = runsToAskAbout(session_.runs());
    for (const std::size_t run : runs) {
        paths.append(tracePaths(*session_.runs()[run]->run));
    }
    paths.removeDuplicates();
    LoadPart part;
    part.one_run = true;
    const bool all = runs.size() == session_.runs().size();
    for (std::size_t i = all ? 0 : runs.size(); i > 0; --i) {
        session_.close(runs[i - 1]);
    }
    session_.open(paths, all ? OpenMode::Replace : OpenMode::Beside, {}, part);
}

void RunQuestion::keepApart() {
    hide();
    for (const std::size_t run : runsToAskAbout(session_.runs())) {
        for (const QString& path : tracePaths(*session_.runs()[run]->run)) {
            apart_.insert(path);
        }
    }
}

}  // namespace rankscope::ui
