import { Popover } from '@base-ui/react/popover';
import { SlidersHorizontal } from 'lucide-react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { Switch } from '../../controls/fields/switch.tsx';
import popup from '../../controls/popups/popup.module.css';
import { usePopupPlace } from '../../controls/popups/popup-place.tsx';
import { settingsFor } from './comparison.ts';
import { CutFields } from './cut-fields.tsx';
import { GroupFields } from './group-fields.tsx';
import styles from './search-lab.module.css';
import type { SettingsProps } from './settings-props.ts';
import { TargetFields } from './target-fields.tsx';
import { WeightFields } from './weight-fields.tsx';

/**
 * Whether the filters apply to the column, and the search settings that the database offers for the column's mode.
 * `support` lists those settings.
 */
export function ColumnSettings(props: SettingsProps & { name: string; filterCount: number }) {
  const { column, support, onChange } = props;
  const place = usePopupPlace();
  const { options = {} } = support;
  const settings = settingsFor(column, support);
  const isWorded = column.mode === 'keyword' || column.mode === 'hybrid';
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <IconButton size="small" label={`Settings of ${props.name}`}>
            <SlidersHorizontal size={14} aria-hidden />
          </IconButton>
        }
      />
      <Popover.Portal container={place}>
        <Popover.Positioner className={popup.positioner} sideOffset={4} align="end">
          <Popover.Popup className={popup.popup} aria-label={`Settings of ${props.name}`}>
            <div className={styles.settings}>
              <Switch
                label={
                  props.filterCount > 0 ? `Within the filters (${props.filterCount})` : 'Within the filters'
                }
                checked={column.filtered}
                onCheckedChange={(filtered) => onChange({ filtered })}
              />
              {column.mode === 'hybrid' && options.fusions && (
                <fieldset>
                  <legend>Fusion method</legend>
                  <Select
                    size="small"
                    aria-label="Fusion"
                    value={settings.fusion ?? options.fusions[0]?.name ?? ''}
                    options={options.fusions.map(({ name, label }) => ({ value: name, label }))}
                    onValueChange={(fusion) => onChange({ fusion })}
                  />
                </fieldset>
              )}
              {isWorded && <WeightFields {...{ column, support, onChange }} />}
              {isWorded && options.allWords && (
                <Switch
                  label="Rows must contain every word"
                  checked={column.allWords ?? false}
                  onCheckedChange={(allWords) => onChange({ allWords: allWords || undefined })}
                />
              )}
              {column.mode !== 'keyword' && <TargetFields {...{ column, support, onChange }} />}
              <CutFields {...{ column, support, onChange }} />
              <GroupFields {...{ column, support, onChange }} />
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
