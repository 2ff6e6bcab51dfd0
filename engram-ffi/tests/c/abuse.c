/* Calls every function with every argument that a caller can get wrong, and still holds with good ones afterwards.
 *
 *   abuse list          the functions that have probes, one a line (tests/languages/c.sh holds them against the header)
 *   abuse count         how many probes there are
 *   abuse N PLACE       probe N alone; the caller runs one process a probe
 *   abuse all PLACE     all probes in one process, for Valgrind and AddressSanitizer
 *
 * What engram must follow cannot be garbage: texts and out pointers are null or good ones. */

#define _GNU_SOURCE
#include <engram.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define VERBS(DO)                                                                                                          \
  DO(on_session_start) DO(on_user_prompt) DO(on_tool_call) DO(on_decision) DO(on_stop) DO(on_compaction)                   \
  DO(on_session_end)                                                                                                       \
  DO(retrieve) DO(search) DO(check_contradiction) DO(consolidate) DO(flush) DO(remember) DO(forget) DO(import_notes)       \
  DO(import_session) DO(status) DO(events) DO(node) DO(graph) DO(probe)

typedef engram_status_t (*verb_fn)(const engram_t *, const char *, char **, engram_error_t **);
static const struct {
  const char *name;
  verb_fn call;
} verbs[] = {
#define ROW(verb) {"engram_" #verb, engram_##verb},
    VERBS(ROW)
#undef ROW
};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };
static const char *const others[] = {"engram_open",        "engram_close",         "engram_call",       "engram_string_free",
                                     "engram_version",     "engram_error_code",    "engram_error_message",
                                     "engram_error_free",  "engram_reply_set",     "engram_reply_fail"};
enum { OTHER_COUNT = sizeof others / sizeof others[0] };

static char options[512];
static int on_stack;

#define CHECK(truth)                                                                                                       \
  do {                                                                                                                     \
    if (!(truth)) {                                                                                                        \
      fprintf(stderr, "abuse.c:%d: %s\n", __LINE__, #truth);                                                               \
      exit(1);                                                                                                             \
    }                                                                                                                      \
  } while (0)

static engram_t *opened(void) {
  engram_t *handle = NULL;
  engram_error_t *error = NULL;
  engram_status_t status = engram_open(options, NULL, &handle, &error);
  if (status != ENGRAM_OK) fprintf(stderr, "%s\n", engram_error_message(error));
  CHECK(status == ENGRAM_OK && handle != NULL && error == NULL);
  return handle;
}

/* Handles that are none: null, addresses of all kinds, a closed handle, an error in the place of a handle. */
enum { BAD_HANDLES = 8 };
static engram_t *bad_handle(int which) {
  engram_t *closed;
  engram_error_t *error = NULL;
  switch (which) {
  case 0: return NULL;
  case 1: return (engram_t *)(uintptr_t)0xdeadbeef;
  case 2: return (engram_t *)&on_stack;
  case 3: return (engram_t *)(uintptr_t)-1;
  case 4: return (engram_t *)(uintptr_t)1;
  case 5: return (engram_t *)"a text";
  case 6:
    closed = opened();
    engram_close(closed);
    return closed;
  default:
    CHECK(engram_call(NULL, "status", NULL, NULL, &error) != ENGRAM_OK);
    engram_error_free(error);
    return (engram_t *)error;
  }
}

/* Texts that are no arguments. The last ones are made. */
static const char *const bad_texts[] = {"",     "not json", "null", "[]",   "5",       "\"x\"", "{",    "{\"session\": 5}",
                                        "\xff", "{\"session\": \"\xc3\x28\"}", "{\"text\": {}, \"question\": []}",
                                        "{\"session\": \"\\ud800\"}", "{\"timeoutMs\": -1, \"waitMs\": 1e999}"};
enum { BAD_TEXTS = sizeof bad_texts / sizeof bad_texts[0], MADE_TEXTS = 2 };

static char *made_text(int which) {
  size_t length = which == 0 ? 10u << 20 : 200000;
  char *text = malloc(length + 64);
  CHECK(text != NULL);
  if (which == 0) {
    strcpy(text, "{\"session\": \"s\", \"text\": \"");
    size_t head = strlen(text);
    memset(text + head, 'a', length);
    strcpy(text + head + length, "\", \"timeoutMs\": 1}");
  } else {
    memset(text, '[', length);
    text[length] = 0;
  }
  return text;
}

/* A status and an error that belong together; frees what came. */
static void settled(engram_status_t status, char *answer, engram_error_t *error) {
  CHECK((status == ENGRAM_OK) == (error == NULL));
  CHECK(status == ENGRAM_OK || answer == NULL);
  CHECK(engram_error_code(error) == status);
  CHECK((engram_error_message(error) != NULL) == (error != NULL));
  engram_string_free(answer);
  engram_string_free(answer);
  engram_error_free(error);
  engram_error_free(error);
  CHECK(engram_error_code(error) == 0 && engram_error_message(error) == NULL);
}

/* A call that has two faults may name either. */
static void with_bad_handle(verb_fn call, int which, int two_faults) {
  char *answer = NULL;
  engram_error_t *error = NULL;
  engram_t *handle = bad_handle(which);
  engram_status_t status = call(handle, "{}", &answer, &error);
  engram_status_t expected = handle == NULL ? ENGRAM_ERR_INVALID_ARGUMENT : ENGRAM_ERR_CLOSED;
  CHECK(status == expected || (two_faults && status == ENGRAM_ERR_INVALID_ARGUMENT));
  settled(status, answer, error);
  CHECK(call(handle, NULL, NULL, NULL) == status);
}

static void with_text(verb_fn call, const char *text) {
  char *answer = NULL;
  engram_error_t *error = NULL;
  engram_t *handle = opened();
  engram_status_t status = call(handle, text, &answer, &error);
  settled(status, answer, error);
  (void)call(handle, text, NULL, NULL);
  engram_close(handle);
}

static engram_status_t by_name(const engram_t *handle, const char *arguments, char **answer, engram_error_t **error) {
  return engram_call(handle, "onUserPrompt", arguments, answer, error);
}

static engram_status_t unknown(const engram_t *handle, const char *arguments, char **answer, engram_error_t **error) {
  (void)arguments;
  return engram_call(handle, "\xff", "{}", answer, error);
}

static engram_status_t nameless(const engram_t *handle, const char *arguments, char **answer, engram_error_t **error) {
  return engram_call(handle, NULL, arguments, answer, error);
}

static engram_status_t panics(const engram_t *handle, const char *arguments, char **answer, engram_error_t **error) {
  (void)arguments;
  return engram_call(handle, "panicForTests", NULL, answer, error);
}

static int released;
static void release(void *data) {
  CHECK(data == &on_stack);
  released++;
}

static uint32_t replies(void *data, const char *request, engram_reply_t *reply) {
  CHECK(data == &on_stack && request[0] == '{');
  CHECK(engram_reply_set(NULL, "{}", NULL) == ENGRAM_ERR_INVALID_ARGUMENT);
  CHECK(engram_reply_set(reply, NULL, NULL) == ENGRAM_ERR_INVALID_ARGUMENT);
  CHECK(engram_reply_set(reply, "\xff", NULL) == ENGRAM_ERR_INVALID_ARGUMENT);
  CHECK(engram_reply_set(reply, "{\"text\": \"first\"}", NULL) == ENGRAM_OK);
  return engram_reply_set(reply, "{\"text\": \"ready\"}", NULL);
}

static uint32_t fails(void *data, const char *request, engram_reply_t *reply) {
  (void)data, (void)request;
  engram_reply_fail(reply, "no credit", NULL);
  return 0;
}

static uint32_t says_nothing(void *data, const char *request, engram_reply_t *reply) {
  (void)data, (void)request, (void)reply;
  return 0;
}

static uint32_t returns_seven(void *data, const char *request, engram_reply_t *reply) {
  (void)data, (void)request;
  engram_reply_set(reply, "{\"text\": \"x\"}", NULL);
  return 7;
}

static uint32_t rubbish(void *data, const char *request, engram_reply_t *reply) {
  (void)data, (void)request;
  return engram_reply_set(reply, "not json", NULL);
}

static engram_reply_t *kept;
static uint32_t keeps_the_reply(void *data, const char *request, engram_reply_t *reply) {
  kept = reply;
  return fails(data, request, reply);
}

static void model(engram_callback_fn function, engram_status_t expected) {
  char with_model[640];
  char *answer = NULL;
  engram_t *handle = NULL;
  engram_error_t *error = NULL;
  engram_callbacks_t callbacks = {function, NULL, &on_stack, release};
  snprintf(with_model, sizeof with_model, "%.*s, \"languageModel\": {\"name\": \"m\"}}", (int)strlen(options) - 1, options);
  released = 0;
  CHECK(engram_open(with_model, &callbacks, &handle, NULL) == ENGRAM_OK && released == 0);
  engram_status_t status = engram_probe(handle, NULL, &answer, &error);
  CHECK(status == expected);
  settled(status, answer, error);
  engram_close(handle);
  CHECK(released == 1);
  if (kept != NULL) CHECK(engram_reply_set(kept, "{}", NULL) == ENGRAM_ERR_INVALID_ARGUMENT);
}

static void opening(int which) {
  engram_t *handle = NULL;
  engram_error_t *error = NULL;
  engram_callbacks_t callbacks = {NULL, NULL, &on_stack, release};
  engram_callbacks_t unnamed = {replies, NULL, &on_stack, release};
  released = 0;
  switch (which) {
  case 0: CHECK(engram_open(NULL, NULL, NULL, NULL) == ENGRAM_ERR_INVALID_ARGUMENT); break;
  case 1: CHECK(engram_open(options, &callbacks, NULL, &error) == ENGRAM_ERR_INVALID_ARGUMENT && released == 1); break;
  case 2: CHECK(engram_open("\xff", &callbacks, &handle, &error) == ENGRAM_ERR_INVALID_ARGUMENT && released == 1); break;
  case 3: CHECK(engram_open(options, &unnamed, &handle, &error) == ENGRAM_ERR_INVALID_ARGUMENT && released == 1); break;
  case 4: CHECK(engram_open("{\"project\": \"/nowhere\"}", NULL, &handle, &error) == ENGRAM_ERR_INVALID_ARGUMENT); break;
  case 5: CHECK(engram_open("{\"colour\": 1}", NULL, &handle, NULL) == ENGRAM_ERR_INVALID_ARGUMENT); break;
  default:
    CHECK(engram_open(options, &callbacks, &handle, &error) == ENGRAM_OK);
    engram_close(handle);
    engram_close(handle);
    CHECK(released == 1);
    return;
  }
  CHECK(handle == NULL);
  engram_error_free(error);
}
enum { OPENINGS = 7 };

static void freeing(int which) {
  void *bad = bad_handle(which);
  engram_close(bad);
  engram_string_free(bad);
  engram_error_free(bad);
  CHECK(engram_error_code(bad) == 0 && engram_error_message(bad) == NULL);
  CHECK(engram_reply_set((engram_reply_t *)bad, "{}", NULL) == ENGRAM_ERR_INVALID_ARGUMENT);
  CHECK(engram_reply_fail((engram_reply_t *)bad, "x", NULL) == ENGRAM_ERR_INVALID_ARGUMENT);
  CHECK(engram_reply_fail(NULL, NULL, NULL) == ENGRAM_ERR_INVALID_ARGUMENT);
}

static void *closes(void *handle) {
  engram_close(handle);
  return NULL;
}

static void closing_at_once(void) {
  engram_t *handle = opened();
  pthread_t threads[8];
  for (int i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, closes, handle) == 0);
  while (engram_status(handle, NULL, NULL, NULL) == ENGRAM_OK) {}
  for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
}

static void panicking(void) {
  char *answer = NULL;
  engram_error_t *error = NULL;
  engram_t *handle = opened(), *other = opened();
  engram_status_t status = panics(handle, NULL, &answer, &error);
  CHECK(status == ENGRAM_ERR_PANIC);
  settled(status, answer, error);
  CHECK(engram_status(handle, NULL, NULL, NULL) == ENGRAM_ERR_CLOSED);
  CHECK(engram_status(other, NULL, NULL, NULL) == ENGRAM_OK);
  engram_close(other);
}

static const struct {
  engram_callback_fn function;
  engram_status_t expected;
} models[] = {{replies, ENGRAM_OK},
              {fails, ENGRAM_ERR_MODEL},
              {says_nothing, ENGRAM_ERR_MODEL},
              {returns_seven, ENGRAM_ERR_MODEL},
              {rubbish, ENGRAM_ERR_MODEL_REPLY},
              {keeps_the_reply, ENGRAM_ERR_MODEL}};
enum { MODELS = sizeof models / sizeof models[0] };

static const verb_fn doors[] = {by_name, unknown, nameless};
enum { CALLS = VERB_COUNT + 3, PER_CALL = BAD_HANDLES + BAD_TEXTS + MADE_TEXTS };
enum { PROBES = CALLS * PER_CALL + OPENINGS + BAD_HANDLES + MODELS + 2 };

static void probe(int number) {
  if (number < CALLS * PER_CALL) {
    int which = number % PER_CALL;
    verb_fn call = number / PER_CALL < VERB_COUNT ? verbs[number / PER_CALL].call : doors[number / PER_CALL - VERB_COUNT];
    if (which < BAD_HANDLES) {
      with_bad_handle(call, which, number / PER_CALL > VERB_COUNT);
    } else if (which < BAD_HANDLES + BAD_TEXTS) {
      with_text(call, bad_texts[which - BAD_HANDLES]);
    } else {
      char *text = made_text(which - BAD_HANDLES - BAD_TEXTS);
      with_text(call, text);
      free(text);
    }
    return;
  }
  number -= CALLS * PER_CALL;
  if (number < OPENINGS) opening(number);
  else if ((number -= OPENINGS) < BAD_HANDLES) freeing(number);
  else if ((number -= BAD_HANDLES) < MODELS) model(models[number].function, models[number].expected);
  else if (number == MODELS) closing_at_once();
  else panicking();
}

static void prepared(const char *place) {
  char project[256];
  snprintf(project, sizeof project, "%s/project", place);
  mkdir(project, 0700);
  snprintf(options, sizeof options, "{\"project\": \"%s\", \"home\": \"%s/home\", \"background\": \"caller\"}", project, place);
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  if (strcmp(what, "list") == 0) {
    for (int i = 0; i < VERB_COUNT; i++) puts(verbs[i].name);
    for (int i = 0; i < OTHER_COUNT; i++) puts(others[i]);
    return 0;
  }
  if (strcmp(what, "count") == 0) return printf("%d\n", PROBES) < 0;
  if (count < 3) return 2;
  prepared(arguments[2]);
  CHECK(strcmp(engram_version(), ENGRAM_VERSION) == 0);
  int first = strcmp(what, "all") == 0 ? 0 : atoi(what);
  int last = strcmp(what, "all") == 0 ? PROBES - 1 : first;
  for (int number = first; number <= last; number++) probe(number);
  engram_t *handle = opened();
  CHECK(engram_status(handle, NULL, NULL, NULL) == ENGRAM_OK);
  engram_close(handle);
  return 0;
}
