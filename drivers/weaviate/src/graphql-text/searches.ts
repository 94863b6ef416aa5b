import {
  CombinationMethod as Combination,
  Hybrid_FusionType as FusionType,
  type HybridSchema,
  type MessageInitShape,
  type NearTextSearch_MoveSchema as MoveSchema,
  type NearObjectSchema,
  type NearTextSearchSchema,
  type NearVectorSchema,
  type SearchOperatorOptionsSchema,
  type TargetsSchema,
  type VectorsSchema,
  Vectors_VectorType as VectorType,
  SearchOperatorOptions_Operator as WordOperator,
} from '@trestle/weaviate-connect';
import { collectionOfBeacon } from '../beacon.ts';
import { isMultiVector } from '../multi-vector.ts';
import type { Collection } from '../schema.ts';
import { mistake, noCounterpart } from './refusal.ts';
import { Given, type Value } from './values.ts';

/** The media searches. Each takes its medium as base64 under its own name. */
export const media = ['image', 'audio', 'video', 'depth', 'thermal', 'imu'] as const;

type VectorsInit = MessageInitShape<typeof VectorsSchema>;
type TargetsInit = MessageInitShape<typeof TargetsSchema>;

/** The members of every near search: a limit by distance, and the vectors that it searches. */
function nearOf(given: Given) {
  const certainty = given.number('certainty');
  const distance = given.number('distance');
  if (certainty !== undefined && distance !== undefined)
    throw mistake('A search takes distance or certainty, not both');
  const targets = targetsOf(given);
  return {
    ...(certainty !== undefined && { certainty }),
    ...(distance !== undefined && { distance }),
    ...(targets && { targets }),
  };
}

const combinations: { [word: string]: Combination } = {
  minimum: Combination.TYPE_MIN,
  sum: Combination.TYPE_SUM,
  average: Combination.TYPE_AVERAGE,
  manualWeights: Combination.TYPE_MANUAL,
  relativeScore: Combination.TYPE_RELATIVE_SCORE,
};

function targetsOf(given: Given): TargetsInit | undefined {
  const named = given.texts('targetVectors');
  const joined = given.inner('targets');
  if (!joined) return named && { targetVectors: named };
  if (named) throw mistake('A search takes targetVectors or targets, not both');
  const targetVectors = joined.texts('targetVectors') ?? [];
  const word = joined.word('combinationMethod');
  const weights = joined.inner('weights');
  const found: TargetsInit = { targetVectors };
  if (word !== undefined) {
    const combination = Object.hasOwn(combinations, word) ? combinations[word] : undefined;
    if (combination === undefined) throw mistake(`The combinationMethod ${word} is not known`);
    found.combination = combination;
  }
  if (weights) found.weightsForTargets = weightsOf(weights, targetVectors);
  joined.end();
  return found;
}

/** The server takes weights only in the order of the targets. A target that stands twice has a list of weights. */
function weightsOf(weights: Given, targets: string[]) {
  const used = new Map<string, number>();
  const found = targets.map((target) => {
    const at = used.get(target) ?? 0;
    used.set(target, at + 1);
    const weight = weights.list(target)?.[at];
    if (typeof weight !== 'number') throw mistake(`"weights" has no number for ${target}`);
    return { target, weight };
  });
  for (const [target, count] of used) {
    if (weights.list(target)?.length !== count) throw mistake(`"weights" has too many numbers for ${target}`);
  }
  weights.end();
  return found;
}

export function nearVectorOf(
  value: Value,
  collection: Collection,
): MessageInitShape<typeof NearVectorSchema> {
  const given = new Given('nearVector', value);
  const found = nearVectorMembers(given, collection);
  given.end();
  return found;
}

function nearVectorMembers(given: Given, collection: Collection): MessageInitShape<typeof NearVectorSchema> {
  const near = nearOf(given);
  const vector = given.value('vector');
  const keyed = given.inner('vectorPerTarget');
  if ((vector === undefined) === (keyed === undefined))
    throw mistake('"nearVector" needs vector or vectorPerTarget');
  if (keyed) {
    const names = near.targets?.targetVectors ?? keyed.names;
    const { targets, vectorForTargets } = perTarget(keyed, names, collection);
    return { ...near, targets: { ...near.targets, targetVectors: targets }, vectorForTargets };
  }
  const names = near.targets?.targetVectors ?? [];
  if (names.length < 2) return { ...near, vectors: [vectorMessage(vector!)] };
  return { ...near, vectorForTargets: names.map((name) => ({ name, vectors: [vectorMessage(vector!)] })) };
}

/** A target with a list of vectors is searched once for each, and stands as often among the targets. */
function perTarget(keyed: Given, names: string[], collection: Collection) {
  const vectorForTargets = [...new Set(names)].map((name) => {
    const value = keyed.value(name);
    if (value === undefined) throw mistake(`"vectorPerTarget" has no vector for ${name}`);
    const rows = Array.isArray(value) && Array.isArray(value[0]) ? value : null;
    const [first] = (rows ?? []) as Value[][];
    const isSeveral = rows && (!isMultiVector(collection, name) || Array.isArray(first?.[0]));
    return { name, vectors: (isSeveral ? rows : [value]).map(vectorMessage) };
  });
  keyed.end();
  const targets = vectorForTargets.flatMap(({ name, vectors }) => vectors.map(() => name));
  return { targets, vectorForTargets };
}

/** The server takes a vector without numbers for a wish to see every row. */
function vectorMessage(value: Value): VectorsInit {
  const rows = Array.isArray(value) && Array.isArray(value[0]) ? (value as Value[][]) : null;
  if (!rows) return { vectorBytes: floats(value), type: VectorType.SINGLE_FP32 };
  const dimensions = rows[0]?.length ?? 0;
  if (rows.some((row) => !Array.isArray(row) || row.length !== dimensions) || dimensions > 65_535)
    throw mistake('The rows of a multi-vector must have the same length');
  const parts = rows.map((row) => floats(row));
  const head = new Uint8Array([dimensions % 256, dimensions >> 8]);
  return { vectorBytes: Buffer.concat([head, ...parts]), type: VectorType.MULTI_FP32 };
}

function floats(value: Value): Uint8Array {
  const isVector = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number');
  if (!isVector) throw mistake('A vector is a list of numbers, such as [0.1, 0.2]');
  return new Uint8Array(new Float32Array(value as number[]).buffer);
}

export function nearObjectOf(
  value: Value,
  collection: Collection,
): MessageInitShape<typeof NearObjectSchema> {
  const given = new Given('nearObject', value);
  const near = nearOf(given);
  const id = objectId(given, collection);
  given.end();
  if (id === undefined) throw mistake('"nearObject" needs id or beacon');
  return { id, ...near };
}

/** `id`, or the uuid of `beacon`. Connect finds the object only in the collection of the request. */
function objectId(given: Given, collection: Collection): string | undefined {
  const id = given.text('id');
  const beacon = given.text('beacon');
  if (id !== undefined && beacon !== undefined) throw mistake('A search takes id or beacon, not both');
  if (beacon === undefined) return id;
  const named = collectionOfBeacon(beacon);
  if (named === undefined) throw mistake(`${JSON.stringify(beacon)} is no beacon`);
  if (named !== null && named !== collection.name)
    throw noCounterpart(`A search near an object of another collection (${named})`);
  return beacon.split('/').at(-1) ?? '';
}

export function nearTextOf(
  value: Value,
  collection: Collection,
): MessageInitShape<typeof NearTextSearchSchema> {
  const given = new Given('nearText', value);
  const found = nearTextMembers(given, collection);
  given.end();
  return found;
}

function nearTextMembers(
  given: Given,
  collection: Collection,
): MessageInitShape<typeof NearTextSearchSchema> {
  const query = given.texts('concepts') ?? [];
  if (query.length === 0) throw mistake('"nearText" needs concepts');
  if (given.has('autocorrect')) throw noCounterpart('autocorrect');
  const moveTo = given.inner('moveTo');
  const moveAway = given.inner('moveAwayFrom');
  return {
    query,
    ...nearOf(given),
    ...(moveTo && { moveTo: moveOf(moveTo, collection) }),
    ...(moveAway && { moveAway: moveOf(moveAway, collection) }),
  };
}

function moveOf(given: Given, collection: Collection): MessageInitShape<typeof MoveSchema> {
  const concepts = given.texts('concepts') ?? [];
  const force = given.number('force');
  const uuids = (given.list('objects') ?? []).map((one) => {
    const object = new Given('objects', one);
    const id = objectId(object, collection);
    object.end();
    if (id === undefined) throw mistake('"objects" needs id or beacon');
    return id;
  });
  given.end();
  return { concepts, uuids, force: force ?? 0 };
}

export function mediaOf(name: (typeof media)[number], value: Value) {
  const given = new Given(`near${name}`, value);
  const text = given.text(name);
  const near = nearOf(given);
  given.end();
  if (text === undefined) throw mistake(`The search needs "${name}"`);
  return { [name]: text, ...near };
}

export function keywordOf(value: Value) {
  const given = new Given('bm25', value);
  const query = given.text('query');
  const properties = given.texts('properties') ?? [];
  const searchOperator = wordsOf(given.inner('searchOperator'));
  given.end();
  if (query === undefined) throw mistake('"bm25" needs query');
  return { query, properties, ...(searchOperator && { searchOperator }) };
}

function wordsOf(given: Given | undefined): MessageInitShape<typeof SearchOperatorOptionsSchema> | undefined {
  if (!given) return undefined;
  const word = given.word('operator');
  const least = given.whole('minimumOrTokensMatch');
  given.end();
  if (word !== 'And' && word !== 'Or') throw mistake('The operator of a keyword search is And or Or');
  return {
    operator: word === 'And' ? WordOperator.AND : WordOperator.OR,
    ...(least !== undefined && { minimumOrTokensMatch: least }),
  };
}

const fusions: { [word: string]: FusionType } = {
  rankedFusion: FusionType.RANKED,
  relativeScoreFusion: FusionType.RELATIVE_SCORE,
};

export function hybridOf(value: Value, collection: Collection): MessageInitShape<typeof HybridSchema> {
  const given = new Given('hybrid', value);
  const alpha = given.number('alpha') ?? 0.75;
  if (alpha < 0 || alpha > 1) throw mistake('"alpha" must be from 0 to 1');
  const fusion = given.word('fusionType') ?? 'relativeScoreFusion';
  const fusionType = Object.hasOwn(fusions, fusion) ? fusions[fusion] : undefined;
  if (fusionType === undefined) throw mistake(`The fusionType ${fusion} is not known`);
  const vector = given.value('vector');
  const targets = targetsOf(given);
  const words = wordsOf(given.inner('bm25SearchOperator'));
  const limit = given.number('maxVectorDistance');
  const found: MessageInitShape<typeof HybridSchema> = {
    query: given.text('query') ?? '',
    properties: given.texts('properties') ?? [],
    // Without the flag, Connect ignores the number, and searches for keywords only.
    useAlphaParam: true,
    alphaParam: alpha,
    fusionType,
    ...(vector !== undefined && { vectors: [vectorMessage(vector)] }),
    ...(targets && { targets }),
    ...(words && { bm25SearchOperator: words }),
    ...(limit !== undefined && { threshold: { case: 'vectorDistance' as const, value: limit } }),
    ...innerSearch(given.list('searches'), collection),
  };
  given.end();
  return found;
}

function innerSearch(searches: Value[] | undefined, collection: Collection) {
  if (!searches) return {};
  if (searches.length !== 1) throw noCounterpart('"searches" with more than one search');
  const given = new Given('searches', searches[0]!);
  const text = given.inner('nearText');
  const vector = given.inner('nearVector');
  if (given.has('sparseSearch')) throw noCounterpart('sparseSearch');
  given.end();
  if ((text === undefined) === (vector === undefined))
    throw mistake('"searches" needs nearText or nearVector');
  const found = text
    ? { nearText: nearTextMembers(text, collection) }
    : { nearVector: nearVectorMembers(vector!, collection) };
  for (const one of [text, vector]) one?.end();
  return found;
}
