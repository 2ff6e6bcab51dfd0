// engram in a Go agent: a test fails and is mended, a decision is made; the next session is told, and warned when it goes
// against the decision.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"engram"
)

func main() {
	place, err := os.MkdirTemp("", "engram-story-")
	check(err)
	defer os.RemoveAll(place)
	project := filepath.Join(place, "shop")
	check(os.Mkdir(project, 0o755))
	memory, err := engram.Open(engram.Options{Project: project, Home: filepath.Join(place, "home")})
	check(err)
	defer memory.Close()
	monday(memory)
	tuesday(memory)
}

func monday(memory *engram.Engram) {
	fmt.Println("== monday: a test fails, the agent mends it")
	_, err := memory.OnSessionStart(engram.SessionStart{Session: "monday", Source: "startup", TS: "2026-11-30T09:00:00Z"})
	check(err)
	text := "The order total is off by a cent. Find out why and fix it."
	_, err = memory.OnUserPrompt(engram.UserPrompt{Session: "monday", Text: text, TS: "2026-11-30T09:00:05Z"})
	check(err)
	failing := "FAILED test_cart.py::test_total - AssertionError: 0.30000000000000004 != 0.3\n1 failed, 2 passed in 0.04s"
	test := map[string]string{"command": "pytest -q"}
	fix := map[string]string{"file_path": "cart.py", "old_string": "total = 0.0", "new_string": "total_cents = 0"}
	fmt.Println("captured", seen(call(memory, "monday", "bash", test, failing, 1, "2026-11-30T09:00:30Z")))
	fmt.Println("captured", seen(call(memory, "monday", "edit", fix, "ok", 0, "2026-11-30T09:01:00Z")))
	fmt.Println("captured", seen(call(memory, "monday", "bash", test, "3 passed in 0.03s", 0, "2026-11-30T09:01:30Z")))
	text = "Fixed: adding floats drifted. " +
		"We decided to keep money in integer cents instead of floats because floats drift."
	_, err = memory.OnStop(engram.Stop{Session: "monday", Text: text, TS: "2026-11-30T09:02:00Z"})
	check(err)
	_, err = memory.Flush(10 * time.Second)
	check(err)
}

func tuesday(memory *engram.Engram) {
	fmt.Println("\n== tuesday: the next session is told")
	reply, err := memory.OnSessionStart(engram.SessionStart{Session: "tuesday", Source: "startup", TS: "2026-12-01T09:00:00Z"})
	check(err)
	fmt.Println(reply.Context)

	fmt.Println("\n== tuesday: an edit goes against the decision")
	slip := map[string]string{"file_path": "cart.py", "old_string": "total_cents = 0", "new_string": "total = float(0)"}
	fmt.Println(call(memory, "tuesday", "edit", slip, "ok", 0, "2026-12-01T09:01:00Z").Context)
}

func call(memory *engram.Engram, session, tool string, input any, output string, exitCode int, ts string) engram.Reply {
	reply, err := memory.OnToolCall(engram.ToolCall{
		Session: session, Tool: tool, Input: input, Output: output, ExitCode: &exitCode, TS: ts,
	})
	check(err)
	return reply
}

func seen(reply engram.Reply) string {
	var event struct {
		Path           string
		Passed, Failed int
	}
	check(json.Unmarshal(reply.Event.Raw, &event))
	if reply.Event.Type == "file_write" {
		return "file_write " + event.Path
	}
	return fmt.Sprintf("%s passed=%d failed=%d", reply.Event.Type, event.Passed, event.Failed)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
