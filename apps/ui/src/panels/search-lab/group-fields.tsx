import { Select } from '../../controls/fields/select.tsx';
import { settingsFor } from './comparison.ts';
import { NumberInput } from './number-input.tsx';
import styles from './search-lab.module.css';
import type { SettingsProps } from './settings-props.ts';

/** Grouping and reranking. If one is refused, its `Select` is disabled and the reason is below it. */
export function GroupFields({ column, support, onChange }: SettingsProps) {
  const { groupBy, rerank } = support.options ?? {};
  const choices = (names: string[]) => [
    { value: '', label: 'None' },
    ...names.map((name) => ({ value: name, label: name })),
  ];
  // A saved comparison may name columns that no longer exist. `settingsFor` leaves them out.
  const { groupBy: group, rerank: reranked } = settingsFor(column, support);
  const rerankRefusal = rerank?.refusal ?? (group && 'Groups cannot be reranked');
  return (
    <>
      {groupBy && (
        <fieldset>
          <legend>Group by</legend>
          <Select
            size="small"
            aria-label="Group by"
            value={group?.column ?? ''}
            disabled={groupBy.refusal !== undefined}
            options={choices(groupBy.columns)}
            onValueChange={(name) =>
              onChange({
                groupBy: name === '' ? undefined : { groups: 4, rowsPerGroup: 2, ...group, column: name },
              })
            }
          />
          {group && (
            <>
              <div className={styles.weightLine}>
                <span>Groups</span>
                <NumberInput
                  label="Number of groups"
                  value={group.groups}
                  min={1}
                  step={1}
                  onChange={(groups) =>
                    groups && onChange({ groupBy: { ...group, groups: Math.round(groups) } })
                  }
                />
              </div>
              <div className={styles.weightLine}>
                <span>Rows of each</span>
                <NumberInput
                  label="Rows of each group"
                  value={group.rowsPerGroup}
                  min={1}
                  step={1}
                  onChange={(rows) =>
                    rows && onChange({ groupBy: { ...group, rowsPerGroup: Math.round(rows) } })
                  }
                />
              </div>
            </>
          )}
          {groupBy.refusal && <p className={styles.refusal}>{groupBy.refusal}.</p>}
        </fieldset>
      )}
      {rerank && (
        <fieldset>
          <legend>Rerank by</legend>
          <Select
            size="small"
            aria-label="Rerank by"
            value={reranked?.column ?? ''}
            disabled={rerankRefusal !== undefined}
            options={choices(rerank.columns)}
            onValueChange={(name) => onChange({ rerank: name === '' ? undefined : { column: name } })}
          />
          {rerankRefusal && <p className={styles.refusal}>{rerankRefusal}.</p>}
        </fieldset>
      )}
    </>
  );
}
