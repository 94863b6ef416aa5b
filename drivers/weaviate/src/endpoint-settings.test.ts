import type { Json } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { endpointSettings } from './endpoint-settings.ts';

const settingsOf = (definition: Json) => endpointSettings(definition).map(({ setting }) => setting);
const of = (module: string, settings: Json) => settingsOf({ moduleConfig: { [module]: settings } });

test.each<[string, Json]>([
  ['text2vec-openai', { baseURL: 'https://api.openai.com', model: 'text-embedding-3-small', dimensions: 8 }],
  ['text2vec-cohere', { baseUrl: 'https://api.cohere.ai', truncate: 'END', vectorizeClassName: true }],
  ['text2vec-mistral', { baseURL: 'https://api.mistral.ai/v1/embeddings' }],
  ['text2vec-voyageai', { baseURL: 'https://api.voyageai.com/v1' }],
  ['text2vec-weaviate', { baseURL: '' }],
  ['text2vec-google', { apiEndpoint: 'us-central1-aiplatform.googleapis.com', projectId: 'my-project' }],
  ['text2vec-aws', { region: 'us-east-1', service: 'bedrock', model: 'amazon.titan-embed-text-v2:0' }],
  ['generative-openai', { model: 'gpt-4', temperature: 0.5, stop: ['\n', 'http://'] }],
])('%s with usual settings names no other address', (module, settings) => {
  expect(of(module, settings)).toEqual([]);
});

test.each<[string, Json]>([
  ['text2vec-openai', { baseURL: 'http://api.openai.com' }],
  ['text2vec-openai', { baseURL: 'https://api.openai.com@evil.example' }],
  ['text2vec-openai', { baseURL: 'https://api.openai.com.evil.example' }],
  ['text2vec-openai', { baseURL: 'https://api.openai.com:8443' }],
  ['text2vec-openai', { baseURL: 'https://api.openai.com/../x' }],
  ['text2vec-openai', { baseURL: 'https://api.openai.com\\@evil.example' }],
  ['text2vec-openai', { baseURL: 'https://api.cohere.ai' }],
  ['text2vec-openai', { BASEURL: 'https://evil.example' }],
  ['text2vec-openai', { model: 'https://evil.example' }],
  ['text2vec-openai', { nested: { model: 'x' } }],
  ['text2vec-openai', { list: [['https://evil.example']] }],
  ['text2vec-openai', { resourceName: 'evil' }],
  ['text2vec-aws', { region: 'evil.example/' }],
  ['text2vec-aws', { endpoint: 'x' }],
  ['text2vec-databricks', { endpoint: 'https://x' }],
  ['text2vec-google', { apiEndpoint: 'evil.example' }],
  ['text2vec-morph', { baseURL: 'https://api.morphllm.com' }],
  ['future-module', { anything: 'evil.example' }],
])('%s with %j names an address', (module, settings) => {
  expect(of(module, settings)).toHaveLength(1);
});

test('settings are found in every place and in any case, under the name of their property', () => {
  const module = { 'text2vec-openai': { baseURL: 'https://evil.example' } };
  expect(
    settingsOf({
      ModuleConfig: module,
      vectorConfig: { v: { VECTORIZER: module } },
      properties: [
        { name: 'title', moduleConfig: module },
        { name: 'o', nestedProperties: [{ name: 'inner', moduleConfig: module }] },
      ],
    }),
  ).toEqual([
    'moduleconfig.text2vec-openai.baseurl',
    'vectorconfig.v.vectorizer.text2vec-openai.baseurl',
    'properties.title.moduleconfig.text2vec-openai.baseurl',
    'properties.o.nestedproperties.inner.moduleconfig.text2vec-openai.baseurl',
  ]);
  expect(settingsOf({ moduleConfig: [module], vectorConfig: [{ v: { vectorizer: [[module]] } }] })).toEqual([
    'moduleconfig.text2vec-openai.baseurl',
    'vectorconfig.0.v.vectorizer.text2vec-openai.baseurl',
  ]);
  expect(settingsOf({ vectorizer: 'text2vec-openai', description: 'https://x.example' })).toEqual([]);
});
