/* Many threads and forked children on one handle.
 *
 *   strain threads PLACE    8 threads make 20,000 mixed calls each
 *   strain forks PLACE      200 children are forked while 4 threads call
 *
 * Both then hold the logs against what engram acknowledged. tests/languages/c.sh checks the database afterwards. */

#define _GNU_SOURCE
#include <engram.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_THREADS = 8, CALLS = 20000, FORKS = 200, PATIENCE_SECONDS = 60 };

#define CHECK(truth)                                                                                                       \
  do {                                                                                                                     \
    if (!(truth)) {                                                                                                        \
      fprintf(stderr, "strain.c:%d: %s\n", __LINE__, #truth);                                                              \
      exit(1);                                                                                                             \
    }                                                                                                                      \
  } while (0)

static char options[512];
static engram_t *handle;
static atomic_int stopped;

/* What a thread does, and how many events engram acknowledged to it. */
typedef struct {
  pthread_t thread;
  int number, calls, logged;
} work_t;

static work_t works[MOST_THREADS];

typedef engram_status_t (*verb_fn)(const engram_t *, const char *, char **, engram_error_t **);

/* A call that must succeed. */
static void good(verb_fn verb, const char *arguments) {
  char *answer = NULL;
  engram_error_t *error = NULL;
  if (verb(handle, arguments, &answer, &error) != ENGRAM_OK) fprintf(stderr, "%s\n", engram_error_message(error));
  CHECK(error == NULL && answer != NULL && answer[0] != 0);
  engram_string_free(answer);
}

static void event(work_t *work, int turn) {
  char arguments[256];
  const char *form = turn % 20 == 5 ? "{\"session\": \"s%d\", \"text\": \"prompt %d\"}"
                                    : "{\"session\": \"s%d\", \"tool\": \"bash\", \"input\": {\"command\": \"echo %d\"},"
                                      "\"output\": \"ok\"}";
  snprintf(arguments, sizeof arguments, form, work->number, turn);
  good(turn % 20 == 5 ? engram_on_user_prompt : engram_on_tool_call, arguments);
  work->logged++;
}

static void mixed(work_t *work, int turn) {
  switch (turn % 200) {
  case 0: good(engram_retrieve, "{\"question\": \"what about tabs?\", \"limit\": 3}"); break;
  case 1: good(engram_status, NULL); break;
  case 2: good(engram_check_contradiction, "{\"path\": \"cart.py\", \"diff\": \"+x = 1\\n\"}"); break;
  case 3: good(engram_node, "{\"id\": \"n_none\"}"); break;
  default: event(work, turn);
  }
}

static void *run(void *given) {
  work_t *work = given;
  for (int turn = 0; turn < work->calls && !atomic_load(&stopped); turn++) mixed(work, turn);
  return NULL;
}

static void start(int threads, int calls) {
  for (int i = 0; i < threads; i++) {
    works[i].number = i;
    works[i].calls = calls;
    CHECK(pthread_create(&works[i].thread, NULL, run, &works[i]) == 0);
  }
}

/* The folder that status names. */
static void data_folder(char *folder, size_t room) {
  char *answer = NULL;
  CHECK(engram_status(handle, NULL, &answer, NULL) == ENGRAM_OK);
  const char *from = strstr(answer, "\"data\":\"");
  CHECK(from != NULL);
  from += strlen("\"data\":\"");
  snprintf(folder, room, "%.*s", (int)strcspn(from, "\""), from);
  engram_string_free(answer);
}

static int events_in(const char *path) {
  char *line = NULL;
  size_t room = 0;
  int events = 0;
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  while (getline(&line, &room, file) > 0) events += line[0] == '{';
  free(line);
  fclose(file);
  return events;
}

/* Waits for the threads, closes, and holds each log against what its thread was told. */
static void finish(int threads) {
  char folder[256], path[512];
  for (int i = 0; i < threads; i++) CHECK(pthread_join(works[i].thread, NULL) == 0);
  data_folder(folder, sizeof folder);
  engram_close(handle);
  for (int i = 0; i < threads; i++) {
    snprintf(path, sizeof path, "%s/events/s%d.jsonl", folder, works[i].number);
    CHECK(works[i].logged > 0 && events_in(path) == works[i].logged);
  }
}

/* In the child: the parent's handle is refused, may be closed, and is refused again. */
static void child(void) {
  char *answer = NULL;
  engram_error_t *error = NULL;
  alarm(PATIENCE_SECONDS);
  CHECK(engram_status(handle, NULL, &answer, &error) == ENGRAM_ERR_FORKED && answer == NULL);
  CHECK(engram_error_code(error) == ENGRAM_ERR_FORKED && engram_error_message(error) != NULL);
  engram_error_free(error);
  CHECK(engram_on_tool_call(handle, "{}", NULL, NULL) == ENGRAM_ERR_FORKED);
  engram_close(handle);
  CHECK(engram_status(handle, NULL, NULL, NULL) == ENGRAM_ERR_FORKED);
  _exit(0);
}

static void forks(void) {
  start(4, 1 << 30);
  for (int i = 0; i < FORKS; i++) {
    int ended = 0;
    pid_t forked = fork();
    CHECK(forked >= 0);
    if (forked == 0) child();
    CHECK(waitpid(forked, &ended, 0) == forked);
    if (WIFSIGNALED(ended)) fprintf(stderr, "child %d ended by signal %d\n", i, WTERMSIG(ended));
    CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    good(engram_status, NULL);
  }
  atomic_store(&stopped, 1);
  finish(4);
}

static void opened(const char *place) {
  char project[256];
  snprintf(project, sizeof project, "%s/project", place);
  mkdir(project, 0700);
  snprintf(options, sizeof options,
           "{\"project\": \"%s\", \"home\": \"%s/home\", \"background\": \"caller\", \"config\": {\"durability\": \"process\"}}",
           project, place);
  CHECK(engram_open(options, NULL, &handle, NULL) == ENGRAM_OK);
  good(engram_remember, "{\"text\": \"Use tabs instead of spaces\"}");
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  opened(arguments[2]);
  if (strcmp(arguments[1], "threads") == 0) {
    start(MOST_THREADS, CALLS);
    finish(MOST_THREADS);
  } else {
    forks();
  }
  return 0;
}
