// An agent of the Claude Agent SDK with a memory: node agent.mjs PROJECT PROMPT

import { pathToFileURL } from 'node:url';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { Engram } from 'engram';
import { hooks } from 'engram/claude-code';

export async function work(memory, project, prompt) {
  const engram = hooks(memory);
  const options = {
    cwd: project,
    allowedTools: ['Read', 'Edit', 'Write', 'Bash'],
    permissionMode: 'acceptEdits',
    hooks: engram.hooks,
    // The SDK brings its own Claude Code; name another one here.
    pathToClaudeCodeExecutable: process.env.CLAUDE_CODE_EXECUTABLE,
  };
  for await (const message of query({ prompt, options })) {
    if (message.type === 'result') console.log(message.result);
  }
  await engram.end();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [project, prompt] = process.argv.slice(2);
  const memory = Engram.open({ project });
  await work(memory, project, prompt);
  await memory.close();
}
