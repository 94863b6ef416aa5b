import { DriverError, type Json } from '@trestle/driver-kit';
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type ObjectFieldNode,
  type ValueNode,
  visit,
} from 'graphql';
import { isRecord } from './answer-shape.ts';
import { looksLikeAddress } from './endpoint-settings.ts';
import { QueryFields } from './query-fields.ts';
import { foldCase } from './strict-json.ts';

/** How a query uses the modules of collections, and with them the keys of model providers. */
export interface KeyUse {
  /** The collections whose modules the query calls. `any` if it may call those of every collection. */
  collections: Set<string> | 'any';
  /** The first part that is not known to be harmless. A query with such a part gets no keys. */
  doubt: string | undefined;
}

/**
 * Reads how a query uses keys. Throws if the query itself names an address, in any spelling: the server would send its
 * request, with the key, to that address.
 */
export function keyUseOf(document: DocumentNode, variables: Json | undefined): KeyUse {
  assertNoAddress(document, variables);
  return new Reading(document, variables).use;
}

/** Arguments that call no module. */
const plainArguments = new Set(
  'where sort limit offset after tenant consistencyLevel autocut groupBy group bm25 nearVector nearObject objectLimit'.split(
    ' ',
  ),
);

/** Members of `_additional` whose arguments are for modules on the server itself. */
const localMembers = new Set('featureProjection tokens summary spellCheck'.split(' '));

/** `plain`: scalars. `free`: the members are names that the user chose, or values that reach no module. */
type Shape = { [name: string]: Shape | 'plain' | 'free' };

const targets: Shape = { targetVectors: 'plain', combinationMethod: 'plain', weights: 'free' };
const move: Shape = { concepts: 'plain', force: 'plain', objects: { id: 'plain', beacon: 'plain' } };
const near: Shape = { certainty: 'plain', distance: 'plain', targetVectors: 'plain', targets };
const nearText: Shape = {
  ...near,
  concepts: 'plain',
  autocorrect: 'plain',
  moveTo: move,
  moveAwayFrom: move,
};

/** Arguments that call a module, with every member that they may have. */
const moduleArguments: { [name: string]: Shape } = {
  nearText,
  hybrid: {
    ...{ query: 'plain', alpha: 'plain', vector: 'plain', properties: 'plain', fusionType: 'plain' },
    ...{ maxVectorDistance: 'plain', targetVectors: 'plain', targets, bm25SearchOperator: 'free' },
    searches: { nearText, nearVector: 'free', sparseSearch: 'free' },
  },
  ask: {
    ...{ question: 'plain', properties: 'plain', certainty: 'plain', distance: 'plain' },
    ...{ autocorrect: 'plain', rerank: 'plain' },
  },
  nearImage: { ...near, image: 'plain' },
  nearAudio: { ...near, audio: 'plain' },
  nearVideo: { ...near, video: 'plain' },
  nearDepth: { ...near, depth: 'plain' },
  nearThermal: { ...near, thermal: 'plain' },
  nearIMU: { ...near, imu: 'plain' },
};

const providers = new Set(
  'anthropic anyscale aws cohere contextualai databricks deepseek friendliai google mistral nvidia octoai ollama openai palm xai'.split(
    ' ',
  ),
);

/** Texts for the model. They never become a part of an address. */
const textSettings = new Set('stop stopSequences systemPrompt knowledge imageProperties'.split(' '));
const providerSettings = new Set([
  ...textSettings,
  ...'model temperature maxTokens maxNewTokens topP topK k p n frequencyPenalty presencePenalty'.split(' '),
  ...'reasoningEffort verbosity logprobs topLogprobs avoidCommentary images'.split(' '),
]);

class Reading {
  readonly #fields: QueryFields;
  readonly #plainVariables: Set<string>;
  readonly #collections = new Set<string>();
  #isAny = false;
  #doubt: string | undefined;

  constructor(document: DocumentNode, variables: Json | undefined) {
    this.#fields = new QueryFields(document);
    this.#plainVariables = plainVariables(document, variables);
    visit(document, {
      [Kind.DIRECTIVE]: ({ name }) => {
        if (name.value !== 'include' && name.value !== 'skip') this.#note(`@${name.value}`);
      },
    });
    for (const root of this.#fields.roots()) this.#root(root);
  }

  get use(): KeyUse {
    return { collections: this.#isAny ? 'any' : this.#collections, doubt: this.#doubt };
  }

  #root(root: FieldNode): void {
    const name = root.name.value;
    if (name.startsWith('__')) return;
    if (name === 'Explore') this.#arguments(root, undefined);
    else if (name !== 'Get' && name !== 'Aggregate') this.#note(name);
    for (const { field } of this.#fields.of(root.selectionSet)) {
      this.#arguments(field, field.name.value);
      this.#inside(field, field.name.value);
    }
  }

  #arguments(field: FieldNode, collection: string | undefined): void {
    for (const { name, value } of field.arguments ?? []) {
      if (plainArguments.has(name.value)) continue;
      const shape = Object.hasOwn(moduleArguments, name.value) ? moduleArguments[name.value] : undefined;
      if (!shape) this.#note(name.value);
      else if (name.value === 'hybrid' && hasOwnVector(value)) continue;
      this.#call(collection);
      if (shape) this.#shape(name.value, value, shape);
    }
  }

  /** `collection`: the collection of the fields inside, undefined if it is not known. */
  #inside(field: FieldNode, collection: string | undefined): void {
    const isAdditional = field.name.value === '_additional';
    // The objects of a reference belong to the collection that a fragment names. Those of a group, to this one.
    const own = isAdditional || field.name.value === 'group' || field.name.value === 'hits';
    for (const { field: inner, type } of this.#fields.of(field.selectionSet)) {
      const name = inner.name.value;
      const of = type ?? collection;
      const calls = name === 'generate' || name === 'rerank' || name === 'answer';
      // A fragment may name another type than that of the collection. Then both count.
      if (calls) for (const one of new Set([of, collection ?? of])) this.#call(one);
      if (name === 'generate') this.#generate(inner);
      else if (calls) {
        for (const argument of inner.arguments ?? []) this.#rerank(argument);
      } else if (inner.arguments?.length && !(isAdditional && localMembers.has(name)))
        this.#only(inner, name === 'topOccurrences' ? ['limit'] : []);
      this.#inside(inner, own || name === '_additional' || type !== undefined ? of : undefined);
    }
  }

  #call(collection: string | undefined): void {
    if (collection === undefined) this.#isAny = true;
    else this.#collections.add(collection);
  }

  #rerank({ name, value }: ArgumentNode): void {
    if (name.value !== 'property' && name.value !== 'query') this.#note(name.value);
    this.#plain(name.value, value);
  }

  #only(field: FieldNode, names: string[]): void {
    for (const { name } of field.arguments ?? []) {
      if (!names.includes(name.value)) this.#note(`${field.name.value}(${name.value})`);
    }
  }

  #generate(field: FieldNode): void {
    const parts = { singleResult: ['prompt', 'debug'], groupedResult: ['task', 'properties', 'debug'] };
    for (const { name, value } of field.arguments ?? []) {
      const known = Object.hasOwn(parts, name.value) ? parts[name.value as keyof typeof parts] : undefined;
      if (!known) throw strange(name.value);
      for (const member of membersOf(name.value, value)) {
        if (known.includes(member.name.value)) this.#mustBePlain(member);
        else if (providers.has(member.name.value))
          for (const setting of membersOf(member.name.value, member.value)) this.#setting(setting);
        else throw strange(member.name.value);
      }
    }
  }

  #setting(setting: ObjectFieldNode): void {
    const name = setting.name.value;
    if (!providerSettings.has(name)) throw strange(name);
    this.#mustBePlain(setting);
    if (textSettings.has(name)) return;
    const isOdd = name === 'images' ? (text: string) => /[^\w+/=-]/.test(text) : looksLikeAddress;
    if (textsIn(setting.value).some(isOdd)) throw strange(name);
    if (hasVariable(setting.value)) throw strange(`$ in ${name}`);
  }

  #mustBePlain({ name, value }: ObjectFieldNode): void {
    if (!this.#isPlain(value)) throw strange(name.value);
  }

  #shape(name: string, value: ValueNode, shape: Shape[string]): void {
    if (shape === 'plain' || value.kind === Kind.VARIABLE) this.#plain(name, value);
    else if (value.kind === Kind.LIST) for (const one of value.values) this.#shape(name, one, shape);
    if (value.kind !== Kind.OBJECT || typeof shape !== 'object') return;
    for (const { name: inner, value: given } of value.fields) {
      const known = Object.hasOwn(shape, inner.value) ? shape[inner.value] : undefined;
      if (known === undefined) this.#note(`${name}.${inner.value}`);
      else this.#shape(inner.value, given, known);
    }
  }

  #plain(name: string, value: ValueNode): void {
    if (!this.#isPlain(value)) this.#note(name);
  }

  /** A scalar, or a list of scalars. A variable counts if it cannot bring an object in. */
  #isPlain(value: ValueNode): boolean {
    if (value.kind === Kind.VARIABLE) return this.#plainVariables.has(value.name.value);
    if (value.kind === Kind.LIST) return value.values.every((one) => this.#isPlain(one));
    return value.kind !== Kind.OBJECT;
  }

  #note(part: string): void {
    this.#doubt ??= part;
  }
}

/** The hybrid search then sends no text to a module. With an empty vector, the server makes one from the text. */
function hasOwnVector(value: ValueNode): boolean {
  if (value.kind !== Kind.OBJECT) return false;
  const vectors = value.fields.filter(({ name }) => name.value === 'vector');
  const isGiven = vectors.length > 0 && vectors.every((one) => isVector(one.value));
  return isGiven && value.fields.every(({ name }) => name.value !== 'searches');
}

function isVector(value: ValueNode): boolean {
  const isNumber = ({ kind }: ValueNode) => kind === Kind.INT || kind === Kind.FLOAT;
  return value.kind === Kind.LIST && value.values.length > 0 && value.values.every(isNumber);
}

function membersOf(name: string, value: ValueNode): readonly ObjectFieldNode[] {
  if (value.kind !== Kind.OBJECT) throw strange(name);
  return value.fields;
}

function textsIn(value: ValueNode): string[] {
  if (value.kind === Kind.STRING || value.kind === Kind.ENUM) return [value.value];
  return value.kind === Kind.LIST ? value.values.flatMap(textsIn) : [];
}

function hasVariable(value: ValueNode): boolean {
  return value.kind === Kind.VARIABLE || (value.kind === Kind.LIST && value.values.some(hasVariable));
}

const scalars = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);

/** The variables that are declared as a scalar or a list of scalars, and have such a value. */
function plainVariables(document: DocumentNode, variables: Json | undefined): Set<string> {
  const given = isRecord(variables) ? variables : {};
  const isScalar = (value: Json | undefined): boolean =>
    Array.isArray(value) ? value.every(isScalar) : !isRecord(value);
  const plain = new Set<string>();
  visit(document, {
    [Kind.VARIABLE_DEFINITION]: ({ variable, type, defaultValue }) => {
      const name = variable.name.value;
      let inner = type;
      while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type;
      const values = Object.entries(given).filter(([key]) => foldCase(key) === foldCase(name));
      const isOne = scalars.has(inner.name.value) && values.every(([, value]) => isScalar(value));
      if (isOne && !defaultValue) plain.add(name);
    },
  });
  return plain;
}

const addressNames =
  /url|endpoint|host|region|location|projectid|resourcename|deployment|isazure|apiversion|^service$|^target(model|variant)$/;

/** No argument of Weaviate has such a name, except those that choose a provider's address. */
function assertNoAddress(document: DocumentNode, variables: Json | undefined): void {
  const check = (name: string) => {
    if (addressNames.test(foldCase(name))) throw namesAddress(name);
  };
  visit(document, {
    [Kind.ARGUMENT]: ({ name }) => check(name.value),
    [Kind.OBJECT_FIELD]: ({ name }) => check(name.value),
  });
  const look = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const one of value) look(one);
    if (!isRecord(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      check(key);
      look(inner);
    }
  };
  // The top level holds the names of the variables, which a client chooses.
  for (const value of isRecord(variables) ? Object.values(variables) : [variables]) look(value);
}

function namesAddress(name: string): DriverError {
  return new DriverError({
    code: 'refused',
    message: `The query chooses with "${name}" where the server sends its request, which only the user may do`,
    hint: "Leave it out: the collection's own settings then choose. Or ask the user to run the query in Trestle's editor.",
  });
}

function strange(name: string): DriverError {
  return new DriverError({
    code: 'refused',
    message: `generate has "${name}", which is not known to be harmless: it could choose where the server sends data`,
    hint: "Write plain values into the query, such as model or temperature. Or ask the user to run it in Trestle's editor.",
  });
}
