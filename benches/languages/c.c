/* How long engram_on_tool_call takes from C; the other programs of this folder do the same (README.md). */

#define _POSIX_C_SOURCE 200809L
#include <engram.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 2000, LINES = 46 };

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **arguments) {
  static char options[2048], output[4096], call[8192];
  const char *durability = getenv("ENGRAM_DURABILITY");
  engram_t *memory = NULL;
  if (count != 4)
    return 2;
  snprintf(options, sizeof options,
           "{\"home\": \"%s\", \"project\": \"%s\", \"background\": \"caller\", \"config\": {\"durability\": \"%s\"}}",
           arguments[1], arguments[2], durability != NULL ? durability : "process");
  if (engram_open(options, NULL, &memory, NULL) != ENGRAM_OK)
    return 1;
  for (int line = 0; line < LINES; line++)
    strcat(output, "compiled another module without a warning\\n");
  for (int round = 0; round < atoi(arguments[3]); round++) {
    long long begun = now();
    for (int i = 0; i < CALLS; i++) {
      char *reply = NULL;
      snprintf(call, sizeof call,
               "{\"session\": \"round-%d\", \"tool\": \"bash\", \"input\": {\"command\": \"make part-%d\"},"
               "\"output\": \"%s\", \"exitCode\": 0}",
               round, i, output);
      if (engram_on_tool_call(memory, call, &reply, NULL) != ENGRAM_OK)
        return 1;
      engram_string_free(reply);
    }
    printf("{\"language\": \"c\", \"verb\": \"onToolCall\", \"nanos\": %lld}\n", (now() - begun) / CALLS);
    fflush(stdout);
  }
  engram_close(memory);
  return 0;
}
