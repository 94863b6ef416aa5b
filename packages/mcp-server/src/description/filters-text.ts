import { type ColumnDescription, type FilterOperator, filterOperators } from '@trestle/driver-kit';
import { nameText } from '../answer/cell-text.ts';

/** The available filters, each operator named once: `filters: equals, in_list on all; contains on name, city`. */
export function filtersText(columns: ColumnDescription[]): string[] {
  const filterable = columns.filter((column) => column.operators.some(({ refusal }) => !refusal));
  if (filterable.length === 0) return ['filters: none run here'];
  const accepting = (operator: FilterOperator) =>
    filterable
      .filter((column) => column.operators.some((one) => one.operator === operator && !one.refusal))
      .map(({ name }) => name);
  const groups = new Map<string, { operators: FilterOperator[]; names: string[] }>();
  for (const operator of filterOperators) {
    const names = accepting(operator);
    if (names.length === 0) continue;
    const key = JSON.stringify(names);
    const group = groups.get(key) ?? { operators: [], names };
    group.operators.push(operator);
    groups.set(key, group);
  }
  const all = filterable.map(({ name }) => name);
  const parts = [...groups.values()].map(({ operators, names }) => {
    const which = operators.length === filterOperators.length ? 'every operator' : operators.join(', ');
    return `${which} on ${label(names, all)}`;
  });
  const none = columns.filter((column) => column.type !== 'vector' && !filterable.includes(column));
  if (none.length > 0) parts.push(`none on ${none.map(({ name }) => nameText(name)).join(', ')}`);
  return [`filters: ${parts.join('; ')}`, ...matchingText(columns)];
}

/** How text is matched. Each rule is stated once. */
function matchingText(columns: ColumnDescription[]): string[] {
  const groups = Map.groupBy(
    columns.filter(({ matching }) => matching !== undefined),
    ({ matching }) => matching as string,
  );
  const parts = [...groups].map(([matching, group]) =>
    groups.size === 1 ? matching : `${group.map(({ name }) => nameText(name)).join(', ')} ${matching}`,
  );
  return parts.length > 0 ? [`text: ${parts.join('; ')}`] : [];
}

function label(names: string[], all: string[]): string {
  if (names.length === all.length) return 'all';
  const others = all.filter((name) => !names.includes(name));
  const [which, prefix] = others.length < names.length / 2 ? [others, 'all but '] : [names, ''];
  return prefix + which.map(nameText).join(', ');
}
