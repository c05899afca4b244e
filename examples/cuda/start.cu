// The examples of docs/start_cuda.md, on a GPU.
#include "start.hpp"

int main() { return run_example(run_start_page); }
