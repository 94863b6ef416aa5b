import { maxAnswerBytes } from '../answer-size.ts';

/** What an answer must look like. Throws `AnswerMismatch` if the value looks different. Changes nothing. */
export type Shape = (value: unknown, spent: Spent) => void;

/** An answer that a driver must not give. `problem` says what is wrong, and where. */
export class AnswerMismatch extends Error {
  readonly problem: string;
  #place: string;

  constructor(problem: string, place = '') {
    super(problem);
    this.name = 'AnswerMismatch';
    this.problem = problem;
    this.#place = place;
  }

  /** Adds the name of the record's member, or the index of the list's item, in which the mismatch was found. */
  inside(part: string | number): this {
    const name = typeof part === 'number' ? `[${part}]` : part;
    const separator = this.#place === '' || this.#place.startsWith('[') ? '' : '.';
    this.#place = `${name}${separator}${this.#place}`;
    this.message = this.#place === '' ? this.problem : `${shorten(this.#place, 120)}: ${this.problem}`;
    return this;
  }
}

/**
 * Counts the size of an answer as `weigh` does, while the answer is checked. An object that occurs twice in an answer
 * is sent once and counts twice: the app may write it out as often as it occurs.
 */
export class Spent {
  #left: number;

  constructor(most = maxAnswerBytes) {
    this.#left = most;
  }

  add(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new AnswerMismatch('the answer is too large');
  }
}

export const anyText: Shape = (value, spent) => {
  if (typeof value !== 'string') throw wrong(value, 'a text');
  spent.add(8 + value.length);
};

/** A text that the app keeps. */
export function textUpTo(most: number): Shape {
  return (value, spent) => {
    anyText(value, spent);
    const { length } = value as string;
    if (length > most)
      throw new AnswerMismatch(
        `it has ${figure(length)} characters, and at most ${figure(most)} are allowed`,
      );
  };
}

export const truth: Shape = (value, spent) => {
  if (typeof value !== 'boolean') throw wrong(value, 'true or false');
  spent.add(8);
};

/** A number of rows, tables and the like. */
export const wholeNumber: Shape = (value, spent) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw wrong(value, 'a whole number from 0');
  spent.add(8);
};

export const anyNumber: Shape = (value, spent) => {
  if (typeof value !== 'number') throw wrong(value, 'a number');
  spent.add(8);
};

export function oneOf(choices: readonly string[]): Shape {
  const known = new Set<unknown>(choices);
  const words = choices.length > 8 ? 'one of the known names' : choices.join(', ');
  return (value, spent) => {
    if (!known.has(value)) throw wrong(value, words);
    spent.add(8 + (value as string).length);
  };
}

export function orNull(shape: Shape): Shape {
  return (value, spent) => (value === null ? spent.add(8) : shape(value, spent));
}

/** `most`: the highest number of items. Defaults to no limit, since each item counts for the size of the answer. */
export function list(item: Shape, most = Number.POSITIVE_INFINITY): Shape {
  return (value, spent) => {
    if (!Array.isArray(value)) throw wrong(value, 'a list');
    if (value.length > most) throw tooMany(value.length, most);
    spent.add(8);
    let index = 0;
    try {
      for (; index < value.length; index++) item(value[index], spent);
    } catch (error) {
      throw inside(error, index);
    }
  };
}

/** An object with any names and values of one kind. */
export function mapOf(item: Shape): Shape {
  return (value, spent) => {
    const given = plainObject(value);
    spent.add(8);
    for (const name of Object.keys(given)) {
      spent.add(name.length);
      try {
        item(given[name], spent);
      } catch (error) {
        throw inside(error, quoted(name));
      }
    }
  };
}

/**
 * An object. A member that is not in `required` or `optional` may be any plain data: a driver with a newer kit may say
 * more than this version reads.
 */
export function record(required: Record<string, Shape>, optional: Record<string, Shape> = {}): Shape {
  const needed = Object.entries(required);
  const known = new Map([...needed, ...Object.entries(optional).map(asOptional)]);
  return (value, spent) => {
    const given = plainObject(value);
    spent.add(8);
    for (const [name] of needed) {
      if (!Object.hasOwn(given, name)) throw new AnswerMismatch('it is missing').inside(name);
    }
    for (const name of Object.keys(given)) {
      spent.add(name.length);
      try {
        (known.get(name) ?? unread)(given[name], spent);
      } catch (error) {
        throw inside(error, known.has(name) ? name : quoted(name));
      }
    }
  };
}

function asOptional([name, shape]: [string, Shape]): [string, Shape] {
  return [name, (value, spent) => (value === undefined ? spent.add(8) : shape(value, spent))];
}

const unread: Shape = (value, spent) => (value === undefined ? spent.add(8) : plainData(value, spent));

/** Chooses the shape by a member that names it, such as `kind`. */
export function byName(member: string, shapes: Record<string, Shape>): Shape {
  const known = new Map(Object.entries(shapes));
  const names = oneOf([...known.keys()]);
  return (value, spent) => {
    const name = plainObject(value)[member];
    try {
      names(name, spent);
    } catch (error) {
      throw inside(error, member);
    }
    known.get(name as string)!(value, spent);
  };
}

/** A JSON value, which may also hold integers beyond 2^53 and bytes. */
export const plainData: Shape = (value, spent) => checkData(value, spent, 0);

function checkData(value: unknown, spent: Spent, depth: number): void {
  switch (typeof value) {
    case 'string':
      spent.add(8 + value.length);
      return;
    case 'number':
    case 'boolean':
      spent.add(8);
      return;
    case 'bigint':
      if (value > largestInteger || value < -largestInteger)
        throw new AnswerMismatch('it is an integer with more than 128 bits');
      spent.add(16);
      return;
    case 'object':
      break;
    default:
      throw wrong(value, 'a value that a cell can hold');
  }
  if (value === null) {
    spent.add(8);
    return;
  }
  if (value instanceof Uint8Array) {
    spent.add(8 + value.byteLength);
    return;
  }
  if (depth === deepest) throw new AnswerMismatch(`it is nested more than ${deepest} deep`);
  spent.add(8);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) checkData(value[index], spent, depth + 1);
    return;
  }
  const given = plainObject(value);
  for (const name of Object.keys(given)) {
    spent.add(name.length);
    checkData(given[name], spent, depth + 1);
  }
}

/** Code that walks a value calls itself for each level. A few thousand levels would fill its stack. */
const deepest = 500;

const largestInteger = 2n ** 128n;

/** A `Map`, a `Date`, an `Error` and the like cross the link too, and mean nothing to the app. */
export function plainObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw wrong(value, 'an object');
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw wrong(value, 'a plain object');
  return value as Record<string, unknown>;
}

export function inside(error: unknown, part: string | number): unknown {
  return error instanceof AnswerMismatch ? error.inside(part) : error;
}

export function wrong(value: unknown, expected: string): AnswerMismatch {
  return new AnswerMismatch(`it is ${inWords(value)}, not ${expected}`);
}

export function tooMany(given: number, most: number): AnswerMismatch {
  return new AnswerMismatch(`${figure(given)} items, and at most ${figure(most)} were asked for`);
}

/** A text of the driver, in quotes. */
export function quoted(text: string): string {
  return JSON.stringify(shorten(text, 60).toWellFormed());
}

/** `1,000,000`: a lie about a number is easier to see with separators. */
export function figure(value: unknown): string {
  return Number.isSafeInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, ',') : inWords(value);
}

function inWords(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the text ${quoted(value)}`;
    case 'number':
      return String(value);
    case 'bigint':
      return 'a bigint';
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'undefined';
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'a list';
      const name = Object.prototype.toString.call(value).slice(8, -1);
      return name === 'Object' ? 'an object' : `an object of the class ${shorten(name, 40)}`;
    }
    default:
      return `a ${typeof value}`;
  }
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
