import type { Json } from '@trestle/driver-kit';
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type TypeNode,
} from 'graphql';
import { isRecord } from '../answer-shape.ts';
import { mistake, noCounterpart } from './refusal.ts';
import { Given, membersOf, plainValue, type Value, type Variables } from './values.ts';

/** A field of the query, without fragments, directives and variables. */
export interface Selected {
  name: string;
  /** The alias, else the name: the key in the result. */
  key: string;
  /** The collection that a fragment around the field names. */
  type: string | undefined;
  args: { [name: string]: Value };
  fields: Selected[];
}

export function argumentsOf(field: Selected): Given {
  return new Given(field.name, field.args);
}

export function assertNoArguments(field: Selected): void {
  argumentsOf(field).end();
}

/** The caller has checked that there is one query, and that no fragment contains itself. */
export function readFields(document: DocumentNode, given: Json | undefined): Selected[] {
  const operation = document.definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )!;
  const fragments = new Map(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one]),
  );
  for (const one of [operation, ...fragments.values()]) assertNoDirectives(one.directives);
  const reader = new Reader(fragments, variablesOf(operation, given));
  return reader.fields(operation.selectionSet, undefined);
}

class Reader {
  readonly #fragments: Map<string, FragmentDefinitionNode>;
  readonly #variables: Variables;

  constructor(fragments: Map<string, FragmentDefinitionNode>, variables: Variables) {
    this.#fragments = fragments;
    this.#variables = variables;
  }

  fields(selection: SelectionSetNode | undefined, type: string | undefined): Selected[] {
    return merged(this.#spread(selection, type));
  }

  #spread(selection: SelectionSetNode | undefined, type: string | undefined): Selected[] {
    return (selection?.selections ?? []).flatMap((one): Selected[] => {
      if (!this.#isIncluded(one.directives)) return [];
      if (one.kind === Kind.FIELD) return [this.#field(one, type)];
      if (one.kind === Kind.INLINE_FRAGMENT)
        return this.#spread(one.selectionSet, narrowed(type, one.typeCondition?.name.value));
      const fragment = this.#fragments.get(one.name.value);
      if (!fragment) throw mistake(`There is no fragment ${one.name.value}`);
      return this.#spread(fragment.selectionSet, narrowed(type, fragment.typeCondition.name.value));
    });
  }

  #field(node: FieldNode, type: string | undefined): Selected {
    const name = node.name.value;
    return {
      name,
      key: node.alias?.value ?? name,
      type,
      args: membersOf(node.arguments, this.#variables),
      fields: this.fields(node.selectionSet, undefined),
    };
  }

  #isIncluded(directives: readonly DirectiveNode[] | undefined): boolean {
    return (directives ?? []).every((one) => {
      const name = one.name.value;
      if (name !== 'include' && name !== 'skip') throw noCounterpart(`@${name}`);
      const args = new Given(`@${name}`, membersOf(one.arguments, this.#variables));
      const condition = args.flag('if');
      args.end();
      if (condition === undefined) throw mistake(`@${name} needs "if"`);
      return condition === (name === 'include');
    });
  }
}

function narrowed(outer: string | undefined, inner: string | undefined): string | undefined {
  if (outer !== undefined && inner !== undefined && outer !== inner)
    throw mistake(`A fragment on ${inner} stands inside a fragment on ${outer}`);
  return inner ?? outer;
}

/** GraphQL merges fields with one key. They must be the same field with the same arguments. */
function merged(fields: Selected[]): Selected[] {
  const groups = Map.groupBy(fields, ({ key, type }) => `${type ?? ''} ${key}`);
  return [...groups.values()].map(([first, ...others]) => {
    if (others.length === 0) return first!;
    const isSame = others.every(
      ({ name, args }) => name === first!.name && JSON.stringify(args) === JSON.stringify(first!.args),
    );
    if (!isSame) throw mistake(`"${first!.key}" stands for two different fields`);
    return { ...first!, fields: merged([first!, ...others].flatMap((one) => one.fields)) };
  });
}

function assertNoDirectives(directives: readonly DirectiveNode[] | undefined): void {
  const [first] = directives ?? [];
  if (first) throw noCounterpart(`@${first.name.value}`);
}

function variablesOf(operation: OperationDefinitionNode, given: Json | undefined): Variables {
  if (given !== undefined && given !== null && !isRecord(given)) throw mistake('The variables are no object');
  const values = new Map(Object.entries(isRecord(given) ? given : {}));
  const found: Variables = new Map();
  for (const { variable, type, defaultValue, directives } of operation.variableDefinitions ?? []) {
    assertNoDirectives(directives);
    const name = variable.name.value;
    if (found.has(name)) throw mistake(`The variable $${name} is declared twice`);
    const value = values.get(name);
    if (value !== undefined) found.set(name, fitting(name, type, value));
    else if (defaultValue) found.set(name, plainValue(defaultValue, new Map()) as Json);
    else if (type.kind === Kind.NON_NULL_TYPE) throw mistake(`The variable $${name} has no value`);
  }
  return found;
}

const scalars: { [name: string]: (value: Json) => boolean } = {
  String: (value) => typeof value === 'string',
  Int: (value) => Number.isInteger(value),
  Float: (value) => typeof value === 'number',
  Boolean: (value) => typeof value === 'boolean',
};

/** The types of objects are not known here. The reader of the argument checks those. */
function fitting(name: string, type: TypeNode, value: Json): Json {
  if (type.kind === Kind.NON_NULL_TYPE) {
    if (value === null) throw mistake(`The variable $${name} has no value`);
    return fitting(name, type.type, value);
  }
  if (value === null) return value;
  if (type.kind === Kind.LIST_TYPE) {
    return (Array.isArray(value) ? value : [value]).map((one) => fitting(name, type.type, one));
  }
  const scalar = Object.hasOwn(scalars, type.name.value) ? scalars[type.name.value] : undefined;
  if (scalar && !scalar(value)) throw mistake(`The variable $${name} is no ${type.name.value}`);
  return value;
}
