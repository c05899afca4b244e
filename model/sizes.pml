/* The sizes of the GPU's models, small enough to go through every order of steps. */
#ifndef BLOCKS /* of a launch */
#define BLOCKS 3
#endif
#ifndef SLOTS /* the number of blocks that run at once */
#define SLOTS 2
#endif
#ifndef TILES
#define TILES 3
#endif
#ifndef LAUNCHES
#define LAUNCHES 5
#endif
#define FIRST_EPOCH 1
#define LAST_EPOCH 2 /* instead of 2^32 - 1 */
#define EPOCH_OF_LAUNCH (1 + launch % LAST_EPOCH)

