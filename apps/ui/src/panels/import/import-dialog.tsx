import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { counted } from '../../controls/text/counted.ts';
import { api } from '../../data/api/api.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { useConnection } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { useDescription } from '../../data/queries/table-queries.ts';
import { dialogs, type ImportTarget, useDialogs } from '../../data/window/open-dialog.ts';
import { ChooseFile } from './choose-file.tsx';
import styles from './import.module.css';
import { ImportProgress, ImportResult } from './import-outcome.tsx';
import { sizeWords } from './import-words.ts';
import { type MapChoice, MapStep } from './map-step.tsx';
import { useImport } from './use-import.ts';

/** Imports the rows of a file into a table. */
export default function ImportDialog() {
  const target = useDialogs((state) => state.importInto);
  return (
    target && <Importing key={`${target.jobId} ${target.connectionId} ${target.table}`} target={target} />
  );
}

function Importing({ target }: { target: ImportTarget }) {
  const { connectionId, table } = target;
  const connection = useConnection(connectionId);
  const importing = useImport(target);
  const { step, file, plan, error } = importing;
  const description = useDescription(connectionId, table);
  const partitions = useQuery({
    queryKey: queryKeys.rows(connectionId, table, 'partitions'),
    queryFn: ({ signal }) => api.tables.partitions.query({ connectionId, table }, { signal }),
    enabled: description.data?.partitioned === true,
  });
  const [choice, setChoice] = useState<MapChoice>({ existing: 'skip', partition: target.partition });
  const isRunning = step.kind === 'running';
  const content = useRef<HTMLDivElement>(null);
  // A new step may have removed the button that was pressed, and the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs at each new step or file
  useEffect(() => {
    if (document.activeElement === document.body) content.current?.focus();
  }, [step.kind, file?.id]);
  const lacksTenant = description.data?.partitioned === true && choice.partition === undefined;
  const canRun = plan !== null && !plan.refusal && plan.fit > 0 && !lacksTenant;
  const { partition, existing } = choice;
  const begin = () => void importing.run({ existing, ...(partition !== undefined && { partition }) });
  return (
    <Dialog
      open
      width={step.kind === 'map' || step.kind === 'done' ? 'large' : 'medium'}
      title={`Import into ${table}`}
      connection={connection}
      {...(isRunning && {
        description: 'The import continues when you close this dialog. Jobs shows its progress.',
      })}
      onClose={dialogs.closeImport}
      outcome={(error ?? description.error) && <ErrorNote error={error ?? description.error} />}
      footer={
        <>
          {(step.kind === 'map' || step.kind === 'done') && (
            <Button variant="quiet" className={styles.another} onClick={importing.startOver}>
              Another file…
            </Button>
          )}
          <span className={styles.gap} />
          {isRunning && (
            <Button variant="quiet" onClick={() => dialogs.showJobs(true)}>
              Jobs
            </Button>
          )}
          {(step.kind === 'reading' || isRunning) && (
            <Button
              disabled={isRunning && step.job?.isCancelling}
              focusableWhenDisabled
              onClick={importing.cancel}
            >
              {isRunning ? 'Cancel import' : 'Cancel'}
            </Button>
          )}
          {(step.kind === 'choose' || step.kind === 'map') && (
            <Button onClick={dialogs.closeImport}>Cancel</Button>
          )}
          {step.kind === 'map' && (
            <Button variant="primary" disabled={!canRun} focusableWhenDisabled onClick={begin}>
              {plan && plan.fit > 0 ? `Import ${counted(plan.fit, 'row')}` : 'Import'}
            </Button>
          )}
          {(step.kind === 'done' || isRunning) && (
            <Button variant="primary" onClick={dialogs.closeImport}>
              Close
            </Button>
          )}
        </>
      }
    >
      <div ref={content} tabIndex={-1} className={styles.content}>
        {step.kind === 'choose' && <ChooseFile onChoose={(chosen) => void importing.choose(chosen)} />}
        {step.kind === 'reading' && (
          <p role="status">
            Reading {step.name}, {sizeWords(step.bytes)} …
          </p>
        )}
        {step.kind === 'map' && description.data && (
          <MapStep
            importing={importing}
            description={description.data}
            partitions={partitions.data}
            choice={choice}
            onChoice={setChoice}
          />
        )}
        {isRunning && <ImportProgress step={step} />}
        {step.kind === 'done' && <ImportResult {...{ importing, step }} />}
      </div>
    </Dialog>
  );
}
