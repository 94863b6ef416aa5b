import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Field } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { api } from '../../data/api/api.ts';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { useSettings } from '../../data/queries/queries.ts';
import { densities, themes } from '../../data/settings/looks.ts';
import { dialogs } from '../../data/window/open-dialog.ts';
import { NumberSettingField } from './number-setting.tsx';
import { statementTimeout } from './number-settings.ts';
import styles from './settings.module.css';
import { useChangeSettings } from './use-change-settings.ts';

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

/** Ends the access of all windows, in case another person has a link or a page is open on another screen. */
function EndWindows() {
  const [asks, setAsks] = useState(false);
  return (
    <div className={styles.windows}>
      <p>
        A browser that was opened by a link keeps its access until Trestle stops. You can end all windows now,
        this one included.
      </p>
      <Button onClick={() => setAsks(true)}>End all windows…</Button>
      <AlertDialog
        open={asks}
        title="End all windows?"
        confirm="End all windows"
        danger
        onConfirm={async () => {
          await api.app.endWindows.mutate();
          setAsks(false);
        }}
        onCancel={() => setAsks(false)}
      >
        Every open page loses its access, this one included, but keeps its unsaved changes. Each page then
        says how to get access again. AI clients are not affected.
      </AlertDialog>
    </div>
  );
}

function Quit() {
  return (
    <div className={styles.windows}>
      <p>If the MCP server is on, Trestle keeps running for AI clients after you close its window.</p>
      <Button onClick={() => dialogs.askToQuit(true)}>Quit Trestle…</Button>
    </div>
  );
}
