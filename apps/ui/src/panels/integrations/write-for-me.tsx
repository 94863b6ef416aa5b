import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { TextField } from '../../controls/fields/text-field.tsx';
import { isTyping } from '../../controls/keys/is-typing.ts';
import { api } from '../../data/api/api.ts';
import type { ConnectGuide, ConnectPlan } from '../../data/api/api-types.ts';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { queryClient } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import styles from './connect.module.css';
import shared from './integrations.module.css';

/** Adds the bridge to the client's configuration file. Shows the change first, and can undo it. */
export function WriteForMe({ guide }: { guide: ConnectGuide }) {
  const [folder, setFolder] = useState('');
  const [shown, setShown] = useState(false);
  const needsFolder = guide.configFile?.startsWith('<project>') ?? false;
  const target = { client: guide.id, workspace: needsFolder ? folder.trim() : null };
  const plan = useQuery({
    queryKey: [...queryKeys.connectGuides, 'plan', target],
    queryFn: ({ signal }) => api.clientSetup.config.plan.query(target, { signal }),
    enabled: !needsFolder || folder.trim() !== '',
    // The client, or the user, may change the file at any time.
    staleTime: 0,
    gcTime: 0,
  });
  const section = useRef<HTMLElement>(null);
  const again = () => {
    // After a success the pressed button is gone, and the focus with it. If the user is typing in
    // a field, the focus stays there.
    if (!isTyping()) section.current?.focus();
    return queryClient.invalidateQueries({ queryKey: [...queryKeys.connectGuides, 'plan'] });
  };
  const write = useMutation({
    mutationFn: () =>
      api.clientSetup.config.write.mutate({ ...target, replace: plan.data?.state === 'conflict' }),
    onMutate: () => {
      undo.reset();
    },
    onSettled: again,
    onSuccess: () => setShown(false),
  });
  const undo = useMutation({
    mutationFn: () => api.clientSetup.config.undo.mutate(target),
    onMutate: () => {
      write.reset();
    },
    onSettled: again,
  });
  const cancel = () => {
    setShown(false);
    section.current?.focus();
  };
  const error = write.error ?? undo.error ?? plan.error;
  return (
    <section
      ref={section}
      tabIndex={-1}
      className={styles.write}
      aria-label={`Write it for me: ${guide.label}`}
    >
      {needsFolder && (
        <TextField
          label="Project folder"
          help="This client keeps its configuration file in each project."
          placeholder="/home/me/project"
          value={folder}
          onValueChange={(next) => {
            setFolder(next);
            // The shown lines belong to the previous folder. If they stayed, the button that writes them would take the
            // focus from this field when the next plan arrives.
            setShown(false);
            write.reset();
            undo.reset();
          }}
        />
      )}
      {plan.data && (
        <>
          <PlanLine plan={plan.data} />
          {shown && plan.data.state !== 'present' && <Lines plan={plan.data} />}
          <div className={shared.buttons}>
            {plan.data.state !== 'present' && !shown && (
              <Button variant="primary" onClick={() => setShown(true)}>
                Write it for me…
              </Button>
            )}
            {plan.data.state !== 'present' && shown && (
              <>
                <Button variant="primary" autoFocus disabled={write.isPending} onClick={() => write.mutate()}>
                  {writeLabel(plan.data)}
                </Button>
                <Button onClick={cancel}>Cancel</Button>
              </>
            )}
            {plan.data.isUndoable && (
              <Button
                icon={<Undo2 size={14} aria-hidden />}
                disabled={undo.isPending}
                onClick={() => undo.mutate()}
              >
                Undo
              </Button>
            )}
          </div>
        </>
      )}
      {undo.data && !plan.data?.isUndoable && <Note level="info">{undoWords[undo.data.outcome]}</Note>}
      {error && <ErrorNote error={error} />}
    </section>
  );
}

function writeLabel({ state, hasEntry }: ConnectPlan): string {
  if (state !== 'conflict') return 'Write this';
  return hasEntry ? 'Replace the entry' : 'Replace the file';
}

function PlanLine({ plan }: { plan: ConnectPlan }) {
  if (plan.state === 'present') {
    return (
      <p className={styles.present}>
        <CircleCheck size={15} aria-hidden />
        <span>
          Trestle is in <code>{plan.path}</code>. {plan.afterwards}
        </span>
      </p>
    );
  }
  const words = {
    missing: plan.isNew
      ? 'Creates the file:'
      : 'Adds Trestle to the file and does not change the rest (you can undo this):',
    conflict: plan.hasEntry
      ? 'The file has another entry named “trestle”, which Trestle replaces:'
      : 'The file has other content, which Trestle replaces:',
  }[plan.state];
  return (
    <p>
      {words} <code>{plan.path}</code>
    </p>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

function Lines({ plan }: { plan: ConnectPlan }) {
  return (
    <pre className={styles.lines}>
      {plan.lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
        <span key={index} data-kind={kind}>{`${signs[kind]} ${text}\n`}</span>
      ))}
    </pre>
  );
}

const undoWords = {
  restored: 'The file has its earlier content again.',
  removed: 'Trestle had created the file, so it was removed.',
  entry:
    'The file has changed since Trestle wrote it, so only Trestle’s entry was undone, if it was still there.',
};
