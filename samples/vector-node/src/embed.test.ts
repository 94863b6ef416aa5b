import { expect, it } from 'vitest';
import { embed } from './embed.ts';
import { sampleClasses, sampleObjects } from './sample-data.ts';
import { vectorTexts } from './vector-texts.ts';

const indexed = sampleObjects.map((object) => {
  const definition = sampleClasses.find((candidate) => candidate.class === object.class)!;
  const texts = vectorTexts(definition, object.properties);
  return { ...object, text: texts, vector: embed(texts.default ?? texts.description ?? '') };
});

function nearest(query: string, limit: number) {
  const wanted = embed(query);
  return indexed
    .map((object) => ({ ...object, score: dot(wanted, object.vector) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, component, i) => sum + component * b[i]!, 0);
}

it('gives every object of the sample a unit vector with 356 components', () => {
  for (const { vector } of indexed) {
    expect(vector).toHaveLength(356);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  }
});

/** The first three phrases are the examples of README.md. */
const phrases: [className: string, vector: string, phrase: string, first: string[]][] = [
  ['Species', 'habitat', 'hot, dry places', ['Dromedary', 'Desert locust', 'Red kangaroo']],
  ['Mission', 'default', 'dust from a comet', ['Stardust', 'Giotto', 'Rosetta']],
  ['MuseumNote', 'default', 'portrait of a smiling woman', ['Mona Lisa']],
  ['Species', 'habitat', 'Arctic ice', ['Polar bear', 'Narwhal', 'Walrus']],
  ['Species', 'habitat', 'coral reefs', ['Ocellaris clownfish', 'Chambered nautilus']],
  ['Species', 'description', 'venomous snakes', ['King cobra', 'Common European adder']],
  ['Species', 'description', 'insects that live in colonies', ['Western honey bee', 'Leafcutter ant']],
  ['Species', 'description', 'hunting in packs', ['Grey wolf', 'Orca']],
  ['Mission', 'default', 'animals that flew to space', ['Sputnik 2']],
  ['Mission', 'default', 'looking for planets around other stars', ['Kepler', 'CHEOPS', 'TESS']],
  ['Mission', 'default', 'watching the sun', ['SOHO', 'Aditya-L1']],
  ['Invention', 'default', 'seeing tiny things', ['Single-lens microscope']],
  ['Invention', 'default', 'musical instruments', ['Theremin', 'Saxophone', 'Piano']],
  ['Invention', 'default', 'medicine against infections', ['Antiseptic surgery', 'Polio vaccine']],
  [
    'MuseumNote',
    'default',
    'the sea and its waves',
    ['The Great Wave off Kanagawa', 'The Raft of the Medusa'],
  ],
];

it.each(phrases)('finds the right %s by its vector %s for "%s"', (className, vector, phrase, first) => {
  const wanted = embed(phrase);
  const ranked = indexed
    .filter((object) => object.class === className)
    .map(({ properties, text }) => ({
      name: properties.commonName ?? properties.name ?? properties.title,
      score: dot(wanted, embed(text[vector] ?? '')),
    }))
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);
  expect(ranked.slice(0, 5)).toEqual(expect.arrayContaining(first));
  expect(first).toContain(ranked[0]);
});

it('finds missions by a word that no object contains', () => {
  expect(indexed.filter(({ text }) => /spacecraft/i.test(JSON.stringify(text)))).toEqual([]);
  expect(nearest('spacecraft', 40).map((object) => object.class)).toEqual(Array(40).fill('Mission'));
});

it('finds insects, and bees among them', () => {
  const found = nearest('insects', 12);
  expect(found.map(({ properties }) => properties.group)).toEqual(Array(12).fill('insect'));
  expect(found.map(({ properties }) => properties.commonName)).toContain('Buff-tailed bumblebee');
});

it('finds instruments, food and clocks by their kind', () => {
  for (const [query, field] of [
    ['music instrument', 'music'],
    ['cooking food', 'food'],
    ['clocks', 'timekeeping'],
  ] as const) {
    const [first] = nearest(query, 1);
    expect(first?.properties.fields).toContain(field);
  }
});

it('finds an animal by the vector of its habitat', () => {
  const reef = embed('coral reef');
  const [closest] = indexed
    .filter((object) => object.class === 'Species')
    .map((object) => ({ ...object, score: dot(reef, embed(object.text.habitat ?? '')) }))
    .sort((a, b) => b.score - a.score);
  expect(closest?.properties.habitat).toMatch(/coral reef/);
});

it('gives zeros for a text without a known word', () => {
  expect(embed('qqxzzt 42 😂')).toEqual(new Float32Array(356));
});
