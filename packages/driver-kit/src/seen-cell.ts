import { isCutCell, weigh } from './answer-size.ts';
import { fingerprint } from './fingerprint.ts';
import type { Cell } from './values.ts';

/** A larger value is replaced by its beginning and a note. */
const mostBytes = 4_096;
const keptCharacters = 1_000;

/** The cell, or a short text that stands for a long one: the beginning, the length and the fingerprint of the value. */
export function briefCell(cell: Cell): Cell {
  if (weigh(cell, mostBytes) <= mostBytes) return cell;
  if (typeof cell !== 'string') {
    const what = cell instanceof Uint8Array ? `${cell.length} bytes` : 'A value';
    return `⟨${what}, cut, fingerprint ${fingerprint(cell)}⟩`;
  }
  const note = isCutCell(cell) ? noteIn(cell)?.[0] : undefined;
  const own = () => `⟨cut: ${cell.length} characters, fingerprint ${fingerprint(cell)}⟩`;
  return `${cell.slice(0, keptCharacters).toWellFormed()}… ${note ?? own()}`;
}

/** Whether the cell stands for a longer value. A short text that ends like a note counts too. */
export function isBriefCell(cell: Cell): boolean {
  return noteIn(cell) !== undefined;
}

/** Whether `seen` is this cell. Either may be the cut or brief form of a long value: then the fingerprints decide. */
export function isAsSeen(cell: Cell, seen: Cell): boolean {
  if (sameCell(cell, seen)) return true;
  const print = noteIn(seen)?.[1];
  if (print === undefined) return false;
  const own = isCutCell(cell) ? noteIn(cell)?.[1] : undefined;
  return print === (own ?? (weigh(cell, mostBytes) > mostBytes ? fingerprint(cell) : undefined));
}

function noteIn(cell: Cell): RegExpExecArray | undefined {
  if (typeof cell !== 'string') return undefined;
  return /⟨[^⟨⟩]{1,100}, fingerprint ([0-9a-f]{14})⟩$/.exec(cell.slice(-150)) ?? undefined;
}

/** Whether two cells are equal; 1 is not '1'. The order of an object's members does not count. */
export function sameCell(one: Cell, other: Cell): boolean {
  if (one === other || (Number.isNaN(one) && Number.isNaN(other))) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Uint8Array || other instanceof Uint8Array) {
    return one instanceof Uint8Array && other instanceof Uint8Array && isSameBytes(one, other);
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [mine, theirs] = [one, other] as Record<string, Cell>[];
  const names = Object.keys(mine!);
  return (
    names.length === Object.keys(theirs!).length &&
    names.every((name) => Object.hasOwn(theirs!, name) && sameCell(mine![name]!, theirs![name]!))
  );
}

function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
