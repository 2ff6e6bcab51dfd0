/* engram in a C agent: a test fails and is mended, a decision is made; the next session is told, and warned when it goes
 * against the decision. The answers are JSON; cJSON (Debian: libcjson-dev) reads them here, as any JSON library would. */

#include <cjson/cJSON.h>
#include <engram.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static engram_t *memory;

/* Ends the program with engram's sentence. */
static void give_up(engram_error_t *error) {
  fprintf(stderr, "engram: %s\n", engram_error_message(error));
  engram_error_free(error);
  exit(1);
}

typedef engram_status_t (*verb)(const engram_t *, const char *, char **, engram_error_t **);

/* Calls a verb; the answer is the caller's. */
static cJSON *call(verb function, const char *arguments) {
  char *text = NULL;
  engram_error_t *error = NULL;
  if (function(memory, arguments, &text, &error) != ENGRAM_OK)
    give_up(error);
  cJSON *answer = cJSON_Parse(text);
  engram_string_free(text);
  return answer;
}

static void told(verb function, const char *arguments) {
  cJSON *reply = call(function, arguments);
  puts(cJSON_GetStringValue(cJSON_GetObjectItem(reply, "context")));
  cJSON_Delete(reply);
}

static void captured(const char *arguments) {
  cJSON *reply = call(engram_on_tool_call, arguments);
  cJSON *event = cJSON_GetObjectItem(reply, "event");
  const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(event, "type"));
  if (strcmp(type, "file_write") == 0)
    printf("captured %s %s\n", type, cJSON_GetStringValue(cJSON_GetObjectItem(event, "path")));
  else
    printf("captured %s passed=%d failed=%d\n", type, cJSON_GetObjectItem(event, "passed")->valueint,
           cJSON_GetObjectItem(event, "failed")->valueint);
  cJSON_Delete(reply);
}

static void monday(void) {
  puts("== monday: a test fails, the agent mends it");
  cJSON_Delete(call(engram_on_session_start,
                    "{\"session\": \"monday\", \"source\": \"startup\", \"ts\": \"2026-11-30T09:00:00Z\"}"));
  cJSON_Delete(call(engram_on_user_prompt, "{\"session\": \"monday\", \"ts\": \"2026-11-30T09:00:05Z\","
                                           "\"text\": \"The order total is off by a cent. Find out why and fix it.\"}"));
  captured("{\"session\": \"monday\", \"tool\": \"bash\", \"input\": {\"command\": \"pytest -q\"},"
           "\"output\": \"FAILED test_cart.py::test_total - AssertionError: 0.30000000000000004 != 0.3\\n"
           "1 failed, 2 passed in 0.04s\", \"exitCode\": 1, \"ts\": \"2026-11-30T09:00:30Z\"}");
  captured("{\"session\": \"monday\", \"tool\": \"edit\", \"input\": {\"file_path\": \"cart.py\","
           "\"old_string\": \"total = 0.0\", \"new_string\": \"total_cents = 0\"},"
           "\"output\": \"ok\", \"exitCode\": 0, \"ts\": \"2026-11-30T09:01:00Z\"}");
  captured("{\"session\": \"monday\", \"tool\": \"bash\", \"input\": {\"command\": \"pytest -q\"},"
           "\"output\": \"3 passed in 0.03s\", \"exitCode\": 0, \"ts\": \"2026-11-30T09:01:30Z\"}");
  cJSON_Delete(call(engram_on_stop, "{\"session\": \"monday\", \"ts\": \"2026-11-30T09:02:00Z\","
                                    "\"text\": \"Fixed: adding floats drifted. We decided to keep money in integer "
                                    "cents instead of floats because floats drift.\"}"));
  cJSON_Delete(call(engram_flush, "{\"timeoutMs\": 10000}"));
}

static void tuesday(void) {
  puts("\n== tuesday: the next session is told");
  told(engram_on_session_start,
       "{\"session\": \"tuesday\", \"source\": \"startup\", \"ts\": \"2026-12-01T09:00:00Z\"}");

  puts("\n== tuesday: an edit goes against the decision");
  told(engram_on_tool_call, "{\"session\": \"tuesday\", \"tool\": \"edit\", \"input\": {\"file_path\": \"cart.py\","
                            "\"old_string\": \"total_cents = 0\", \"new_string\": \"total = float(0)\"},"
                            "\"output\": \"ok\", \"exitCode\": 0, \"ts\": \"2026-12-01T09:01:00Z\"}");
}

int main(void) {
  char place[] = "/tmp/engram-story-XXXXXX", project[64], options[256];
  engram_error_t *error = NULL;
  if (mkdtemp(place) == NULL)
    return 1;
  snprintf(project, sizeof project, "%s/shop", place);
  mkdir(project, 0700);
  snprintf(options, sizeof options, "{\"project\": \"%s\", \"home\": \"%s/home\"}", project, place);
  if (engram_open(options, NULL, &memory, &error) != ENGRAM_OK)
    give_up(error);
  monday();
  tuesday();
  engram_close(memory);
  return 0;
}
