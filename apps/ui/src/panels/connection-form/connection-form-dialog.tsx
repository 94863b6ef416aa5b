import { useEffect, useRef } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { useConnections, useDrivers, useManifest } from '../../data/queries/queries.ts';
import { dialogs, useDialogs } from '../../data/window/open-dialog.ts';
import { ConnectionForm } from './connection-form.tsx';
import { DriverChooser } from './driver-chooser.tsx';

/** A new connection starts with the kind of database. An existing or duplicated one starts with the form. */
export default function ConnectionFormDialog() {
  const target = useDialogs((state) => state.connectionForm);
  useReturnedFocus(target !== null);
  if (!target) return null;
  if (target.step === 'choose') return <DriverChooser />;
  // The Duplicate button of the form changes only the target. The new key makes the form start again with the values of
  // the copy.
  const edited = [target.driver, target.connection?.id, target.copyOf?.id];
  return <FormStep key={edited.join(' ')} target={target} />;
}

/**
 * The form's dialog replaces the chooser. When the form closes, its dialog would return the focus to the chooser, which
 * is gone. So this hook returns the focus to the element that opened the chooser.
 */
function useReturnedFocus(open: boolean): void {
  const opener = useRef<Element | null>(null);
  if (open) opener.current ??= document.activeElement;
  useEffect(() => {
    if (open) return;
    const last = opener.current;
    opener.current = null;
    requestAnimationFrame(() => {
      const isNowhere = document.activeElement === document.body;
      if (isNowhere && last instanceof HTMLElement && last.isConnected) last.focus();
    });
  }, [open]);
}

type FormTarget = NonNullable<ReturnType<typeof useDialogs.getState>['connectionForm']> & { step: 'form' };

function FormStep({ target }: { target: FormTarget }) {
  const manifest = useManifest(target.driver);
  const connections = useConnections().data;
  const drivers = useDrivers().data;
  if (!connections || !drivers) return null;
  if (!manifest) {
    return (
      <Dialog open width="small" title={target.connection?.name ?? 'Connection'} onClose={dialogs.closeForm}>
        <EmptyState
          title={`The driver “${target.driver}” is not installed`}
          action={<Button onClick={dialogs.closeForm}>Close</Button>}
        >
          Opening the connection installs its driver, if the registry has it. After that, you can edit the
          connection.
        </EmptyState>
      </Dialog>
    );
  }
  return (
    <ConnectionForm
      manifest={manifest}
      connection={target.connection}
      copied={target.copyOf}
      takenNames={connections.map(({ name }) => name)}
    />
  );
}
