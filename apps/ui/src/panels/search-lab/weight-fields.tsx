import { Checkbox } from '../../controls/fields/checkbox.tsx';
import { settingsFor } from './comparison.ts';
import { NumberInput } from './number-input.tsx';
import styles from './search-lab.module.css';
import type { SettingsProps } from './settings-props.ts';

/** The table's columns that a keyword or hybrid search looks for words in, each with its weight. */
export function WeightFields({ column, support, onChange }: SettingsProps) {
  const names = support.options?.keywordColumns ?? [];
  if (names.length === 0) return null;
  // A saved comparison may name columns that no longer exist. If none is left, the search uses all columns.
  const saved = settingsFor(column, support).keywordColumns;
  const chosen = saved ?? names.map((name) => ({ column: name, weight: 1 }));
  const weightOf = (name: string) => chosen.find((one) => one.column === name)?.weight ?? 0;
  const change = (name: string, weight: number) => {
    const next = names
      .map((one) => ({ column: one, weight: one === name ? weight : weightOf(one) }))
      .filter((one) => one.weight > 0);
    // An empty list would mean all columns, so the last column cannot be removed.
    if (next.length === 0) return;
    const isPlain = next.length === names.length && next.every((one) => one.weight === 1);
    onChange({ keywordColumns: isPlain ? undefined : next });
  };
  return (
    <fieldset>
      <legend>Columns to search</legend>
      {names.map((name) => {
        const weight = weightOf(name);
        return (
          <div key={name} className={styles.weightLine}>
            <Checkbox
              label={name}
              checked={weight > 0}
              onCheckedChange={(isChecked) => change(name, isChecked ? 1 : 0)}
            />
            <NumberInput
              label={`Weight of ${name}`}
              value={weight === 0 ? undefined : weight}
              min={1}
              step={1}
              disabled={weight === 0}
              onChange={(next) => next !== undefined && change(name, Math.max(1, Math.round(next)))}
            />
          </div>
        );
      })}
    </fieldset>
  );
}
