import { setTimeout as delay } from 'node:timers/promises';
import {
  type ActDetail,
  AppError,
  type Connection,
  type ImportFile,
  type InferredColumn,
  inferColumns,
} from '@trestle/core';
import type { Design, DesignProblem } from '@trestle/driver-kit';
import { askYes } from './ask-yes.ts';
import { printable, showProgress } from './output.ts';
import type { Ask } from './with-core.ts';

interface Options {
  isDry: boolean;
  /** Prints a line of a statement. */
  print(line: string): void;
  signal: AbortSignal;
}

export interface NewTable {
  statements: string[];
  /** Facts that the user must know, such as a setting that the server did not take. */
  notes: string[];
}

/** Shows the statements that make a table, and runs them. Asks first if the connection's Safe Mode confirms each write. */
export async function newTable(
  ask: Ask,
  { id: connectionId, name, safeMode }: Connection,
  design: Design,
  { isDry, print, signal }: Options,
): Promise<NewTable> {
  const { problems, steps } = await ask('designs.plan', { connectionId, request: { design } });
  if (problems.length > 0) {
    const message = problems
      .map((problem) => sentence(problem, design))
      .join(' ')
      .replace(/\.$/, '');
    throw new AppError({ code: 'invalid_argument', message });
  }
  const statements = steps.flatMap(({ text }) => text ?? []);
  for (const statement of statements) for (const line of statement.split('\n')) print(printable(line));
  if (isDry) return { statements, notes: [] };
  if (safeMode === 'confirm' && !(await askYes(`Create ${printable(design.name)} on "${printable(name)}"?`)))
    throw new Error('The table was not created.');
  const { id } = await ask('designs.create', { connectionId, design, statements });
  return { statements, notes: await ended(ask, id, signal) };
}

async function ended(ask: Ask, id: string, signal: AbortSignal): Promise<string[]> {
  try {
    for (let hasAsked = false; ; await delay(100)) {
      const { outcome, progress, detail } = await ask('jobs.get', id);
      if (outcome?.how === 'complete') return (detail as ActDetail).notes;
      if (outcome)
        throw new AppError({
          code: outcome.error?.code ?? 'cancelled',
          message: outcome.words.replace(/\.$/, ''),
        });
      if (signal.aborted && !hasAsked) {
        await ask('jobs.cancel', id);
        hasAsked = true;
      }
      showProgress(progress.words);
    }
  } finally {
    showProgress('');
  }
}

function sentence({ problem, part, item = [] }: DesignProblem, { parts }: Design): string {
  let items = part === undefined ? [] : (parts[part] ?? []);
  const names = item.flatMap((at) => {
    const name = items[at]?.fields.name;
    items = items[at]?.items ?? [];
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  return names.length > 0 ? `${names.join('.')}: ${problem}` : problem;
}

/** A design for the rows of a file. `map` names columns differently, or leaves them out with null. */
export async function designForFile(
  ask: Ask,
  file: ImportFile,
  {
    connectionId,
    name,
    map,
    signal,
  }: { connectionId: string; name: string; map: Record<string, string | null>; signal: AbortSignal },
): Promise<{ design: Design; columns: InferredColumn[] }> {
  const given = new Map(Object.entries(map));
  const columns = (await inferColumns(file, { signal })).filter((column) => given.get(column.name) !== null);
  const source = { columns: columns.map(({ doubt: _, ...column }) => column) };
  const design = await ask('designs.read', { connectionId, source });
  const renamed = Object.entries(design.parts).map(([part, items]) => [
    part,
    items.map((item) => {
      const to = item.from === undefined ? undefined : given.get(item.from);
      return to == null ? item : { ...item, fields: { ...item.fields, name: to } };
    }),
  ]);
  return { design: { ...design, name, parts: Object.fromEntries(renamed) }, columns };
}

/** The column of the new table for each column of the file, with its type. */
export function inferredLines(columns: InferredColumn[], { parts }: Design): string[] {
  const items = new Map(
    Object.values(parts)
      .flat()
      .map(({ from, fields }) => [from, fields]),
  );
  return columns.map(({ name, type, isList, doubt }) => {
    const made = items.get(name);
    const to = made
      ? `${made.name || 'the vector'} (${isList ? `list of ${type}` : type})`
      : 'the id of a row';
    return `  ${name} → ${to}${doubt ? `. ${doubt}` : ''}`;
  });
}
