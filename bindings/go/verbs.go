package engram

import (
	"context"
	"encoding/json"
	"time"
)

// OnSessionStart says that a session begins or goes on: logged, and what it should know is recalled in Context.
func (e *Engram) OnSessionStart(start SessionStart) (Reply, error) {
	return ask[Reply](e, "onSessionStart", start)
}

// OnUserPrompt says what the user said: logged, and answered with what it brings to mind.
func (e *Engram) OnUserPrompt(prompt UserPrompt) (Reply, error) {
	return ask[Reply](e, "onUserPrompt", prompt)
}

// OnToolCall says that a tool call finished: one event. The first read of a file is answered with what is known of it, a write
// with the contradictions it makes.
func (e *Engram) OnToolCall(call ToolCall) (Reply, error) {
	return ask[Reply](e, "onToolCall", call)
}

// OnStop says that the agent finished responding: logged, and consolidation is asked for.
func (e *Engram) OnStop(stop Stop) (Reply, error) {
	return ask[Reply](e, "onStop", stop)
}

// OnDecision saves a decision on purpose: it is remembered as an explicit one when the turn is consolidated.
func (e *Engram) OnDecision(decided Decided) (Reply, error) {
	return ask[Reply](e, "onDecision", decided)
}

// OnCompaction says that the harness compacts its context: notes may be told again.
func (e *Engram) OnCompaction(compaction Compaction) (Reply, error) {
	return ask[Reply](e, "onCompaction", compaction)
}

// OnSessionEnd says that the session ended.
func (e *Engram) OnSessionEnd(end SessionEnd) (Reply, error) {
	return ask[Reply](e, "onSessionEnd", end)
}

// Status is what is remembered and what is pending.
func (e *Engram) Status() (Status, error) {
	return ask[Status](e, "status", nil)
}

// SessionReport is how a session goes: its pace, its searching, its errors that come back.
func (e *Engram) SessionReport(session string) (SessionReport, error) {
	type form struct {
		Session SessionReport `json:"session"`
	}
	answer, err := ask[form](e, "status", map[string]string{"session": session})
	return answer.Session, err
}

// Events is the log of a session.
func (e *Engram) Events(session string) (Events, error) {
	return ask[Events](e, "events", map[string]string{"session": session})
}

// Node is a node by its id as JSON, whatever its state; nil if there is none.
func (e *Engram) Node(id string) (json.RawMessage, error) {
	node, err := e.Call("node", map[string]string{"id": id})
	if string(node) == "null" {
		return nil, err
	}
	return node, err
}

// Retrieve recalls what a question brings to mind.
func (e *Engram) Retrieve(ctx context.Context, question Ask) (Recall, error) {
	return wait[Recall](ctx, e, "retrieve", question)
}

// Search gives the notes that a question brings to mind, most active first, without a budget.
func (e *Engram) Search(ctx context.Context, question Ask) ([]RecallItem, error) {
	found, err := wait[struct {
		Items []RecallItem `json:"items"`
	}](ctx, e, "search", question)
	return found.Items, err
}

// CheckContradiction checks a change against the decisions that bind its file.
func (e *Engram) CheckContradiction(ctx context.Context, change Change) (Verdict, error) {
	return wait[Verdict](ctx, e, "checkContradiction", change)
}

// Consolidate consolidates what is pending. It fails with ErrBusy if another consolidator works longer than WaitMS.
func (e *Engram) Consolidate(ctx context.Context, options ConsolidateOptions) (Consolidated, error) {
	return wait[Consolidated](ctx, e, "consolidate", options)
}

// Flush waits until the background work asked for so far is done, timeout at most; says whether it is.
func (e *Engram) Flush(timeout time.Duration) (bool, error) {
	flushed, err := ask[struct {
		Done bool `json:"done"`
	}](e, "flush", map[string]int64{"timeoutMs": timeout.Milliseconds()})
	return flushed.Done, err
}

// Remember remembers what the user says, with the user's trust; durable when it returns.
func (e *Engram) Remember(ctx context.Context, memory Memory) (Remembered, error) {
	return wait[Remembered](ctx, e, "remember", memory)
}

// Forget forgets a note, or everything that holds a text, for good. It fails with InvalidArgument if there is no such note
// or no note holds the text.
func (e *Engram) Forget(ctx context.Context, what Forget) (Forgotten, error) {
	return wait[Forgotten](ctx, e, "forget", what)
}

// ImportNotes imports notes, one JSON object a line.
func (e *Engram) ImportNotes(ctx context.Context, notes string) (Consolidated, error) {
	return wait[Consolidated](ctx, e, "importNotes", map[string]string{"notes": notes})
}

// CheckNotes reads notes as ImportNotes would and stores nothing; says how many there are.
func (e *Engram) CheckNotes(ctx context.Context, notes string) (int, error) {
	checked, err := wait[struct {
		Notes int `json:"notes"`
	}](ctx, e, "importNotes", map[string]any{"notes": notes, "dryRun": true})
	return checked.Notes, err
}

// ImportSession makes a log of what another source recorded of a session, unless it has one; says how many events. Root is the
// project's root where it was recorded.
func (e *Engram) ImportSession(ctx context.Context, session, root string, observed []Observed) (int, error) {
	arguments := map[string]any{"session": session, "root": root, "observed": observed}
	imported, err := wait[struct {
		Events int `json:"events"`
	}](ctx, e, "importSession", arguments)
	return imported.Events, err
}

// Graph is every node and edge.
func (e *Engram) Graph(ctx context.Context) (Graph, error) {
	return wait[Graph](ctx, e, "graph", nil)
}

// Probe asks the language model and the embedder for one small thing each, as consolidation will. It fails with ErrModel or
// ErrModelReply saying what is wrong.
func (e *Engram) Probe(ctx context.Context) (Probed, error) {
	return wait[Probed](ctx, e, "probe", nil)
}
