import { type Json, ownValue } from '@trestle/driver-kit';
import { Kind, type ValueNode } from 'graphql';
import { mistake } from './refusal.ts';

/** A bare word: `Equal`, `asc`. */
export class EnumWord {
  readonly word: string;

  constructor(word: string) {
    this.word = word;
  }
}

/** The value of an argument, without variables. */
export type Value = null | boolean | number | string | EnumWord | Value[] | { [name: string]: Value };

export type Variables = Map<string, Json>;

export function plainValue(node: ValueNode, variables: Variables): Value {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.ENUM:
      return new EnumWord(node.value);
    case Kind.LIST:
      return node.values.map((one) => plainValue(one, variables));
    case Kind.OBJECT:
      return membersOf(node.fields, variables);
    case Kind.VARIABLE: {
      const name = node.name.value;
      const given = variables.get(name);
      if (given === undefined) throw mistake(`The variable $${name} has no value`);
      return given;
    }
  }
}

interface NamedValue {
  name: { value: string };
  value: ValueNode;
}

/** A member that stands twice is refused: two readers of the query could use different ones. */
export function membersOf(
  nodes: readonly NamedValue[] | undefined,
  variables: Variables,
): { [name: string]: Value } {
  const names = (nodes ?? []).map(({ name }) => name.value);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw mistake(`"${twice}" stands twice in one place of the query`);
  return Object.fromEntries(
    (nodes ?? [])
      // GraphQL leaves out an argument whose variable was not given.
      .filter(({ value }) => value.kind !== Kind.VARIABLE || variables.has(value.name.value))
      .map(({ name, value }) => [name.value, plainValue(value, variables)]),
  );
}

/** Reads the members of an argument one by one. `end` refuses the members that nothing has read. */
export class Given {
  readonly #of: string;
  readonly #members: { [name: string]: Value };
  readonly #read = new Set<string>();

  constructor(of: string, value: Value | undefined) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof EnumWord)
      throw mistake(`${of} takes an object, such as {…}`);
    this.#of = of;
    this.#members = value;
  }

  get names(): string[] {
    return Object.keys(this.#members);
  }

  /** Undefined for a member that is left out, and for one that is null. */
  value(name: string): Value | undefined {
    this.#read.add(name);
    return ownValue(this.#members, name) ?? undefined;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  text(name: string): string | undefined {
    return this.#one(name, 'a text', (value) => typeof value === 'string');
  }

  /** A bare word. A variable brings it as a text. */
  word(name: string): string | undefined {
    const value = this.value(name);
    const word = value instanceof EnumWord ? value.word : value;
    if (word !== undefined && typeof word !== 'string') throw this.#wrong(name, 'a word');
    return word;
  }

  number(name: string): number | undefined {
    return this.#one(name, 'a number', (value) => typeof value === 'number');
  }

  whole(name: string): number | undefined {
    return this.#one(
      name,
      'a whole number of 0 or more',
      (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 31,
    );
  }

  flag(name: string): boolean | undefined {
    return this.#one(name, 'true or false', (value) => typeof value === 'boolean');
  }

  /** GraphQL takes a single value for a list. */
  list(name: string): Value[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return Array.isArray(value) ? value : [value];
  }

  texts(name: string): string[] | undefined {
    const all = this.list(name);
    if (all && !all.every((one) => typeof one === 'string')) throw this.#wrong(name, 'a list of texts');
    return all as string[] | undefined;
  }

  inner(name: string): Given | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return new Given(`${this.#of}.${name}`, value);
  }

  end(): void {
    const other = this.names.find((name) => !this.#read.has(name));
    if (other !== undefined) throw mistake(`"${other}" of ${this.#of} is not known, so it is not translated`);
  }

  #one<T extends Value>(name: string, kind: string, isRight: (value: Value) => boolean): T | undefined {
    const value = this.value(name);
    if (value !== undefined && !isRight(value)) throw this.#wrong(name, kind);
    return value as T | undefined;
  }

  #wrong(name: string, kind: string) {
    return mistake(`"${name}" of ${this.#of} takes ${kind}`);
  }
}
