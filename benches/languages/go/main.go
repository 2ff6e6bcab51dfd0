// How long OnToolCall takes from Go; the other programs of the folder above do the same (README.md).
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"engram"
)

const calls = 2_000

func main() {
	rounds, err := strconv.Atoi(os.Args[3])
	check(err)
	durability := os.Getenv("ENGRAM_DURABILITY")
	if durability == "" {
		durability = "process"
	}
	memory, err := engram.Open(engram.Options{
		Home: os.Args[1], Project: os.Args[2], Background: "caller", Config: &engram.Config{Durability: durability},
	})
	check(err)
	defer memory.Close()
	output := strings.Repeat("compiled another module without a warning\n", 46)
	exit := 0
	for round := 0; round < rounds; round++ {
		session := fmt.Sprint("round-", round)
		begun := time.Now()
		for i := 0; i < calls; i++ {
			command := map[string]string{"command": fmt.Sprint("make part-", i)}
			_, err := memory.OnToolCall(engram.ToolCall{Session: session, Tool: "bash", Input: command, Output: output, ExitCode: &exit})
			check(err)
		}
		nanos := time.Since(begun).Nanoseconds() / calls
		fmt.Printf("{\"language\": \"go\", \"verb\": \"onToolCall\", \"nanos\": %d}\n", nanos)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
