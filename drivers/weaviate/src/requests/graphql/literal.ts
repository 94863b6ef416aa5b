/**
 * GraphQL input literals. The driver's own queries contain values as literals, not as variables: the server turns a
 * list in a variable into one string, and an integer into 32 bits.
 */
export type Literal =
  | string
  | number
  | bigint
  | boolean
  | EnumLiteral
  | Literal[]
  | { [name: string]: Literal | undefined };

/** A bare word, such as an operator. It is printed without quotes, so a word from a caller must pass `checkName`. */
export class EnumLiteral {
  readonly word: string;
  constructor(word: string) {
    this.word = word;
  }
}

export function printLiteral(value: Literal): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return printNumber(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof EnumLiteral) return value.word;
  if (Array.isArray(value)) return `[${value.map(printLiteral).join(', ')}]`;
  return `{${printArguments(value)}}`;
}

export function printArguments(fields: { [name: string]: Literal | undefined }): string {
  return Object.entries(fields)
    .filter((entry): entry is [string, Literal] => entry[1] !== undefined)
    .map(([name, value]) => `${checkName(name)}: ${printLiteral(value)}`)
    .join(', ');
}

/**
 * Names are printed without quotes, so a bad name could change the query. A name may come from a hostile server or from
 * a caller's request.
 */
export function checkName(name: string): string {
  if (!/^[_A-Za-z][_0-9A-Za-z]*$/.test(name)) throw new RangeError(`"${name}" is not a GraphQL name`);
  return name;
}

/** GraphQL accepts the escapes of JSON. A lone surrogate becomes U+FFFD. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

function printNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no GraphQL literal`);
  // JavaScript prints an integer of 22 digits or more with an exponent, which GraphQL reads as a float.
  return Number.isInteger(value) && Math.abs(value) >= 1e21 ? BigInt(value).toString() : String(value);
}
