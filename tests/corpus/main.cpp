// SPDX-License-Identifier: GPL-3.0-or-later
// write_corpus FOLDER: the traces of the corpus.
#include <cstdio>
#include <exception>

#include "tests/corpus/corpus.h"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: write_corpus FOLDER\n", stderr);
        return 2;
    }
    try {
        rankscope::corpus::writeCorpus(argv[1]);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "write_corpus: %s\n", error.what());
        return 1;
    }
}
