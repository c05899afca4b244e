/// \file
/// The options of each command, and its help. The code that adds a command says what it calls.
#pragma once

#include <CLI/CLI.hpp>

#include "commands.hpp"

namespace lookback::cli {

CLI::App* add_scan(CLI::App& app, scan_arguments& a);
CLI::App* add_select(CLI::App& app, where_arguments& a);
CLI::App* add_partition(CLI::App& app, where_arguments& a);
CLI::App* add_unique(CLI::App& app, array_arguments& a);
CLI::App* add_rle(CLI::App& app, rle_arguments& a);
CLI::App* add_reduce(CLI::App& app, fold_arguments& a);
CLI::App* add_reduce_by_key(CLI::App& app, reduce_arguments& a);
CLI::App* add_sort(CLI::App& app, sort_arguments& a);
CLI::App* add_sat(CLI::App& app, sat_arguments& a);
CLI::App* add_blur(CLI::App& app, blur_arguments& a);
CLI::App* add_dof(CLI::App& app, dof_arguments& a);
CLI::App* add_network(CLI::App& app, network_arguments& a);
CLI::App* add_strategies(CLI::App& app);
CLI::App* add_info(CLI::App& app);
CLI::App* add_manual(CLI::App& app, manual_arguments& a);

}  // namespace lookback::cli
