/* engram by lines, for the shared vectors: tests/vectors.rs writes commands to stdin and reads what came from stdout.
 *
 *   verbs | kinds                     what there is
 *   host MODEL reply JSON             MODEL (languageModel, embedder) answers with this; the last one again and again
 *   host MODEL throws TEXT            it fails with these words
 *   host MODEL hangs                  it does not return for a second
 *   host MODEL calls VERB JSON        it calls the verb on the handle that it serves, then answers {"text": "ready"}
 *   open JSON | call VERB JSON | close
 *
 * Each command but "host" is answered with one line: a status, a space, and the JSON or the error's sentence. A call that
 * a model makes is answered before it with such a line after "inner ". */

#define _GNU_SOURCE
#include <engram.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef engram_status_t (*verb_fn)(const engram_t *, const char *, char **, engram_error_t **);
static const struct {
  const char *name;
  verb_fn function;
} verbs[] = {{"onSessionStart", engram_on_session_start},
             {"onUserPrompt", engram_on_user_prompt},
             {"onToolCall", engram_on_tool_call},
             {"onDecision", engram_on_decision},
             {"onStop", engram_on_stop},
             {"onCompaction", engram_on_compaction},
             {"onSessionEnd", engram_on_session_end},
             {"retrieve", engram_retrieve},
             {"search", engram_search},
             {"checkContradiction", engram_check_contradiction},
             {"consolidate", engram_consolidate},
             {"flush", engram_flush},
             {"remember", engram_remember},
             {"forget", engram_forget},
             {"importNotes", engram_import_notes},
             {"importSession", engram_import_session},
             {"status", engram_status},
             {"events", engram_events},
             {"node", engram_node},
             {"graph", engram_graph},
             {"probe", engram_probe}};

static const struct {
  const char *name;
  engram_status_t number;
} kinds[] = {{"InvalidArgument", ENGRAM_ERR_INVALID_ARGUMENT},
             {"Config", ENGRAM_ERR_CONFIG},
             {"Io", ENGRAM_ERR_IO},
             {"Storage", ENGRAM_ERR_STORAGE},
             {"Corrupt", ENGRAM_ERR_CORRUPT},
             {"Model", ENGRAM_ERR_MODEL},
             {"ModelReply", ENGRAM_ERR_MODEL_REPLY},
             {"Closed", ENGRAM_ERR_CLOSED},
             {"Busy", ENGRAM_ERR_BUSY},
             {"Forked", ENGRAM_ERR_FORKED},
             {"Panic", ENGRAM_ERR_PANIC}};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { MOST_REPLIES = 64 };

/* What a model does. The commands of a model come before the handle is open, so its threads only read all but `turn`. */
typedef struct {
  char *replies[MOST_REPLIES];
  int count, turn;
  char *throws, *verb, *arguments;
  int set, hangs;
} script_t;

static script_t language_model, embedder;
/* Kept when closed: calls then say so. */
static engram_t *handle;

static _Noreturn void give_up(const char *why) {
  fprintf(stderr, "vectors.c: %s\n", why);
  exit(1);
}

static char *kept(const char *text) {
  char *copy = strdup(text);
  if (copy == NULL) give_up("no memory");
  return copy;
}

/* One line in one write, since models answer from threads of their own. */
static void say(const char *before, engram_status_t status, const char *text) {
  char *line, *at;
  if (asprintf(&line, "%s%u %s", before, status, text) < 0) give_up("no memory");
  while ((at = strchr(line, '\n')) != NULL) *at = ' ';
  flockfile(stdout);
  puts(line);
  fflush(stdout);
  funlockfile(stdout);
  free(line);
}

/* The function of the verb's own; by its name where there is none, as with a verb that engram does not know. */
static engram_status_t called(const char *verb, const char *arguments, char **answer, engram_error_t **error) {
  for (size_t i = 0; i < LENGTH(verbs); i++)
    if (strcmp(verbs[i].name, verb) == 0) return verbs[i].function(handle, arguments, answer, error);
  return engram_call(handle, verb, arguments, answer, error);
}

/* Says how something ended, and frees what came of it. */
static void settle(const char *before, engram_status_t status, char *answer, engram_error_t *error) {
  if (engram_error_code(error) != status) give_up("the status is not that of the error");
  say(before, status, status == ENGRAM_OK ? answer : engram_error_message(error));
  engram_string_free(answer);
  engram_error_free(error);
}

static void call(const char *before, const char *verb, const char *arguments) {
  char *answer = NULL;
  engram_error_t *error = NULL;
  engram_status_t status = called(verb, *arguments == 0 ? NULL : arguments, &answer, &error);
  settle(before, status, answer, error);
}

static uint32_t play(script_t *script, engram_reply_t *reply) {
  if (script->throws != NULL) {
    engram_reply_fail(reply, script->throws, NULL);
    return 1;
  }
  if (script->hangs) sleep(1);
  if (script->verb != NULL) {
    call("inner ", script->verb, script->arguments);
    return engram_reply_set(reply, "{\"text\": \"ready\"}", NULL);
  }
  if (script->count == 0) return 0;
  int turn = __atomic_fetch_add(&script->turn, 1, __ATOMIC_RELAXED);
  return engram_reply_set(reply, script->replies[turn < script->count ? turn : script->count - 1], NULL);
}

static uint32_t complete(void *data, const char *request, engram_reply_t *reply) {
  if (data != &handle || strstr(request, "\"prompt\"") == NULL) give_up("a language model was asked for something else");
  return play(&language_model, reply);
}

static uint32_t embed(void *data, const char *request, engram_reply_t *reply) {
  if (data != &handle || strstr(request, "\"texts\"") == NULL) give_up("an embedder was asked for something else");
  return play(&embedder, reply);
}

static void open_handle(const char *options) {
  engram_callbacks_t callbacks = {language_model.set ? complete : NULL, embedder.set ? embed : NULL, &handle, NULL};
  engram_error_t *error = NULL;
  engram_status_t status = engram_open(options, &callbacks, &handle, &error);
  if (engram_error_code(error) != status) give_up("the status is not that of the error");
  say("", status, status == ENGRAM_OK ? "null" : engram_error_message(error));
  engram_error_free(error);
}

/* The word at the start of `*rest`, which then begins after it. */
static char *word(char **rest) {
  char *first = strsep(rest, " ");
  if (*rest == NULL) *rest = first + strlen(first);
  return first;
}

static void host(char *rest) {
  char *model = word(&rest), *what = word(&rest);
  script_t *script = strcmp(model, "embedder") == 0 ? &embedder : &language_model;
  script->set = 1;
  if (strcmp(what, "reply") == 0 && script->count < MOST_REPLIES) {
    script->replies[script->count++] = kept(rest);
  } else if (strcmp(what, "throws") == 0) {
    script->throws = kept(rest);
  } else if (strcmp(what, "hangs") == 0) {
    script->hangs = 1;
  } else if (strcmp(what, "calls") == 0) {
    script->verb = kept(word(&rest));
    script->arguments = kept(rest);
  } else {
    give_up("a script of no kind");
  }
}

static void list_verbs(void) {
  char text[1024] = "";
  for (size_t i = 0; i < LENGTH(verbs); i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s ", verbs[i].name);
  }
  say("", ENGRAM_OK, text);
}

static void list_kinds(void) {
  char text[1024] = "";
  for (size_t i = 0; i < LENGTH(kinds); i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s=%u ", kinds[i].name, kinds[i].number);
  }
  say("", ENGRAM_OK, text);
}

static void close_handle(void) {
  engram_close(handle);
  say("", 0, "null");
}

static void obey(char *line) {
  char *rest = line, *command = word(&rest);
  if (strcmp(command, "host") == 0) host(rest);
  else if (strcmp(command, "open") == 0) open_handle(rest);
  else if (strcmp(command, "close") == 0) close_handle();
  else if (strcmp(command, "verbs") == 0) list_verbs();
  else if (strcmp(command, "kinds") == 0) list_kinds();
  else if (strcmp(command, "call") == 0) {
    char *verb = word(&rest);
    call("", verb, rest);
  } else give_up("a command of no kind");
}

int main(void) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, stdin)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    obey(line);
  }
  return 0;
}
