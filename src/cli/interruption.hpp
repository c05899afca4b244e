/// \file
/// What is left to do when a signal ends the program: no unfinished file stays behind, and the user
/// is told.
#pragma once

#include <string>

namespace lookback::cli {

/// From here on SIGINT, SIGTERM and SIGHUP remove the file `unfinished`, say that `target` was not
/// written, and end the program as they would have done. An empty `unfinished`: nothing to remove.
void clean_up_on_interrupt(const std::string& unfinished, const std::string& target);

/// Undoes it: the file is finished, or gone.
void nothing_to_clean_up();

/// From here on a mapped file that shrinks or breaks while it is read is reported as `path`.
void explain_lost_input(const std::string& path);

}  // namespace lookback::cli
