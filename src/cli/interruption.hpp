/// \file
/// What is left to do when a signal ends the program: no unfinished file stays behind, and the user
/// is told.
#pragma once

#include <string>
#include <string_view>

namespace lookback::cli {

/// From here on the signals that end a program remove the file `unfinished`, say that `target` was
/// not written, and end the program as they would have done. An empty `unfinished`: nothing to
/// remove. A second call, for a second output, adds to the first.
void clean_up_on_interrupt(const std::string& unfinished, const std::string& target);

/// From here on these signals wait until there is `nothing_to_clean_up`: the files are about to
/// take their places, and nobody could say in between whether they have.
void hold_interrupts();

/// Undoes the last `clean_up_on_interrupt` that is not undone: that file is finished, or gone. With
/// the first of them the hold ends.
void nothing_to_clean_up();

/// From here on a mapped file, of these bytes, that shrinks or breaks while it is read ends the
/// program with `message`. For two files at a time.
void explain_lost_input(std::string_view bytes, const std::string& message);
/// It is no longer mapped.
void forget_lost_input(std::string_view bytes);

}  // namespace lookback::cli
