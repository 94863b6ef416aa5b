import { Field } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { useSettings } from '../../data/queries/queries.ts';
import { EndWindows } from './end-windows.tsx';
import { NumberSettingField } from './number-setting.tsx';
import { statementTimeout } from './number-settings.ts';
import { Quit } from './quit.tsx';
import styles from './settings.module.css';
import { useChangeSettings } from './use-change-settings.ts';

const themes = [
  { value: 'system' as const, label: 'As the system' },
  { value: 'light' as const, label: 'Light' },
  { value: 'dark' as const, label: 'Dark' },
];
const densities = [
  { value: 'compact' as const, label: 'Compact' },
  { value: 'normal' as const, label: 'Normal' },
  { value: 'comfortable' as const, label: 'Comfortable' },
];
const pageSizes = ([100, 200, 500, 1000] as const).map((value) => ({
  value,
  label: `${value.toLocaleString('en')} rows`,
}));

export function GeneralPage() {
  const settings = useSettings();
  const change = useChangeSettings();
  if (!settings.data) return settings.error ? <ErrorNote error={settings.error} /> : null;
  const pageSize = pageSizes.find(({ value }) => value === settings.data.pageSize)?.value ?? 200;
  return (
    <section className={styles.page} aria-label="General">
      <h2>General</h2>
      <div className={styles.narrow}>
        <Field label="Theme">
          <Select
            value={settings.data.theme}
            options={themes}
            onValueChange={(theme) => change.mutate({ theme })}
          />
        </Field>
      </div>
      <div className={styles.narrow}>
        <Field label="Density" help="The height of rows in grids and lists.">
          <Select
            value={settings.data.density}
            options={densities}
            onValueChange={(density) => change.mutate({ density })}
          />
        </Field>
      </div>
      <div className={styles.narrow}>
        <Field label="Rows on a page" help="For tables that are opened from now on.">
          <Select
            value={pageSize}
            options={pageSizes}
            onValueChange={(value) => change.mutate({ pageSize: value })}
          />
        </Field>
      </div>
      <div className={styles.narrow}>
        <NumberSettingField setting={statementTimeout} settings={settings.data} change={change} />
      </div>
      <EndWindows />
      <Quit />
      {change.error && <ErrorNote error={change.error} />}
    </section>
  );
}
