package engram

import "encoding/json"

// The forms of what goes in and comes out; docs/wire.md describes them. Fields that this package does not know are dropped.

// InjectionBudget holds the tokens of one injection each; 0 means the default.
type InjectionBudget struct {
	SessionStart int `json:"sessionStart,omitempty"`
	Prompt       int `json:"prompt,omitempty"`
	Annotation   int `json:"annotation,omitempty"`
	Warning      int `json:"warning,omitempty"`
}

// SessionStart says that a session begins, or goes on.
type SessionStart struct {
	Session string `json:"session"`
	// Source is startup, resume, clear, compact or fork.
	Source string `json:"source,omitempty"`
	// Harness is claude-code, codex, gemini, opencode, copilot, cursor, gsd or generic (default).
	Harness string `json:"harness,omitempty"`
	// Cwd is the working directory; the project's root if empty.
	Cwd string `json:"cwd,omitempty"`
	// TS is when, in RFC 3339; now if empty.
	TS string `json:"ts,omitempty"`
}

// UserPrompt is what the user said.
type UserPrompt struct {
	Session string `json:"session"`
	Text    string `json:"text"`
	TS      string `json:"ts,omitempty"`
}

// ToolCall is a finished tool call. A failed one has Error and perhaps no Output.
type ToolCall struct {
	Session string `json:"session"`
	Harness string `json:"harness,omitempty"`
	Cwd     string `json:"cwd,omitempty"`
	// Tool is the harness's name of the tool.
	Tool string `json:"tool"`
	// Input holds the arguments: the harness's own object.
	Input any `json:"input,omitempty"`
	// Output is the result: the harness's own object, or a text.
	Output    any      `json:"output,omitempty"`
	Error     string   `json:"error,omitempty"`
	ExitCode  *int     `json:"exitCode,omitempty"`
	ToolUseID string   `json:"toolUseId,omitempty"`
	Agent     string   `json:"agent,omitempty"`
	TS        string   `json:"ts,omitempty"`
	Flags     []string `json:"flags,omitempty"`
}

// Stop says that the agent finished responding, with its final message.
type Stop struct {
	Session string `json:"session"`
	Text    string `json:"text"`
	Agent   string `json:"agent,omitempty"`
	TS      string `json:"ts,omitempty"`
}

// Decided is a decision that is saved on purpose. Files are those that it is about, the whole project if there are none;
// Rejected is what it is against.
type Decided struct {
	Session   string   `json:"session"`
	Content   string   `json:"content"`
	Rationale string   `json:"rationale,omitempty"`
	Files     []string `json:"files,omitempty"`
	Rejected  []string `json:"rejected,omitempty"`
	TS        string   `json:"ts,omitempty"`
}

// Compaction says that the harness compacts its context; Trigger is manual or auto.
type Compaction struct {
	Session string `json:"session"`
	Trigger string `json:"trigger,omitempty"`
	TS      string `json:"ts,omitempty"`
}

// SessionEnd says that the session ended.
type SessionEnd struct {
	Session string `json:"session"`
	Reason  string `json:"reason,omitempty"`
	TS      string `json:"ts,omitempty"`
}

// Event is one line of a session's log as JSON, with the fields that all types share.
type Event struct {
	V       int      `json:"v"`
	TS      string   `json:"ts"`
	Type    string   `json:"type"`
	Turn    int      `json:"turn"`
	Derived []string `json:"derived"`
	Flags   []string `json:"flags"`
	// Raw is the whole event.
	Raw json.RawMessage `json:"-"`
}

// UnmarshalJSON reads an event and keeps the whole of it.
func (e *Event) UnmarshalJSON(text []byte) error {
	type plain Event
	e.Raw = append(json.RawMessage(nil), text...)
	return json.Unmarshal(text, (*plain)(e))
}

// RecallItem is a note that was recalled.
type RecallItem struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Trust      string   `json:"trust"`
	Tier       string   `json:"tier"`
	Activation float64  `json:"activation"`
	Strength   float64  `json:"strength"`
	Text       string   `json:"text"`
	Framing    string   `json:"framing"`
	Files      []string `json:"files"`
	Episode    string   `json:"episode"`
	Session    string   `json:"session"`
	// Learned is the day, YYYY-MM-DD.
	Learned string `json:"learned"`
	// Via says why it came to mind.
	Via []string `json:"via"`
	// Project is the root of its project, where that is another one.
	Project string `json:"project"`
}

// Recall is what came to mind; Text is the block to hand to the agent.
type Recall struct {
	Items         []RecallItem `json:"items"`
	Text          string       `json:"text"`
	Tokens        int          `json:"tokens"`
	Dropped       int          `json:"dropped"`
	ElapsedMicros int64        `json:"elapsedMicros"`
}

// Verdict is what a change is, held against the decisions that bind its file.
type Verdict struct {
	// Verdict is NO_CONTRADICTION, INDIRECT_CONTRADICTION or DIRECT_CONTRADICTION.
	Verdict        string   `json:"verdict"`
	Severity       string   `json:"severity"`
	Decisions      []string `json:"decisions"`
	Explanation    string   `json:"explanation"`
	Recommendation string   `json:"recommendation"`
	CheckedBy      string   `json:"checkedBy"`
	ElapsedMicros  int64    `json:"elapsedMicros"`
}

// Reply is what engram has to say after something happened.
type Reply struct {
	// Event is what was logged; nil if capture is off or it was a repetition.
	Event    *Event    `json:"event"`
	Recall   Recall    `json:"recall"`
	Warnings []Verdict `json:"warnings"`
	// Advice are remarks about how the session goes, for example an error that keeps coming back.
	Advice []string `json:"advice"`
	// Context is what to hand to the agent, often empty.
	Context string `json:"context"`
	// Trouble is what went wrong beside the capture itself; for a log.
	Trouble []string `json:"trouble"`
}

// Ask is a question. Scope is "project" (default) or "all"; a Limit of 0 means 10.
type Ask struct {
	Question string `json:"question"`
	Limit    int    `json:"limit,omitempty"`
	Scope    string `json:"scope,omitempty"`
	Budget   int    `json:"budget,omitempty"`
}

// Change is a unified diff of one file.
type Change struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
}

// ConsolidateOptions say what to consolidate: one session or all, and how long to wait for another consolidator.
type ConsolidateOptions struct {
	Session string `json:"session,omitempty"`
	WaitMS  *int64 `json:"waitMs,omitempty"`
}

// Consolidated is what a consolidation made, and what is still pending.
type Consolidated struct {
	Episodes []struct {
		ID      string `json:"id"`
		Session string `json:"session"`
		Goal    string `json:"goal"`
		Outcome string `json:"outcome"`
		Nodes   int    `json:"nodes"`
	} `json:"episodes"`
	Created      int `json:"created"`
	Merged       int `json:"merged"`
	Superseded   int `json:"superseded"`
	Edges        int `json:"edges"`
	Events       int `json:"events"`
	DamagedLines int `json:"damagedLines"`
	Pending      []struct {
		PendingRange
		Reason string `json:"reason"`
	} `json:"pending"`
}

// Memory is something the user wants remembered; Type is decision (default), finding or preference.
type Memory struct {
	Text      string   `json:"text"`
	Type      string   `json:"type,omitempty"`
	Files     []string `json:"files,omitempty"`
	Rationale string   `json:"rationale,omitempty"`
}

// Remembered is what became of it. ID is empty while another process consolidates and will apply it.
type Remembered struct {
	ID         string `json:"id"`
	IsNew      bool   `json:"isNew"`
	Superseded int    `json:"superseded"`
}

// Forget names what is to be forgotten: one note by its ID, or everything that holds Text, letter case aside. With DryRun
// it is only said what that is.
type Forget struct {
	ID     string `json:"id,omitempty"`
	Text   string `json:"text,omitempty"`
	DryRun bool   `json:"dryRun,omitempty"`
}

// Forgotten is what was forgotten.
type Forgotten struct {
	// Forgotten are the notes that are gone.
	Forgotten []Named `json:"forgotten"`
	// Shortened are notes that lost the sentences in which it stood.
	Shortened []Named `json:"shortened,omitempty"`
	// Pending says that another process consolidates and will do it.
	Pending bool `json:"pending,omitempty"`
	DryRun  bool `json:"dryRun"`
}

// Named is a note by its id and its name.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Observed is one thing that another source recorded of a session: Event names the verb in snake case.
type Observed struct {
	Event string `json:"event"`
	Data  any    `json:"data"`
}

// PendingRange is a stretch of a session's log, in bytes.
type PendingRange struct {
	Session string `json:"session"`
	From    int64  `json:"from"`
	To      int64  `json:"to"`
}

// Status is what is remembered and what is pending.
type Status struct {
	Project       string         `json:"project"`
	Data          string         `json:"data"`
	Home          string         `json:"home"`
	Sessions      int            `json:"sessions"`
	Pending       int            `json:"pending"`
	PendingRanges []PendingRange `json:"pendingRanges"`
	Nodes         struct {
		Total   int            `json:"total"`
		ByType  map[string]int `json:"byType"`
		ByTrust map[string]int `json:"byTrust"`
	} `json:"nodes"`
	Edges             int      `json:"edges"`
	Episodes          int      `json:"episodes"`
	DBBytes           int64    `json:"dbBytes"`
	Embedder          string   `json:"embedder"`
	LLM               string   `json:"llm"`
	TokensToday       int64    `json:"tokensToday"`
	LastConsolidation string   `json:"lastConsolidation"`
	Warnings          []string `json:"warnings"`
}

// SessionReport is how a session goes.
type SessionReport struct {
	Session   string `json:"session"`
	Events    int    `json:"events"`
	ToolCalls int    `json:"toolCalls"`
	Turns     int    `json:"turns"`
	// Progress is how much of the agent's own plan is done, 0 to 1; nil where it keeps none.
	Progress *float64 `json:"progress"`
	Velocity struct {
		// PerStretch counts unique files moved forward in each ten calls.
		PerStretch []int `json:"perStretch"`
		Declining  bool  `json:"declining"`
	} `json:"velocity"`
	SearchToAct struct {
		Searches   int     `json:"searches"`
		Acts       int     `json:"acts"`
		Ratio      float64 `json:"ratio"`
		Expansion  int     `json:"expansion"`
		Concerning bool    `json:"concerning"`
	} `json:"searchToAct"`
	// Repetitions are errors that came back after an attempt to mend them.
	Repetitions []struct {
		Signature   string `json:"signature"`
		Repetitions int    `json:"repetitions"`
		Open        bool   `json:"open"`
	} `json:"repetitions"`
}

// Events is the log of a session.
type Events struct {
	Events       []Event `json:"events"`
	DamagedLines int     `json:"damagedLines"`
}

// Graph is every node as JSON, and every edge as [from, type, to, strength].
type Graph struct {
	Nodes []json.RawMessage    `json:"nodes"`
	Edges [][4]json.RawMessage `json:"edges"`
}

// Answered is a model that answered.
type Answered struct {
	Name          string `json:"name"`
	ElapsedMicros int64  `json:"elapsedMicros"`
}

// Probed holds the models that answered; LanguageModel is nil where there is none of the program's own.
type Probed struct {
	Embedder      Answered  `json:"embedder"`
	LanguageModel *Answered `json:"languageModel"`
}
