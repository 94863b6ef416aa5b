import { isCutCell, maxCellBytes, weigh } from '../answer-size.ts';
import { foldText } from '../normalized.ts';
import type { Cell, ColumnType, RowKey } from '../values.ts';

/**
 * Whether a name in an answer is the name of the request. Some databases ignore the case of A–Z in names, and answer
 * with the stored spelling.
 */
export function isSameName(asked: string, sent: string): boolean {
  return asked === sent || lowerCase(asked) === lowerCase(sent);
}

/** The place of the name among `names`. -1 if it is missing. */
export function placeOf(asked: string, names: readonly string[]): number {
  const exact = names.indexOf(asked);
  return exact >= 0 ? exact : names.findIndex((name) => isSameName(asked, name));
}

function lowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function isSameKey(asked: RowKey, sent: RowKey): boolean {
  const names = Object.keys(sent);
  return (
    names.length === Object.keys(asked).length &&
    Object.entries(asked).every(([name, cell]) => {
      const at = placeOf(name, names);
      return at >= 0 && isSameKeyCell(cell, sent[names[at]!]!, 'any');
    })
  );
}

/**
 * Whether a cell of a key that was sent is the cell that was asked for. A database may store another spelling of it. By
 * the type of the column, these are the same: a uuid in any spelling, a point of time in any zone, `5`, `5.0` and `'5'`
 * as numbers. Texts may differ in letter case, Unicode form, and blanks at the end, because a database may look up keys
 * without regard to these.
 */
export function isSameKeyCell(asked: Cell, sent: Cell, type: ColumnType): boolean {
  if (Object.is(asked, sent)) return true;
  if (asked === null || sent === null) return false;
  // The usual case, without the work of the Unicode forms: a page may have a thousand keys.
  if (typeof asked === 'string' && typeof sent === 'string' && asked.toLowerCase() === sent.toLowerCase())
    return true;
  // The host of the driver replaces a large value.
  if (isCutCell(sent)) return weigh(asked) > maxCellBytes;
  return spelling(asked, type) === spelling(sent, type);
}

function spelling(cell: Cell, type: ColumnType): string {
  if (typeof cell === 'object') return JSON.stringify(cell, plainMember);
  const text = foldText(typeof cell === 'boolean' ? String(Number(cell)) : String(cell)).trimEnd();
  switch (type) {
    case 'uuid':
      return uuid(text) ?? text;
    case 'date':
      return pointOfTime(text) ?? number(text) ?? text;
    case 'int':
    case 'number':
    case 'boolean':
    case 'any':
      return number(text) ?? text;
    default:
      return text;
  }
}

/** JSON of a cell may hold integers beyond 2^53 and bytes. */
function plainMember(_: string, member: unknown): unknown {
  if (typeof member === 'bigint') return String(member);
  return member instanceof Uint8Array ? { bytes: Array.from(member) } : member;
}

function uuid(text: string): string | undefined {
  const digits = text.replace(/^urn:uuid:|[-{}]/g, '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined;
}

function pointOfTime(text: string): string | undefined {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,20}))?)?)?\s?(z|[+-]\d{2}:?\d{2})?$/.exec(
      text,
    );
  if (!parts) return undefined;
  const [, day, time = '00:00', seconds = '00', fraction = '', zone = 'Z'] = parts;
  const hours = zone === 'z' ? 'Z' : zone.replace(/^(...):?/, '$1:').replace('Z:', 'Z');
  const point = Date.parse(`${day}T${time}:${seconds}${hours}`);
  // `Date` reads the 30th of February as a day of March.
  if (!new Date(`${day}T00:00Z`).toJSON()?.startsWith(day!)) return undefined;
  return Number.isNaN(point) ? undefined : `${point}.${fraction.replace(/0+$/, '')}`;
}

function number(text: string): string | undefined {
  // The pattern takes quadratic time for a long text of zeros.
  const parts = text.length < 500 && /^([+-]?)0*(\d+|(?=\.\d))(?:\.(\d*))?(e[+-]?\d+)?$/.exec(text);
  if (!parts) return undefined;
  const [, sign, whole, fraction = '', exponent] = parts;
  if (exponent) {
    const value = Number(text);
    return String(Number.isInteger(value) ? BigInt(value) : value);
  }
  const digits = fraction.replace(/0+$/, '');
  const value = `${whole || '0'}${digits && '.'}${digits}`;
  return sign === '-' && value !== '0' ? `-${value}` : value;
}
