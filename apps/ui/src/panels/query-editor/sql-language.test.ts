import { CompletionContext, type CompletionSource } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { sqlExtension } from './sql-language.ts';

test('a completed name that is not a plain word is quoted', async () => {
  const tables = { plain: ['a', 'b "c"'], 'order items': [], 'x.y': ['z'] };
  const offered = async (doc: string) => {
    const state = EditorState.create({ doc, extensions: [sqlExtension({ language: 'sql', tables })] });
    const sources = state.languageDataAt<CompletionSource>('autocomplete', doc.length);
    const found = await Promise.all(
      sources.map((source) => source(new CompletionContext(state, doc.length, true))),
    );
    return found
      .flatMap((result) => result?.options ?? [])
      .filter(({ label }) => /^(plain|order i.*|x|x\.y|a|b "c")$/.test(label))
      .map(({ label, apply }) => apply ?? label);
  };
  expect(await offered('SELECT * FROM o')).toEqual(['plain', '"order items"', '"x.y"']);
  expect(await offered('SELECT plain.')).toEqual(['a', '"b ""c"""']);
});
