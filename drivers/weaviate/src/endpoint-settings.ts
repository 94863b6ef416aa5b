import type { Json } from '@trestle/driver-kit';
import { isRecord } from './answer-shape.ts';
import { foldCase } from './strict-json.ts';

/** A module's setting that decides where the server sends a key. */
export interface EndpointSetting {
  /** Its path in the definition of the collection, in folded case. */
  setting: string;
  value: string;
  /** The name of the module, in folded case. */
  module: string;
}

/**
 * Every setting of a collection's modules, its properties' modules included, that may name an address. Only known
 * harmless settings are left out: a module of a future server may have an address under any name. Accepts a definition
 * in any spelling, since Go matches JSON keys case-insensitively.
 */
export function endpointSettings(definition: Json | undefined): EndpointSetting[] {
  const found: EndpointSetting[] = [];
  const look = (value: Json | undefined, path: string[]): void => {
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) look(one, [...path, nameOf(one) ?? String(index)]);
      return;
    }
    if (!isRecord(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      const folded = foldCase(key);
      const at = [...path, folded];
      if (folded === 'moduleconfig' || (folded === 'vectorizer' && typeof inner === 'object'))
        found.push(...ofModules(inner, at));
      else look(inner, at);
    }
  };
  look(definition, []);
  return found;
}

/** A property is named by its name: its index changes if another property is added. */
function nameOf(value: Json): string | undefined {
  if (!isRecord(value)) return undefined;
  const [, name] = Object.entries(value).find(([key]) => foldCase(key) === 'name') ?? [];
  return typeof name === 'string' ? foldCase(name) : undefined;
}

function ofModules(modules: Json | undefined, path: string[]): EndpointSetting[] {
  if (Array.isArray(modules)) return modules.flatMap((one) => ofModules(one, path));
  if (!isRecord(modules)) return [];
  return Object.entries(modules).flatMap(([name, settings]) => {
    const module = foldCase(name);
    return leavesOf(settings, []).flatMap(({ keys, value }) =>
      isHarmless(module, keys, value)
        ? []
        : [{ setting: [...path, module, ...keys].join('.'), value, module }],
    );
  });
}

/** Every text in a module's settings, with the keys that lead to it. Other values cannot contain an address. */
function leavesOf(value: Json | undefined, keys: string[]): { keys: string[]; value: string }[] {
  if (typeof value === 'string') return [{ keys, value }];
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, keys));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...keys, foldCase(key)]));
}

/** Settings whose text is never a part of an address. A value that looks like one still counts as one. */
const plainSettings = foldedNames(
  'model modelId modelVersion queryModel passageModel type dimensions task taskType encoding truncate truncation',
  'vectorizeClassName vectorizeCollectionName vectorizePropertyName skip poolingStrategy method',
  'properties sourceProperties referenceProperties titleProperty textFields imageFields audioFields videoFields',
  'imuFields thermalFields depthFields returnLikelihoods reasoningEffort verbosity temperatureProperty',
  'stopSequencesProperty returnLikelihoodsProperty maxTokensProperty kProperty topPProperty topKProperty',
  'frequencyPenaltyProperty presencePenaltyProperty',
);

/** Settings with any text for the model. */
const freeSettings = foldedNames('stop stopSequences systemPrompt instruction');

/**
 * Settings that a module puts into the name of a host or into a path. They are harmless only in their usual form: a
 * region such as `evil.example/` would lead to another host.
 */
const shapedSettings = new Map([
  ['region', /^[a-z]{2}(-[a-z]+)+-\d$/],
  ['location', /^(global|[a-z]+-[a-z]+\d)$/],
  ['service', /^(bedrock|sagemaker)$/],
  ['projectid', /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/],
  ['deploymentid', /^[A-Za-z0-9_-]+$/],
  ['apiversion', /^[A-Za-z0-9._-]+$/],
]);

function isHarmless(module: string, keys: string[], value: string): boolean {
  if (value === '') return true;
  // A setting within a setting has no known meaning.
  const key = keys.length === 1 ? keys[0]! : '';
  if (freeSettings.has(key)) return true;
  if (plainSettings.has(key)) return !looksLikeAddress(value);
  if (key === 'baseurl' || key === 'apiendpoint') return isOwnProvider(module, key, value);
  return shapedSettings.get(key)?.test(value) === true;
}

/**
 * The hosts of each provider, by the last part of its modules' names. `text2vec-morph` is left out: it sends the key of
 * OpenAI to another company.
 */
const providerHosts = new Map([
  ['openai', ['api.openai.com']],
  ['cohere', ['api.cohere.ai', 'api.cohere.com']],
  ['mistral', ['api.mistral.ai']],
  ['anthropic', ['api.anthropic.com']],
  ['voyageai', ['api.voyageai.com']],
  ['jinaai', ['api.jina.ai']],
  ['xai', ['api.x.ai']],
  ['deepseek', ['api.deepseek.com']],
  ['contextualai', ['api.contextual.ai']],
  ['twelvelabs', ['api.twelvelabs.io']],
  ['friendliai', ['api.friendli.ai', 'inference.friendli.ai']],
  ['nvidia', ['integrate.api.nvidia.com', 'ai.api.nvidia.com']],
  ['digitalocean', ['inference.do-ai.run']],
  ['anyscale', ['api.endpoints.anyscale.com']],
  ['weaviate', ['api.embedding.weaviate.io']],
  ['google', ['generativelanguage.googleapis.com', 'us-central1-aiplatform.googleapis.com']],
  ['palm', ['generativelanguage.googleapis.com', 'us-central1-aiplatform.googleapis.com']],
]);

/** True only for a plain HTTPS address of the module's own provider, without a user, a port or a query. */
function isOwnProvider(module: string, key: string, address: string): boolean {
  const hosts = providerHosts.get(module.split('-').at(-1) ?? '') ?? [];
  // The server puts `https://` before an `apiEndpoint`.
  if (key === 'apiendpoint') return hosts.includes(address);
  const [, host = '', path = ''] = /^https:\/\/([a-z0-9.-]+)(\/[A-Za-z0-9/._-]*)?$/.exec(address) ?? [];
  return hosts.includes(host) && !path.includes('..') && !path.includes('//');
}

/** A model or a property contains no scheme, and no sign that could end the path of an address. */
export function looksLikeAddress(value: string): boolean {
  return /\/\/|^\/|[\\@?#\s\p{C}]|\.\./u.test(value);
}

function foldedNames(...lines: string[]): Set<string> {
  return new Set(lines.join(' ').split(' ').map(foldCase));
}
