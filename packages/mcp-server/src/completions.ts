import { type Caller, type Core, oneLine, own } from '@trestle/core';
import { nameText } from './answer/cell-text.ts';
import { rpcError } from './errors.ts';
import { resolveConnection } from './find-connection.ts';
import { readHistory } from './history.ts';
import { prompts } from './prompts/index.ts';
import { resources } from './resources/resources.ts';
import { rpcCode } from './rpc.ts';

export interface CompletionRequest {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
  argument: { name: string; value: string };
  /** The arguments that are known already. */
  settled: Record<string, string>;
}

/** Completes one argument of a prompt or resource template. Offers nothing that the caller may not see. */
export async function complete(
  request: CompletionRequest,
  { core, caller, signal }: { core: Core; caller: Caller; signal: AbortSignal },
): Promise<string[]> {
  const { ref, argument } = request;
  if (!argumentsOf(ref).includes(argument.name)) {
    throw rpcError(rpcCode.invalidParams, own`There is no argument of that name to complete`);
  }
  const visible = core.connections.visibleTo(caller);
  if (argument.name === 'connection_id') {
    const names = visible.map(({ id, name }) => {
      const isUnique = visible.filter((other) => other.name === name).length === 1;
      // A resource URI gets the id, since a name may need encoding.
      return isUnique && ref.type === 'ref/prompt' ? name : id;
    });
    return matching(names, argument.value);
  }
  const fixed = plain[argument.name];
  if (fixed) return matching(fixed, argument.value);
  const only = visible.length === 1 ? visible[0]?.id : undefined;
  const connectionId = request.settled.connection_id ?? only;
  if (connectionId === undefined) return [];
  try {
    const found = resolveConnection(core, caller, connectionId);
    // The gate refuses the call and logs it.
    if (found.is === 'hidden')
      await core.sessions.admit({ caller, connectionId: found.id, signal }, 'completion');
    if (found.is !== 'visible') return [];
    const { id } = found.connection;
    // A completion must not interrupt the user with a question.
    if (core.sessions.needsApproval(caller, id)) return [];
    const access = { caller, connectionId: id, signal };
    return matching(await valuesFor(core, access, argument.name), argument.value);
  } catch {
    // Hidden, missing and unreachable connections look the same: no completions.
    return [];
  }
}

/** Completions that need no database. */
const plain: Record<string, string[]> = { limit: ['10', '20', '50', '100', '200', '500'] };

async function valuesFor(
  core: Core,
  access: { caller: Caller; connectionId: string; signal: AbortSignal },
  argument: string,
): Promise<string[]> {
  const tables = async () => (await core.data.tables(access)).map(({ name }) => name).filter(isPlain);
  switch (argument) {
    case 'table':
      return tables();
    case 'query': {
      // Ask the gate first, because the history does not ask the gate.
      await core.sessions.admit(access, 'history');
      const { caller, connectionId } = access;
      const connections = [{ id: connectionId, name: '' }];
      const entries = readHistory(core, { caller, connections, limit: 100 });
      const whole = entries.filter(({ outcome, cutFrom }) => outcome === 'ok' && cutFrom === null);
      return [...new Set(whole.map(({ text }) => text))].filter((text) => oneLine(text) === text);
    }
    case 'question':
      return (await tables()).map((name) => `How many rows does ${name} have?`);
    case 'goal':
      return (await tables()).map((name) => `Find entries of ${name} that mean the same as a given text`);
    default:
      return [];
  }
}

/** A completion has no fence. So it offers no name that could be a sentence. */
function isPlain(name: string): boolean {
  return nameText(name) === name && name.length <= 100;
}

function argumentsOf(ref: CompletionRequest['ref']): readonly string[] {
  if (ref.type === 'ref/prompt') {
    const prompt = prompts.find(({ name }) => name === ref.name);
    if (prompt) return [...prompt.required, ...(prompt.optional ?? [])];
  } else {
    const resource = resources.find(({ uri }) => uri === ref.uri);
    if (resource) return [...resource.uri.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  }
  throw rpcError(rpcCode.invalidParams, own`There is no such prompt or resource template`);
}

/** Values that begin with the text, then values that contain it. */
function matching(values: string[], text: string): string[] {
  const wanted = text.toLowerCase();
  const at = (value: string) => value.toLowerCase().indexOf(wanted);
  const found = values.filter((value) => at(value) !== -1);
  return [...found.filter((value) => at(value) === 0), ...found.filter((value) => at(value) > 0)];
}
