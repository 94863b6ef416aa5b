import {
  Ban,
  ChartScatter,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  Copy,
  Download,
  Hammer,
  ListChecks,
  Package,
  SquareTerminal,
  Upload,
  Waypoints,
  X,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { ProgressBar } from '../../controls/loading/progress-bar.tsx';
import { Spinner } from '../../controls/loading/spinner.tsx';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { sentences } from '../../controls/text/sentences.ts';
import { timeAgo } from '../../controls/text/time-ago.ts';
import { ApiError, api } from '../../data/api/api.ts';
import { download } from '../../data/api/download.ts';
import { type Job, useJobs } from '../../data/jobs/use-jobs.ts';
import { CopyDetails } from '../../data/messages/copy-details.tsx';
import { showError } from '../../data/messages/toast.tsx';
import { useConnection } from '../../data/queries/queries.ts';
import { dialogs, useDialogs } from '../../data/window/open-dialog.ts';
import { openTable } from '../../table-tab/index.ts';
import { failedFile } from '../import/import-api.ts';
import styles from './jobs.module.css';

type Icon = ComponentType<{ size: number; 'aria-hidden': true; className?: string }>;

/** The icon of each kind of job, and the place that shows more of it. */
const kinds: Record<Job['kind'], { icon: Icon; show?(job: Job): void }> = {
  act: { icon: Hammer },
  copy: { icon: Copy, show: ({ id }) => dialogs.showCopy(id) },
  export: { icon: Download },
  install: { icon: Package, show: () => dialogs.showSettings('plugins') },
  command: { icon: SquareTerminal },
  map: { icon: ChartScatter },
  neighbours: { icon: Waypoints },
  judging: { icon: ListChecks },
  import: {
    icon: Upload,
    show: ({ id, connectionId = '', table = '' }) => dialogs.importInto({ connectionId, table, jobId: id }),
  },
};

const endIcons: Record<NonNullable<Job['outcome']>['how'], Icon> = {
  complete: CircleCheck,
  cancelled: Ban,
  failed: CircleAlert,
  unknown: CircleHelp,
};

/** All jobs: what runs, and what ended and was not dismissed. */
export default function JobsDialog() {
  const isOpen = useDialogs((state) => state.jobs);
  const jobs = useJobs().data ?? [];
  return (
    <Dialog
      open={isOpen}
      width="medium"
      title="Jobs"
      description="What runs in Trestle now, and what has ended. Only maps, comparisons of rows and judged searches end with their window."
      onClose={() => dialogs.showJobs(false)}
      footer={
        <>
          {jobs.some(({ outcome }) => outcome) && (
            <Button variant="quiet" onClick={() => forget()}>
              Dismiss all that ended
            </Button>
          )}
          <Button onClick={() => dialogs.showJobs(false)}>Close</Button>
        </>
      }
    >
      {jobs.length === 0 ? (
        <EmptyState title="Nothing is running">
          Copies, imports, exports and other work that takes long appears here, with its progress and its
          outcome.
        </EmptyState>
      ) : (
        <ul className={styles.jobs} aria-label="Jobs">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function JobRow({ job }: { job: Job }) {
  const { id, kind, title, connectionId, table, outcome, isCancelling, progress } = job;
  const connection = useConnection(connectionId ?? null);
  const { icon: Icon, show } = kinds[kind];
  const open =
    connection && table !== undefined && outcome?.how !== 'failed'
      ? () => {
          dialogs.showJobs(false);
          openTable(connection.id, table);
        }
      : undefined;
  return (
    <li className={styles.job}>
      <Icon size={15} aria-hidden className={styles.kind} />
      <div className={styles.told}>
        <p className={styles.title}>
          {title}
          {connection && <span className={styles.place}> · {connection.name}</span>}
        </p>
        {outcome ? (
          <JobEnd job={job} outcome={outcome} />
        ) : progress.words === '' && progress.total === null ? (
          <Spinner label={title} />
        ) : (
          <ProgressBar
            label={title}
            total={progress.total}
            done={progress.done}
            words={progress.words}
            figures={progress.words}
          />
        )}
      </div>
      <div className={styles.acts}>
        {show && (
          <Button
            size="small"
            variant="quiet"
            onClick={() => {
              dialogs.showJobs(false);
              show(job);
            }}
          >
            {outcome?.canContinue ? 'Continue…' : 'Show'}
          </Button>
        )}
        {outcome?.failedRows !== undefined && (
          <Button size="small" variant="quiet" onClick={() => void saveFailedRows(id)}>
            Save failed rows…
          </Button>
        )}
        {open && (
          <Button size="small" variant="quiet" onClick={open}>
            Open {table}
          </Button>
        )}
        {outcome ? (
          <IconButton size="small" label={`Dismiss: ${title}`} onClick={() => forget(id)}>
            <X size={13} aria-hidden />
          </IconButton>
        ) : (
          <Button
            size="small"
            disabled={isCancelling}
            focusableWhenDisabled
            onClick={() =>
              void api.jobs.cancel
                .mutate({ id })
                .catch((error: unknown) => showError('The job was not cancelled', error))
            }
          >
            {isCancelling ? 'Cancelling…' : 'Cancel'}
          </Button>
        )}
      </div>
    </li>
  );
}

function JobEnd({ job, outcome }: { job: Job; outcome: NonNullable<Job['outcome']> }) {
  const { how, words, error } = outcome;
  const Icon = endIcons[how];
  const figures = job.progress.words;
  const reason = error && error.message !== words ? sentences(error.message, error.hint) : error?.hint;
  return (
    <>
      <p className={styles.end}>
        <Icon size={13} aria-hidden className={styles[how]} />
        <span className={styles[how]}>{words}.</span>
        {job.endedAt && <span className={styles.time}>{timeAgo(job.endedAt, new Date())}</span>}
      </p>
      {figures && <p className={styles.figures}>{figures}</p>}
      {reason && (
        <p className={styles.reason}>
          {reason} {error && <CopyDetails error={new ApiError(error)} />}
        </p>
      )}
    </>
  );
}

async function saveFailedRows(id: string): Promise<void> {
  try {
    const job = await api.jobs.get.query({ id });
    if (job.kind === 'import') download(await failedFile(job.detail.file.id));
  } catch (error) {
    showError('The failed rows were not saved', error);
  }
}

function forget(id?: string): void {
  api.jobs.forget
    .mutate(id === undefined ? {} : { id })
    .catch((error: unknown) => showError('The job was not dismissed', error));
}
