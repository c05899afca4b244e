/// \file
/// The manual page and the completions of shells, made from the options themselves.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lookback::cli {

/// `kind` is man, bash or zsh; `app` has all commands. Throws `error`.
std::string make_manual(const std::string& kind, const CLI::App& app);

}  // namespace lookback::cli
