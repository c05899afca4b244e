/// \file
/// What is done when a signal ends the program: unfinished files are removed, and the user is told.
#pragma once

#include <string>
#include <string_view>

namespace lookback::cli {

/// From here on a signal that ends the program first removes the file `unfinished` and says that
/// `target` was not written; then it ends the program as it would have done. If `unfinished` is
/// empty, there is nothing to remove. Further calls, for further outputs, add to the first.
void clean_up_on_interrupt(const std::string& unfinished, const std::string& target);

/// From here on these signals are held until `nothing_to_clean_up`. The files are about to take
/// their places, and in between it would not be clear whether they have.
void hold_interrupts();

/// Undoes the last `clean_up_on_interrupt` that has not been undone: its file is finished, or gone.
/// When the first one is undone, the hold ends.
void nothing_to_clean_up();

/// From here on the program ends with `message` if the mapped file that has these bytes shrinks, or
/// cannot be read. For two files at a time.
void explain_lost_input(std::string_view bytes, const std::string& message);
/// Ends that for the file with these bytes, which is about to be unmapped.
void forget_lost_input(std::string_view bytes);

}  // namespace lookback::cli
