import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { aboutColumn } from './column-words.ts';
import { newColumn } from './comparison.ts';
import { ComparisonsMenu } from './comparisons-menu.tsx';
import { CutFields } from './cut-fields.tsx';
import { GroupFields } from './group-fields.tsx';
import { TargetFields } from './target-fields.tsx';

const support = {
  modes: [],
  targetVectors: ['first', 'second'],
  options: {
    maxDistance: ['near_text' as const],
    groupBy: { columns: ['kind'] },
    rerank: { columns: ['title'] },
    joins: [{ name: 'sum', label: 'Sum' }],
  },
};
const rest = { support, onChange: () => {} };
const near = newColumn('near_text');

test('a largest distance may be negative, because a dot distance can be negative', () => {
  expect(renderToStaticMarkup(<CutFields column={near} {...rest} />)).not.toContain('min=');
});

test('if the table no longer has the column to group or rerank by, the fields do not show it', () => {
  const groupBy = { column: 'gone', groups: 3, rowsPerGroup: 2 };
  const column = { ...near, groupBy, rerank: { column: 'gone' } };
  const fields = renderToStaticMarkup(<GroupFields column={column} {...rest} />);
  expect(fields).not.toContain('gone');
  expect(fields).not.toContain('Number of groups');
  const known = { ...near, groupBy: { ...groupBy, column: 'kind' } };
  expect(renderToStaticMarkup(<GroupFields column={known} {...rest} />)).toContain('Number of groups');
});

test('if one saved vector of two is gone, the fields do not ask how distances are combined', () => {
  const targets = { join: 'sum', vectors: [{ name: 'second' }, { name: 'gone' }] };
  const column = { ...near, targetVector: 'second', targets };
  const fields = renderToStaticMarkup(<TargetFields column={column} {...rest} />);
  expect(fields).not.toContain('How distances are combined');
});

test('without a way to combine distances, the vector chosen last replaces the one before', () => {
  const changes: unknown[] = [];
  const alone = { ...support, options: {} };
  const fields = TargetFields({ column: near, support: alone, onChange: (patch) => changes.push(patch) });
  const [, lines] = fields!.props.children;
  const [second] = lines[1].props.children;
  second.props.onCheckedChange(true);
  expect(changes).toEqual([{ targetVector: 'second', targets: undefined }]);
});

test('a reranked column names the rerank score as the measure of its rows', () => {
  expect(aboutColumn({ ...near, rerank: { column: 'title' } }, support)).toBe('rerank score');
});

test('a saved comparison is unchanged if only the order of its settings differs', () => {
  const [column] = [{ ...near, autocut: 1, fusion: 'ranked' }];
  const { autocut, ...others } = column;
  const menu = (text: string) =>
    renderToStaticMarkup(
      <ComparisonsMenu
        saved={{
          list: [{ id: 'a', name: 'Mine', comparison: { text: 'moon', k: 8, columns: [column] } }],
          save: () => {},
          rename: () => {},
          remove: () => {},
        }}
        comparison={{ text, k: 8, columns: [{ ...others, autocut }], savedId: 'a' }}
        onOpen={() => {}}
        onSavedId={() => {}}
      />,
    );
  expect(menu('moon')).not.toContain('(changed)');
  expect(menu('sun')).toContain('(changed)');
});
