// Settings, made of the table in engram-core.
package engram

// engram:config begin
// Config holds settings; what is left out has its default.
type Config struct {
	// LLMProvider: language model that consolidates; offline uses rules only: one of offline, anthropic, openai, command; default "offline".
	LLMProvider string `json:"llmProvider,omitempty"`
	// LLMBaseURL: address of the language model's API; empty = the provider's own: a text; default "".
	LLMBaseURL string `json:"llmBaseUrl,omitempty"`
	// LLMCommand: program that answers prompts when llmProvider is command: a text; default "".
	LLMCommand string `json:"llmCommand,omitempty"`
	// EmbeddingProvider: what turns text into vectors; anthropic means Voyage: one of builtin, anthropic, voyage, openai, ollama; default "builtin".
	EmbeddingProvider string `json:"embeddingProvider,omitempty"`
	// EmbeddingModel: model of the embedding provider: a text; default "engram-static-128".
	EmbeddingModel string `json:"embeddingModel,omitempty"`
	// EmbeddingBaseURL: address of the embedding API; empty = the provider's own: a text; default "".
	EmbeddingBaseURL string `json:"embeddingBaseUrl,omitempty"`
	// ConsolidationModel: model of pass 1, the window summaries: a text; default "claude-sonnet-4-6".
	ConsolidationModel string `json:"consolidationModel,omitempty"`
	// EpisodeExtractionModel: model of pass 2, the episode: a text; default "claude-opus-4-6".
	EpisodeExtractionModel string `json:"episodeExtractionModel,omitempty"`
	// ContradictionModel: model that judges changes against decisions: a text; default "claude-haiku-4-5".
	ContradictionModel string `json:"contradictionModel,omitempty"`
	// DecayFactor: share of activation that one hop passes on: a number from 0 to 1; default 0.6.
	DecayFactor *float64 `json:"decayFactor,omitempty"`
	// ActivationThreshold: notes activated less than this are not recalled: a number from 0 to 1; default 0.1.
	ActivationThreshold *float64 `json:"activationThreshold,omitempty"`
	// WindowSize: events in one summary window: a whole number from 2 to 100; default 10.
	WindowSize *uint64 `json:"windowSize,omitempty"`
	// WindowOverlap: events that neighbouring windows share: a whole number from 0 to 50; default 3.
	WindowOverlap *uint64 `json:"windowOverlap,omitempty"`
	// MinEventsForFullConsolidation: fewer events than this, all of them talk, get the light pass: a whole number from 1 to 1000; default 3.
	MinEventsForFullConsolidation *uint64 `json:"minEventsForFullConsolidation,omitempty"`
	// ContradictionStrengthThreshold: weaker decisions are not checked against: a number from 0 to 1; default 0.3.
	ContradictionStrengthThreshold *float64 `json:"contradictionStrengthThreshold,omitempty"`
	// MaxContradictionFailures: failed model checks in a row that switch the check off for a session: a whole number from 1 to 100; default 3.
	MaxContradictionFailures *uint64 `json:"maxContradictionFailures,omitempty"`
	// ContradictionMode: what happens when a change contradicts a decision: one of advise, confirm, ask, off; default "advise".
	ContradictionMode string `json:"contradictionMode,omitempty"`
	// ProbeTimeoutMS: longest wait for one model answer, in milliseconds: a whole number from 100 to 600000; default 30000.
	ProbeTimeoutMS *uint64 `json:"probeTimeoutMs,omitempty"`
	// Durability: what an acknowledged event survives: a killed process, or power loss too: one of process, power; default "power".
	Durability string `json:"durability,omitempty"`
	// TokenBudgetPerDay: model tokens a day; 0 = none: a whole number of at least 0; default 200000.
	TokenBudgetPerDay *uint64 `json:"tokenBudgetPerDay,omitempty"`
	// InjectionBudget: tokens of one injection: sessionStart, prompt, annotation, warning: an object of sessionStart, prompt, annotation and warning in tokens.
	InjectionBudget *InjectionBudget `json:"injectionBudget,omitempty"`
	// Ignore: globs of paths that are never captured: a list of texts; default [].
	Ignore []string `json:"ignore,omitempty"`
	// Capture: false stops capture; recall goes on: true or false; default true.
	Capture *bool `json:"capture,omitempty"`
}

// engram:config end
