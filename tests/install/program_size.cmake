# Checks that the code and the constants of PROGRAM have at most MOST bytes.
execute_process(COMMAND size ${PROGRAM} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "\n *([0-9]+)" _ "${output}")
message("${CMAKE_MATCH_1} bytes")
if(NOT CMAKE_MATCH_1 OR CMAKE_MATCH_1 GREATER MOST)
  message(FATAL_ERROR "${PROGRAM} has '${CMAKE_MATCH_1}' bytes; expected at most ${MOST}")
endif()
