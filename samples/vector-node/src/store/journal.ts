import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ClassDefinition, PropertyDefinition } from '../definition.ts';
import type { Tenant } from './schema-store.ts';

/** One change of the sample, with everything needed to repeat it. */
export type Entry =
  | { op: 'addClass'; class: string; definition: ClassDefinition }
  | { op: 'replaceClass'; class: string; definition: ClassDefinition }
  | { op: 'dropClass'; class: string }
  | { op: 'addProperty'; class: string; property: PropertyDefinition }
  | { op: 'putTenants'; class: string; tenants: Tenant[] }
  | { op: 'dropTenants'; class: string; names: string[] }
  | { op: 'put'; class: string; tenant?: string; id: string; object: EntryObject }
  | { op: 'delete'; class: string; tenant?: string; id: string };

export interface EntryObject {
  properties: Record<string, unknown>;
  vectors: [string, readonly number[]][];
  createdAt: number;
  updatedAt: number;
}

/** The edits of the sample, one line each. Lines are appended, so a kill loses only edits that are being written. */
export class Journal {
  readonly #file: string | null;

  constructor(folder: string | undefined) {
    this.#file = folder === undefined ? null : join(folder, 'edits.jsonl');
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  append(entries: Entry[]): void {
    if (this.#file === null || entries.length === 0) return;
    appendFileSync(this.#file, linesOf(entries), { mode: 0o600 });
  }

  /**
   * Reads the edits. Removes from the file each edit of an object that was edited again later, or whose collection was
   * dropped later.
   */
  read(): Entry[] {
    if (this.#file === null || !existsSync(this.#file)) return [];
    const text = readFileSync(this.#file, 'utf8');
    const kept = withoutUndone(text.split('\n').flatMap((line) => parseLine(line) ?? []));
    // A kill may have cut off the last line. Without a rewrite, the next line would be appended to it.
    if (linesOf(kept) !== text) this.#rewrite(kept);
    return kept;
  }

  clear(): void {
    if (this.#file !== null) rmSync(this.#file, { force: true });
  }

  #rewrite(entries: Entry[]): void {
    if (this.#file === null) return;
    const draft = `${this.#file}.draft`;
    writeFileSync(draft, linesOf(entries), { mode: 0o600 });
    renameSync(draft, this.#file);
  }
}

function linesOf(entries: Entry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/** A kill may have cut off the last line. */
function parseLine(line: string): Entry | null {
  try {
    return line === '' ? null : (JSON.parse(line) as Entry);
  } catch {
    return null;
  }
}

function withoutUndone(entries: Entry[]): Entry[] {
  const written = new Set<string>();
  const dropped = new Set<string>();
  const kept = entries.toReversed().filter((entry) => {
    if (entry.op === 'put' || entry.op === 'delete') {
      const key = JSON.stringify([entry.class, entry.tenant, entry.id]);
      if (written.has(key) || dropped.has(entry.class)) return false;
      written.add(key);
    } else if (entry.op === 'dropClass') {
      dropped.add(entry.class);
    }
    return true;
  });
  return kept.reverse();
}
