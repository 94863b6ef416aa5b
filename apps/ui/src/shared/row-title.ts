import type { ColumnHead } from '@trestle/driver-kit';

const usual = /^(name|title|label|heading|subject)$/i;

/** The column whose value stands for a whole row: one with a usual name, or else the first text. */
export function titleColumn<Column extends Pick<ColumnHead, 'name' | 'type'>>(
  columns: Column[],
  key: string[],
): Column | undefined {
  const texts = columns.filter(({ name, type }) => type === 'text' && !key.includes(name));
  return texts.find(({ name }) => usual.test(name)) ?? texts[0];
}
