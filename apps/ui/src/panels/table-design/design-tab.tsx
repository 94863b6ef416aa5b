import type { Design, DesignPlan } from '@trestle/driver-kit';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { TextField } from '../../controls/fields/text-field.tsx';
import { Spinner } from '../../controls/loading/spinner.tsx';
import { counted } from '../../controls/text/counted.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import type { TabContentProps } from '../../data/window/tab-kind.ts';
import { workspace } from '../../data/window/workspace-store.ts';
import { problemsAt, withField } from './design-edits.ts';
import { FieldList } from './field-list.tsx';
import { FilePreview } from './file-preview.tsx';
import { ItemCards } from './item-cards.tsx';
import { ItemGrid } from './item-grid.tsx';
import type { DesignTab } from './open-design.ts';
import { RequestPane } from './request-pane.tsx';
import { type Started, StartFrom } from './start-from.tsx';
import styles from './table-design.module.css';
import { useCreate } from './use-create.ts';
import { useDesignForm, usePlan } from './use-plan.ts';

/** The form for a new table. The driver says which fields there are. */
export default function DesignTabContent(props: TabContentProps<DesignTab>) {
  const { connection, manifest, tab } = props;
  const { id: connectionId } = connection;
  const { design } = tab;
  const form = useDesignForm(connectionId);
  const { plan, error, isCurrent } = usePlan(connectionId, design);
  const [started, setStarted] = useState<Started | null>(null);
  const [isShowing, setShowing] = useState(false);
  const create = useCreate(connection, tab);
  const [singular] = manifest.terms.table;
  const change = (next: Design) => workspace.changeTab<DesignTab>(connectionId, tab.id, { design: next });
  const start = (from: Started) => {
    setStarted(from);
    const { file } = from;
    workspace.changeTab<DesignTab>(connectionId, tab.id, {
      design: from.design,
      file: file && { id: file.id, name: file.name },
    });
  };
  if (!form.data)
    return form.error ? (
      <ErrorNote error={form.error}>
        <Button size="small" onClick={() => form.refetch()}>
          Try again
        </Button>
      </ErrorNote>
    ) : (
      <p className={styles.loading}>
        <Spinner label="Reading" />
      </p>
    );
  const { groups, parts } = form.data;
  const [first, ...others] = parts;
  // An empty form shows no problem before the user has typed.
  const isUntouched = design.name === '' && Object.keys(design.parts).length === 0;
  const problems = isUntouched ? [] : (plan?.problems ?? []);
  const nameProblem = problemsAt(problems).find(({ field }) => field === 'name')?.problem;
  const refusal = refusalOf(connection.safeMode, plan, isCurrent, design.name);
  const send = () => {
    if (refusal === undefined && plan) create.ask(plan);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key that works in all fields of the form
    <div
      className={styles.tab}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.columns}>
        <div className={styles.form}>
          <h2 className={styles.title}>New {singular}</h2>
          <StartFrom connectionId={connectionId} terms={manifest.terms.table} onStart={start} />
          <div className={styles.name}>
            <TextField
              label="Name"
              required
              value={design.name}
              {...(nameProblem !== undefined && { error: nameProblem })}
              onValueChange={(name) => change({ ...design, name })}
            />
          </div>
          {tab.file && <FilePreview name={tab.file.name} {...{ singular, started }} />}
          {first && (
            <section className={styles.section} aria-label={capital(first.terms[1])}>
              <h3>{capital(first.terms[1])}</h3>
              <ItemGrid {...{ connectionId, design, problems }} part={first} onChange={change} />
            </section>
          )}
          {others.map((part) => (
            <section key={part.id} className={styles.section} aria-label={capital(part.terms[1])}>
              <h3>{capital(part.terms[1])}</h3>
              <ItemCards {...{ connectionId, design, problems, part }} onChange={change} />
            </section>
          ))}
          {groups.map(({ title, fields }) => (
            <section key={title} className={styles.section} aria-label={title}>
              <h3>{title}</h3>
              <FieldList
                {...{ connectionId, design, fields }}
                values={{ ...defaultsOf(groups), ...design.fields }}
                problems={problemsAt(problems).filter(({ field }) => fields.some(({ id }) => id === field))}
                onChange={(field, value) => change(withField(design, field.id, value))}
              />
            </section>
          ))}
        </div>
        <aside className={styles.side} aria-label="What will be sent">
          <RequestPane plan={plan} isStale={!isCurrent} />
        </aside>
      </div>
      {error !== null && <ErrorNote error={error} />}
      {create.error !== null && <ErrorNote error={create.error} title={`The ${singular} was not created`} />}
      {problemsAt(problems)
        .filter(({ field }) => field === undefined)
        .map(({ problem }) => (
          <Note key={problem} level="error">
            {problem}
          </Note>
        ))}
      <footer className={styles.foot}>
        <span className={styles.state} role="status">
          {create.words ?? (problems.length > 0 ? counted(problems.length, 'problem') : (refusal ?? ''))}
        </span>
        <span className={styles.narrow}>
          <Button onClick={() => setShowing(true)}>What will be sent…</Button>
        </span>
        {create.isRunning && <Button onClick={create.cancel}>Cancel</Button>}
        <Button
          variant="primary"
          disabled={refusal !== undefined || create.isRunning}
          focusableWhenDisabled
          title={refusal}
          onClick={send}
        >
          {tab.file ? `Create and import` : `Create ${singular}`}
        </Button>
      </footer>
      <Dialog open={isShowing} title="What will be sent" width="large" onClose={() => setShowing(false)}>
        <RequestPane plan={plan} isStale={!isCurrent} />
      </Dialog>
      <Dialog
        open={create.asked !== null}
        width="medium"
        title={`Create ${design.name}?`}
        connection={connection}
        description="The Safe Mode of this connection confirms each write."
        onClose={create.refuse}
        footer={
          <>
            <Button onClick={create.refuse}>Cancel</Button>
            <Button variant="primary" onClick={create.confirm}>
              Create {design.name}
            </Button>
          </>
        }
      >
        <RequestPane plan={create.asked ?? undefined} isStale={false} />
      </Dialog>
    </div>
  );
}

function refusalOf(
  safeMode: string,
  plan: DesignPlan | undefined,
  isCurrent: boolean,
  name: string,
): string | undefined {
  if (safeMode === 'readOnly') return 'The Safe Mode of this connection is read only.';
  if (name === '') return 'Give it a name.';
  if (!plan || !isCurrent) return 'The statement is being made.';
  return plan.problems[0]?.problem;
}

function defaultsOf(groups: { fields: { id: string; default: Design['fields'][string] }[] }[]) {
  return Object.fromEntries(groups.flatMap(({ fields }) => fields.map((field) => [field.id, field.default])));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
