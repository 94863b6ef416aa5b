import type { DriverLogEntry, Json } from '@trestle/driver-kit';
import { onTestFinished } from 'vitest';
import { type DriverLink, type LinkCall, openDriverLink } from '../index.ts';
import { type ScriptOptions, scriptLinkOptions } from './script-options.ts';

export interface ScriptLink extends DriverLink {
  /** Runs the text inside the driver's process and returns its result. */
  run(text: string, call?: Partial<LinkCall>): Promise<Json>;
  log: DriverLogEntry[];
  exits: { expected: boolean; message: string }[];
}

/** A link to the script driver in a real process, closed when the test ends. */
export async function openScriptLink(
  options: ScriptOptions & { signal?: AbortSignal; connectTimeoutMs?: number } = {},
): Promise<ScriptLink> {
  const log: DriverLogEntry[] = [];
  const exits: ScriptLink['exits'] = [];
  const link = await openDriverLink(
    scriptLinkOptions(options, { log: (entry) => log.push(entry), onExit: (exit) => exits.push(exit) }),
    { signal: options.signal ?? new AbortController().signal, timeoutMs: options.connectTimeoutMs ?? 20_000 },
  );
  onTestFinished(() => link.close());
  return {
    session: link.session,
    capabilities: link.capabilities,
    get pid() {
      return link.pid;
    },
    close: () => link.close(),
    run: (text, call) => runScript(link, text, call),
    log,
    exits,
  };
}

async function runScript(link: DriverLink, text: string, call?: Partial<LinkCall>): Promise<Json> {
  const request = { text, ceiling: 'read', limit: 1 } as const;
  const outcome = await link.session.run(request, { signal: new AbortController().signal, ...call });
  const result = outcome.results[0];
  return result?.kind === 'document' ? result.document : null;
}
