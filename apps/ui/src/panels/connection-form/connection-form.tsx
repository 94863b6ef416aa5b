import { Fieldset } from '@base-ui/react/fieldset';
import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import type { Manifest } from '@trestle/driver-kit';
import { useId, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { connectionColor, connectionColors } from '../../controls/connection-sign/connection-color.ts';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import fieldStyles from '../../controls/fields/field.module.css';
import { TextField } from '../../controls/fields/text-field.tsx';
import type { Connection } from '../../data/api/api-types.ts';
import { connect } from '../../data/connections/connect.ts';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { dialogs } from '../../data/window/open-dialog.ts';
import { workspace } from '../../data/window/workspace-store.ts';
import { AdvancedSection } from './advanced-section.tsx';
import styles from './connection-form.module.css';
import { DeleteConnection } from './delete-connection.tsx';
import { FieldRows } from './field-rows.tsx';
import { toDraft, visibleFields } from './form-values.ts';
import { SuggestionNote } from './suggestion-note.tsx';
import { TestOutcome } from './test-outcome.tsx';
import { useConnectionForm } from './use-connection-form.ts';
import { useConnectionTest } from './use-connection-test.ts';

const invalidControl = 'input[data-invalid], button[data-invalid]';

export function ConnectionForm(props: {
  manifest: Manifest;
  connection?: Connection;
  copied?: Connection;
  takenNames: string[];
}) {
  const { connection } = props;
  // An update of the driver may change its fields. The values of this form belong to the old fields.
  const [manifest] = useState(props.manifest);
  const form = useConnectionForm({ ...props, manifest });
  const { test, run, reset } = useConnectionTest(toDraft(manifest, form.values));
  const [asking, setAsking] = useState<'discard' | 'delete' | null>(null);
  const formId = useId();
  const body = useRef<HTMLFormElement>(null);
  const fields = visibleFields(manifest, form.values);

  const close = () => {
    // A save that runs cannot be taken back.
    if (form.saving) return;
    if (form.changed) setAsking('discard');
    else dialogs.closeForm();
  };
  const showFirstProblem = () =>
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(invalidControl)?.focus());
  const showFirstEmpty = () => {
    const inputs = [...(body.current?.querySelectorAll('input') ?? [])];
    // Leaves out the hidden input of a select, which cannot take the focus, and the connection's short word, which is
    // optional.
    const texts = inputs.filter(
      ({ type, tabIndex, name }) => tabIndex >= 0 && /^(text|password)$/.test(type) && name !== 'word',
    );
    (texts.find(({ value }) => value === '') ?? texts[0])?.focus();
  };
  const save = async (open: boolean) => {
    const saved = await form.save();
    if (!saved) return showFirstProblem();
    dialogs.closeForm();
    if (!open) return;
    workspace.showConnection(saved.id);
    // The save may have closed the session. The workspace opens a session only when it shows a connection for the first
    // time. So a connection that is already visible would stay closed.
    connect(saved.id);
  };
  const startTest = () => {
    const draft = form.check();
    if (draft) void run({ id: connection?.id, draft });
    else showFirstProblem();
  };

  return (
    <Dialog
      open
      title={connection ? 'Edit connection' : 'New connection'}
      description={manifest.name}
      onClose={close}
      outcome={
        <>
          <TestOutcome test={test} />
          {form.error !== null && <ErrorNote error={form.error} />}
        </>
      }
      footer={
        <>
          <div className={styles.footerStart}>
            {connection && (
              <>
                <Button variant="danger" onClick={() => setAsking('delete')}>
                  Delete…
                </Button>
                <Button
                  onClick={() => dialogs.duplicateConnection(connection)}
                  disabled={form.changed || form.saving}
                >
                  Duplicate
                </Button>
              </>
            )}
          </div>
          {test.state === 'running' ? (
            <Button onClick={reset}>Cancel test</Button>
          ) : (
            <Button onClick={startTest}>Test connection</Button>
          )}
          <Button disabled={form.saving} focusableWhenDisabled onClick={() => save(false)}>
            Save
          </Button>
          <Button variant="primary" type="submit" form={formId} disabled={form.saving} focusableWhenDisabled>
            Save & open
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={body}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save(true);
        }}
      >
        {props.copied && props.copied.storedSecrets.length > 0 && (
          <Note level="info">Stored secrets are not copied. Enter them again for this connection.</Note>
        )}
        <div className={styles.identity}>
          <TextField
            label="Name"
            required
            value={form.values.name}
            error={form.problems.name}
            onValueChange={(name) => form.set({ name })}
          />
          <TextField
            label="Word"
            name="word"
            placeholder="PROD"
            title="Shown beside the name, and in each dialog that can lose data"
            maxLength={10}
            value={form.values.word}
            error={form.problems.word}
            onValueChange={(word) => form.set({ word })}
          />
          <ColorPicker value={form.values.color} onChange={(color) => form.set({ color })} />
        </div>
        <FieldRows form={form} fields={fields.filter((field) => !field.advanced)} />
        <SuggestionNote manifest={manifest} form={form} onTaken={showFirstEmpty} />
        <AdvancedSection form={form} manifest={manifest} fields={fields.filter((field) => field.advanced)} />
      </form>
      <AlertDialog
        open={asking === 'discard'}
        title="Discard the changes to this connection?"
        connection={connection}
        confirm="Discard changes"
        cancel="Keep editing"
        danger
        onConfirm={dialogs.closeForm}
        onCancel={() => setAsking(null)}
      >
        Your changes have not been saved.
      </AlertDialog>
      <DeleteConnection
        connection={asking === 'delete' && connection ? connection : null}
        onDone={(deleted) => (deleted ? dialogs.closeForm() : setAsking(null))}
      />
    </Dialog>
  );
}

function ColorPicker(props: { value: string | null; onChange(color: string | null): void }) {
  return (
    <Fieldset.Root
      className={styles.headers}
      render={
        <RadioGroup value={props.value ?? ''} onValueChange={(value) => props.onChange(value || null)} />
      }
    >
      <Fieldset.Legend className={fieldStyles.label}>Colour</Fieldset.Legend>
      <div className={styles.colors}>
        {['', ...connectionColors].map((color) => (
          <Radio.Root
            key={color}
            value={color}
            aria-label={color || 'no colour'}
            title={color || 'no colour'}
            className={styles.color}
            style={{ '--connection': connectionColor(color || null) }}
          />
        ))}
      </div>
    </Fieldset.Root>
  );
}
