// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/loading_model.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace rankscope::ui {
namespace {

Discovery discovered(std::initializer_list<std::size_t> files_of_runs) {
    Discovery found;
    for (const std::size_t files : files_of_runs) {
        RunSource& run = found.runs.emplace_back();
        for (std::size_t file = 0; file < files; ++file) {
            FileSource& source = run.files.emplace_back();
            source.path = "rank" + std::to_string(file) + ".json";
            source.bytes = 1'000;
        }
    }
    return found;
}

int rowsIn(const LoadingModel& model, FileState state) {
    int rows = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        rows += model.index(row, 0).data(LoadingModel::kStateRole).toInt() == static_cast<int>(state) ? 1 : 0;
    }
    return rows;
}

void expectCountsOfItsRows(const LoadingModel& model) {
    for (const FileState state : {FileState::Waiting, FileState::Reading, FileState::Loaded, FileState::Failed}) {
        EXPECT_EQ(model.count(state), rowsIn(model, state)) << static_cast<int>(state);
    }
}

TEST(LoadingModel, CountsAndSharesAreThoseOfItsRowsAfterAnyEventOfAFile) {
    LoadingModel model;
    model.start(discovered({3, 2}));
    EXPECT_EQ(model.share(), 0.0);
    model.setProgress({1, 0}, {500, 1'000, 4'000});
    EXPECT_EQ(model.index(3, 0).data(LoadingModel::kStateRole).toInt(), static_cast<int>(FileState::Reading));
    EXPECT_DOUBLE_EQ(model.share(), 0.1);
    expectCountsOfItsRows(model);
    model.setLoaded({0, 2});
    EXPECT_DOUBLE_EQ(model.share(), 0.3);
    model.setFailed({1, 0}, {{}, {}, "is cut off"});
    EXPECT_DOUBLE_EQ(model.share(), 0.25) << "of the four that may come yet";
    model.setProgress({1, 0}, {900, 1'000, 9'000});
    EXPECT_DOUBLE_EQ(model.share(), 0.25) << "it has failed";
    model.setFailed({0, 2}, {{}, {}, "has another window of the same rank"});
    EXPECT_DOUBLE_EQ(model.share(), 0.0);
    expectCountsOfItsRows(model);
    model.setProgress({7, 0}, {1, 1, 1});
    model.setLoaded({1, 9});
    expectCountsOfItsRows(model);
}

TEST(LoadingModel, AFileWithOneReportHasNoRate) {
    LoadingModel model;
    model.start(discovered({1}));
    const auto rates = [&model] {
        int shown = 0;
        for (int column = 0; column < model.columnCount(); ++column) {
            shown += model.index(0, column).data().toString().endsWith(QStringLiteral("/s")) ? 1 : 0;
        }
        return shown;
    };
    model.setProgress({0, 0}, {500, 1'000, 4'000});
    EXPECT_EQ(rates(), 0) << "nobody says when it began";
    model.setProgress({0, 0}, {1'000, 1'000, 8'000});
    EXPECT_EQ(rates(), 1);
}

TEST(LoadingModel, WhatFailedStaysAndANewLoadCountsAnew) {
    LoadingModel model;
    model.start(discovered({2}));
    model.setLoaded({0, 0});
    model.setFailed({0, 1}, {{}, {}, "is cut off"});
    model.addFailure({"gone", {}, "is not there"});
    model.keepFailures();
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.count(FileState::Failed), 2);
    expectCountsOfItsRows(model);
    model.start(discovered({1}));
    EXPECT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.count(FileState::Waiting), 1);
    expectCountsOfItsRows(model);
}

}  // namespace
}  // namespace rankscope::ui
