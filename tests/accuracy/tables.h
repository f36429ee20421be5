// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "tests/accuracy/tally.h"

namespace rankscope::accuracy {

/// The tables of a tally, in Markdown.
[[nodiscard]] std::string markdownOf(const Tally& tally);

/// Whose place a page has between marks.
enum class PagePart { Matrix, Pairs, Reruns, Machine, Buckets, Forecasts, Hard, WhatIf };

/// Puts `tables` between the two marks of a part of a page. Throws std::runtime_error where they are missing.
void writeInto(const std::filesystem::path& page, const std::string& tables, PagePart part = PagePart::Matrix);

}  // namespace rankscope::accuracy
