/**
 * GraphQL input literals. Values are always literals: the server turns lists in variables into one string, and
 * integers in them into 32 bits.
 */
export type Literal =
  | string
  | number
  | bigint
  | boolean
  | EnumLiteral
  | Literal[]
  | { [name: string]: Literal | undefined };

/** A bare word, such as an operator. Only ever made from words in this package. */
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

/** Names come from the schema, but a hostile server could put anything there. */
export function checkName(name: string): string {
  if (!/^[_A-Za-z][_0-9A-Za-z]*$/.test(name)) throw new RangeError(`"${name}" is not a GraphQL name`);
  return name;
}

/** JSON's escapes are GraphQL's; everything below a space and every lone surrogate leaves as an escape. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

function printNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no GraphQL literal`);
  // A number of 21 digits or more prints with an exponent, which is a float and no int.
  return Number.isInteger(value) && Math.abs(value) >= 1e21 ? BigInt(value).toString() : String(value);
}
