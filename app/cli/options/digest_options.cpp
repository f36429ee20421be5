// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/digest_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/complain.h"
#include "app/cli/options/number_options.h"
#include "app/cli/shard.h"

namespace rankscope::cli {
namespace {

constexpr const char* kDigestFooter =
    "A digest is a small file that all commands and the window read instead of its trace. A trace NAME becomes\n"
    "DIR/NAME.digest, and keeps its place below a folder PATH. Digests that are up to date stay as they are, so after\n"
    "an interruption just start again.\n"
    "Several processes share the files: each takes every N-th file, starting with the I-th, counted from 0. Without\n"
    "--shard, the variables of Slurm (arrays, srun), Open MPI or indexed Kubernetes jobs say which part is whose.\n"
    "Use --shards where they do not give the number of parts, or if one task of an array runs again alone.\n"
    "Exit code: 0 all are up to date now; 2 wrong usage; 3 none could be made; 4 some could not be made;\n"
    "5 out of memory or threads, or an internal error.";

/// Refuses an empty part, as from an unset variable: else each process would do all files.
CLI::Validator namesAPart() {
    return {[](std::string& text) { return text.empty() ? whyNoPart(text) : std::string(); }, "", "part"};
}

}  // namespace

CLI::App* addDigest(CLI::App& app, DigestTexts& texts) {
    CLI::App* const command = app.add_subcommand("digest", "Make a small file of each trace, where the traces are");
    command->add_option("PATH", texts.paths, "Trace files, folders or archives")->required();
    command->add_option("-o,--output", texts.folder, "Folder for the digests; created if missing")
        ->type_name("DIR")
        ->required();
    command->add_option("--shard", texts.shard, "Do only part I of N of the files, I from 0 to N - 1")
        ->type_name("I/N")
        ->check(namesAPart());
    command->add_option("--shards", texts.shards, "Number of parts; the environment says which one this is")
        ->type_name("N")
        ->check(oneOrMore());
    command->add_option("--jobs", texts.jobs, "Files at once; default one per core")
        ->type_name("N")
        ->check(oneOrMore());
    command->footer(kDigestFooter);
    return command;
}

DigestRequest readDigestRequest(const DigestTexts& texts, const Environment& environment) {
    if (!texts.shard.empty() && texts.shards) {
        refuseOption("--shards", "cannot be used with --shard, which already gives the number of parts");
    }
    const Result<Shard> shard = shardOf(texts.shard, texts.shards, environment);
    if (!shard.ok()) {
        refuseOption(shard.error().path, shard.error().cause);
    }
    return {texts.paths, texts.folder, shard.value(), texts.jobs};
}

}  // namespace rankscope::cli
