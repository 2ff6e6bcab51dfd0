// What a TypeScript program writes; it only has to compile.

import { hooks } from 'engram/claude-code';
import { handle } from 'engram/codex';
import { attach } from 'engram/generic';
import pi from 'engram/gsd';
import { EngramPlugin } from 'engram/opencode';
import { Engram, EngramError, type Config, type Options, type Reply, type Verdict } from 'engram';

const config: Config = { durability: 'process', probeTimeoutMs: 1000, injectionBudget: { prompt: 100 }, ignore: ['*.env'] };
const options: Options = {
  project: '.',
  config,
  languageModel: { name: 'm', complete: async ({ prompt }) => prompt },
  embedder: { model: 'e', dimensions: 2, embed: (texts) => texts.map(() => new Float32Array(2)) },
};

export async function main(): Promise<string> {
  const memory = Engram.open(options);
  try {
    const reply: Reply = memory.onToolCall({ session: 's', tool: 'edit', input: {}, exitCode: 0 });
    const verdicts: Verdict[] = reply.warnings;
    const { id, isNew } = await memory.remember({ text: 'x', type: 'finding' });
    const { notes } = await memory.importNotes({ notes: '', dryRun: true });
    return `${verdicts.length} ${id} ${isNew} ${notes} ${memory.node({ id: 'n' })?.description}`;
  } catch (error) {
    if (error instanceof EngramError && error.kind === 'Busy') return error.code;
    throw error;
  } finally {
    await memory.close();
  }
}

export async function adapters(): Promise<string> {
  const session = attach(options, { session: 's', log: () => {} });
  pi({});
  await EngramPlugin({ directory: '.' });
  const claude = hooks(session.memory, { source: 'resume' });
  await claude.end();
  const answer: object = handle(session.memory, { hook_event_name: 'Stop' });
  return session.onSessionStart() + session.onToolCall({ tool: 'bash', exitCode: 0 }) + Object.keys(answer).length;
}
