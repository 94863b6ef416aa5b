import { Checkbox } from '../../controls/fields/checkbox.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { settingsFor } from './comparison.ts';
import { NumberInput } from './number-input.tsx';
import styles from './search-lab.module.css';
import type { SettingsProps } from './settings-props.ts';

/** The vectors that the search uses and, for several vectors, how their distances are combined. */
export function TargetFields({ column, support, onChange }: SettingsProps) {
  const names = support.targetVectors;
  const joins = support.options?.joins ?? [];
  if (names.length < 2) return null;
  const single = names.find((name) => name === column.targetVector) ?? names[0] ?? '';
  const chosen = settingsFor(column, support).targets?.vectors ?? [{ name: single, weight: 1 }];
  const join = joins.find(({ name }) => name === column.targets?.join) ?? joins[0];
  const weightOf = (name: string) => chosen.find((one) => one.name === name)?.weight ?? 1;
  const choose = (vectors: { name: string; weight?: number }[], joinName = join?.name) => {
    const [first] = vectors;
    if (!first) return;
    if (vectors.length === 1 || joinName === undefined)
      onChange({ targetVector: first.name, targets: undefined });
    else onChange({ targetVector: first.name, targets: { join: joinName, vectors } });
  };
  const set = (name: string, isChosen: boolean, weight = weightOf(name)) => {
    // A database that cannot combine distances compares with one vector: the one chosen last.
    const kept = join ? chosen : [];
    choose(
      names.flatMap((one) => {
        if (one === name) return isChosen ? [{ name, weight }] : [];
        return kept.some((other) => other.name === one) ? [{ name: one, weight: weightOf(one) }] : [];
      }),
    );
  };
  return (
    <fieldset>
      <legend>Vectors to compare with</legend>
      {names.map((name) => {
        const isChosen = chosen.some((one) => one.name === name);
        return (
          <div key={name} className={styles.weightLine}>
            <Checkbox label={name} checked={isChosen} onCheckedChange={(next) => set(name, next)} />
            {join?.weighted && chosen.length > 1 && (
              <NumberInput
                label={`Weight of ${name}`}
                value={isChosen ? weightOf(name) : undefined}
                min={0}
                step={0.1}
                disabled={!isChosen}
                onChange={(weight) => weight !== undefined && set(name, true, weight)}
              />
            )}
          </div>
        );
      })}
      {chosen.length > 1 && join && (
        <Select
          size="small"
          aria-label="How distances are combined"
          value={join.name}
          options={joins.map(({ name, label }) => ({ value: name, label }))}
          onValueChange={(next) => choose(chosen, next)}
        />
      )}
    </fieldset>
  );
}
