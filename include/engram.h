/* engram: memory for AI coding agents. JSON text in and out (docs/wire.md); a status as return value, 0 for success.
 *
 * Who frees what. What a function returns through `out_json` is the caller's, until engram_string_free; an error, until
 * engram_error_free; a handle, until engram_close. All three take null. Texts that go in stay the caller's and are copied.
 *
 * What is checked. Handles, errors and replies are numbers that are looked up, never followed: one that is null, freed,
 * foreign, or from before a fork gives a status and does no harm. The same holds for engram_string_free, as long as the
 * allocator has not given the address of a freed text to the next one: set pointers to null when they are freed. Texts are
 * followed, and out-pointers written to: they are null where that is allowed, or good; no library survives others.
 *
 * Threads. Any thread may use a handle, several at once. Functions that say "may be slow" can wait for a model or for the
 * disk; the others answer in about the time of writing a line to a file.
 *
 * Fork. A child gets ENGRAM_ERR_FORKED for a handle of its parent, and may close it. Fork before opening, or exec after: a
 * child that opens the same memory while its parent had it open shares locks of SQLite that are not its own.
 *
 * The library installs no signal handler, never ends the process, and writes to neither stdout nor stderr.
 *
 * Made by cbindgen from engram-ffi; do not edit. */

#ifndef ENGRAM_H
#define ENGRAM_H

#include <stdint.h>

#define ENGRAM_VERSION_MAJOR 0
#define ENGRAM_VERSION_MINOR 1
#define ENGRAM_VERSION_PATCH 0
#define ENGRAM_VERSION "0.1.0"

/*
 An error: a code and a sentence. Freed with `engram_error_free`.
 */
typedef struct engram_error_t engram_error_t;

/*
 Where a callback puts its reply. Valid until the callback returns.
 */
typedef struct engram_reply_t engram_reply_t;

/*
 An open memory. Any thread may use it. Closed with `engram_close`.
 */
typedef struct engram_t engram_t;

/*
 0, or the number of an error's kind.
 */
typedef uint32_t engram_status_t;

/*
 A model of the host's: reads `request_json`, calls `engram_reply_set` with JSON (or `engram_reply_fail` with a sentence)
 and returns 0, or anything else for a failure. engram calls it from threads of its own, perhaps from several at once,
 and waits at most `probeTimeoutMs`; it must return in the end, and must neither throw nor `longjmp` out.
 */
typedef uint32_t (*engram_callback_fn)(void *user_data, const char *request_json, engram_reply_t *reply);

/*
 The host's models. Each one that is set is described in the options of `engram_open` (`languageModel`, `embedder`).
 */
typedef struct {
  /*
   Completes prompts: `{"system","prompt","maxTokens","schema"?}` in, `{"text"}` out. May be null.
   */
  engram_callback_fn language_model;
  /*
   Makes vectors: `{"texts":[...]}` in, `{"vectors":[[...]|null, ...]}` out. May be null.
   */
  engram_callback_fn embedder;
  /*
   Handed to both functions as it is.
   */
  void *user_data;
  /*
   Called once when nothing will use `user_data` any more: when the handle is closed and the last function has
   returned, by the thread that was the last to need it; or within `engram_open` if that fails. May be null.
   */
  void (*release)(void *user_data);
} engram_callbacks_t;

/*
 The call succeeded.
 */
#define ENGRAM_OK 0

/*
 The caller passed something that breaks a stated rule.
 */
#define ENGRAM_ERR_INVALID_ARGUMENT 1

/*
 A setting is unknown, of the wrong type or out of its range.
 */
#define ENGRAM_ERR_CONFIG 2

/*
 The file system refused.
 */
#define ENGRAM_ERR_IO 3

/*
 The database refused.
 */
#define ENGRAM_ERR_STORAGE 4

/*
 Stored data could not be understood.
 */
#define ENGRAM_ERR_CORRUPT 5

/*
 A language model or embedder could not be reached or refused.
 */
#define ENGRAM_ERR_MODEL 6

/*
 A language model or embedder answered, but not in the agreed form.
 */
#define ENGRAM_ERR_MODEL_REPLY 7

/*
 The handle is closed, or is none of engram's.
 */
#define ENGRAM_ERR_CLOSED 8

/*
 Somebody else holds what this call needs; trying again later can help.
 */
#define ENGRAM_ERR_BUSY 9

/*
 This process was forked while its parent had a handle open: it can neither use that one nor open another.
 */
#define ENGRAM_ERR_FORKED 10

/*
 engram panicked, which is a bug in it; the handle of the call is closed.
 */
#define ENGRAM_ERR_PANIC 255

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The number of an error's kind, one of `ENGRAM_ERR_*`; 0 for null or a freed error.
 */
engram_status_t engram_error_code(const engram_error_t *error);

/*
 An error's sentence, valid until the error is freed; null for null or a freed error. The caller must not free it.
 */
const char *engram_error_message(const engram_error_t *error);

/*
 Frees an error. Null, a second free and a foreign pointer do nothing.
 */
void engram_error_free(engram_error_t *error);

/*
 Answers a callback with JSON, which is copied. A later answer replaces an earlier one.

 Pointers: `json` is null or NUL-terminated; `err` is null or may be written to.
 */
engram_status_t engram_reply_set(engram_reply_t *reply, const char *json, engram_error_t **err);

/*
 Answers a callback with a failure, in a sentence, which is copied.

 Pointers: `message` is null or NUL-terminated; `err` is null or may be written to.
 */
engram_status_t engram_reply_fail(engram_reply_t *reply, const char *message, engram_error_t **err);

/*
 Opens the memory of a project. `options_json` is `{"project", "home"?, "config"?: {...}, "background"?: "worker" |
 "caller", "languageModel"?: {"name"}, "embedder"?: {"model", "dimensions"}}`; `callbacks` has the functions of the last
 two and may be null. The handle goes to `out`, and is closed with `engram_close`. Returns 0, or the number of an error's
 kind with the error in `err`, which may be null. `out` is written to on success alone, `err` on failure alone. May be
 slow: files are read.

 Pointers: `options_json` is null or NUL-terminated; `callbacks` is null or points to such a struct; `out` and `err` are null or may
 be written to.
 */
engram_status_t engram_open(const char *options_json,
                            const engram_callbacks_t *callbacks,
                            engram_t **out,
                            engram_error_t **err);

/*
 Closes a handle: later calls with it say `ENGRAM_ERR_CLOSED`. May be slow: waits for its background work, at most two
 seconds; what is left is done at the next start. A call of another thread that is under way goes on, and the memory is
 closed when it ends, by that thread. Null, a second close and a foreign handle do nothing.
 */
void engram_close(engram_t *handle);

/*
 Frees a text that this library returned through `out_json`. Null and a foreign pointer do nothing, and so does
 a second free, unless the allocator has given the same address to another text of engram's meanwhile.
 */
void engram_string_free(char *text);

/*
 The version of the library, as text that the caller must not free.
 */
const char *engram_version(void);

/*
 Calls a verb by its name on the wire ("onToolCall", "retrieve", ...) with arguments as one JSON object, null for
 none. The JSON answer goes to `out_json` and is freed with `engram_string_free`; `out_json` and `err` may be null.
 Returns 0, or the number of an error's kind with the error in `err`, freed with `engram_error_free`. `out_json` is
 written to on success alone, `err` on failure alone.

 Pointers: `verb` and `arguments_json` are null or NUL-terminated; `out_json` and `err` are null or may be written to.
 */
engram_status_t engram_call(const engram_t *handle,
                            const char *verb,
                            const char *arguments_json,
                            char **out_json,
                            engram_error_t **err);

/*
 A session begins or goes on: logged, pending work queued, and what the session should know is recalled. Arguments:
 `{"session","harness","cwd","source"}`.

 Pointers: as `engram_call`.
 */
engram_status_t engram_on_session_start(const engram_t *handle,
                                        const char *arguments_json,
                                        char **out_json,
                                        engram_error_t **err);

/*
 The user said something: logged, and answered with what it brings to mind. Arguments: `{"session","text"}`.

 Pointers: as `engram_call`.
 */
engram_status_t engram_on_user_prompt(const engram_t *handle,
                                      const char *arguments_json,
                                      char **out_json,
                                      engram_error_t **err);

/*
 A tool call finished: one event, durable when this returns; the first read of a file is answered with what is known
 of it, a write with the contradictions it makes. Arguments:
 `{"session","harness","cwd","tool","input","output"?,"error"?,"exitCode"?}`.

 Pointers: as `engram_call`.
 */
engram_status_t engram_on_tool_call(const engram_t *handle,
                                    const char *arguments_json,
                                    char **out_json,
                                    engram_error_t **err);

/*
 A decision is saved on purpose: logged, and remembered when the turn is consolidated. Arguments: `{"session","content"}`, with
 `rationale`, `files` and `rejected` where there are any.

 Pointers: as `engram_call`.
 */
engram_status_t engram_on_decision(const engram_t *handle,
                                   const char *arguments_json,
                                   char **out_json,
                                   engram_error_t **err);

/*
 The agent finished responding: logged, and consolidation is asked for. Arguments: `{"session","text"}`.

 Pointers: as `engram_call`.
 */
engram_status_t engram_on_stop(const engram_t *handle,
                               const char *arguments_json,
                               char **out_json,
                               engram_error_t **err);

/*
 The harness compacts its context: notes may be told again. Arguments: `{"session","trigger"}`.

 Pointers: as `engram_call`.
 */
engram_status_t engram_on_compaction(const engram_t *handle,
                                     const char *arguments_json,
                                     char **out_json,
                                     engram_error_t **err);

/*
 The session ended. Arguments: `{"session","reason"}`.

 Pointers: as `engram_call`.
 */
engram_status_t engram_on_session_end(const engram_t *handle,
                                      const char *arguments_json,
                                      char **out_json,
                                      engram_error_t **err);

/*
 Recalls what a question brings to mind. Arguments: `{"question","limit"?,"scope"?: "project" | "all"}`.
 May be slow: the question may go to an embedder.

 Pointers: as `engram_call`.
 */
engram_status_t engram_retrieve(const engram_t *handle,
                                const char *arguments_json,
                                char **out_json,
                                engram_error_t **err);

/*
 The notes that a question brings to mind, most active first, without a budget. Arguments: `{"question","limit"?}`.
 May be slow: the question may go to an embedder.

 Pointers: as `engram_call`.
 */
engram_status_t engram_search(const engram_t *handle,
                              const char *arguments_json,
                              char **out_json,
                              engram_error_t **err);

/*
 Checks a change against the decisions that bind its file. Arguments: `{"path","diff"}`.
 May be slow: a model may be asked.

 Pointers: as `engram_call`.
 */
engram_status_t engram_check_contradiction(const engram_t *handle,
                                           const char *arguments_json,
                                           char **out_json,
                                           engram_error_t **err);

/*
 Consolidates what is pending, in this thread. Arguments: `{"session"?,"waitMs"?}`.
 May be slow: models are asked, and the database is written.

 Pointers: as `engram_call`.
 */
engram_status_t engram_consolidate(const engram_t *handle,
                                   const char *arguments_json,
                                   char **out_json,
                                   engram_error_t **err);

/*
 Waits until the background work asked for so far is done; the answer `{"done"}` says whether it is. Arguments:
 `{"timeoutMs"?}`.
 May be slow: it waits, at most as long as it is told, 10 seconds if it is not.

 Pointers: as `engram_call`.
 */
engram_status_t engram_flush(const engram_t *handle, const char *arguments_json, char **out_json, engram_error_t **err);

/*
 Remembers what the user says, with the user's trust. Arguments: `{"text","type"?,"files"?,"rationale"?}`.
 May be slow: an embedder may be asked, and the database is written.

 Pointers: as `engram_call`.
 */
engram_status_t engram_remember(const engram_t *handle,
                                const char *arguments_json,
                                char **out_json,
                                engram_error_t **err);

/*
 Forgets a memory, or everything that holds a text, for good; an unknown id and a text that nothing holds are invalid
 arguments. Arguments: `{"id"}` or `{"text"}`, `"dryRun"?`.
 May be slow: every episode is read, and the database is rewritten.

 Pointers: as `engram_call`.
 */
engram_status_t engram_forget(const engram_t *handle,
                              const char *arguments_json,
                              char **out_json,
                              engram_error_t **err);

/*
 Imports notes, one JSON object a line. Arguments: `{"notes","dryRun"?}`.
 May be slow: an embedder may be asked for each note.

 Pointers: as `engram_call`.
 */
engram_status_t engram_import_notes(const engram_t *handle,
                                    const char *arguments_json,
                                    char **out_json,
                                    engram_error_t **err);

/*
 Makes a log of what another source recorded of a session. Arguments: `{"session","root","observed":[...]}`.
 May be slow: the whole log is written.

 Pointers: as `engram_call`.
 */
engram_status_t engram_import_session(const engram_t *handle,
                                      const char *arguments_json,
                                      char **out_json,
                                      engram_error_t **err);

/*
 What is remembered and what is pending. No arguments.

 Pointers: as `engram_call`.
 */
engram_status_t engram_status(const engram_t *handle,
                              const char *arguments_json,
                              char **out_json,
                              engram_error_t **err);

/*
 The events of a session's log, in order. Arguments: `{"session"}`.

 Pointers: as `engram_call`.
 */
engram_status_t engram_events(const engram_t *handle,
                              const char *arguments_json,
                              char **out_json,
                              engram_error_t **err);

/*
 A node by its id, whatever its state; `null` if there is none. Arguments: `{"id"}`.

 Pointers: as `engram_call`.
 */
engram_status_t engram_node(const engram_t *handle, const char *arguments_json, char **out_json, engram_error_t **err);

/*
 Every node and edge. No arguments.
 May be slow: everything is read.

 Pointers: as `engram_call`.
 */
engram_status_t engram_graph(const engram_t *handle, const char *arguments_json, char **out_json, engram_error_t **err);

/*
 Asks the language model and the embedder for one small thing each, as consolidation will. No arguments.
 May be slow: it waits for both, at most `probeTimeoutMs` each.

 Pointers: as `engram_call`.
 */
engram_status_t engram_probe(const engram_t *handle, const char *arguments_json, char **out_json, engram_error_t **err);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ENGRAM_H */
