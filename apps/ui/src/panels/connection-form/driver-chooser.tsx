import { sizeText } from '@trestle/driver-kit';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { SearchField } from '../../controls/fields/search-field.tsx';
import { moveRovingFocus } from '../../controls/keys/roving-focus.ts';
import { ApiError } from '../../data/api/api.ts';
import type { ListedDriver } from '../../data/api/api-types.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { dialogs } from '../../data/window/open-dialog.ts';
import { DriverLogo } from '../plugin-browser/driver-logo.tsx';
import { InstallOffer } from '../plugin-browser/install-offer.tsx';
import {
  useInstalledDrivers,
  useListedDrivers,
  useReadRegistry,
  useRegistry,
} from '../plugin-browser/use-plugins.ts';
import { type DriverChoice, driverChoices } from './driver-choices.ts';
import styles from './driver-chooser.module.css';

/** Chooses the kind of database. If the driver is missing, the download is offered before the form opens. */
export function DriverChooser() {
  const installed = useInstalledDrivers();
  const listed = useListedDrivers();
  const registry = useRegistry();
  const [text, setText] = useState('');
  /** Whether the user has typed, or moved in the list. An entry that appears after that must not take the focus. */
  const [isInUse, setInUse] = useState(false);
  const [offered, setOffered] = useState<ListedDriver | null>(null);
  const read = useReadRegistry();
  if (offered) {
    const { id, name } = offered.manifest;
    return (
      <Dialog open title="New connection" description={`${name} needs a driver`} onClose={dialogs.closeForm}>
        <InstallOffer
          driver={offered}
          onInstalled={() => dialogs.openForm(id)}
          onBack={() => setOffered(null)}
        />
      </Dialog>
    );
  }
  const choices = driverChoices(installed.data ?? [], listed.data ?? [], text);
  const choose = ({ manifest, download }: DriverChoice) =>
    download ? setOffered(download) : dialogs.openForm(manifest.id);
  const problem = installed.error ?? listed.error;
  return (
    <Dialog open title="New connection" description="Which kind of database?" onClose={dialogs.closeForm}>
      <div className={styles.chooser}>
        <SearchField
          label="Search database types"
          value={text}
          onValueChange={(next) => {
            setText(next);
            setInUse(true);
          }}
        />
        {problem && <ErrorNote error={problem} />}
        {registry.data?.problem && (
          <ErrorNote error={new ApiError(registry.data.problem)}>
            <Button
              size="small"
              disabled={read.isPending}
              focusableWhenDisabled
              onClick={() => read.mutate()}
            >
              {read.isPending ? 'Reading …' : 'Try again'}
            </Button>
          </ErrorNote>
        )}
        {registry.data?.problem && (
          <p className={styles.summary}>
            A driver in a package file needs no registry: <code>trestle plugins install FILE</code>
          </p>
        )}
        {installed.data && choices.length === 0 && (
          <p className={styles.summary}>No database type matches.</p>
        )}
        <ul
          className={styles.list}
          onKeyDown={(event) => {
            setInUse(true);
            moveRovingFocus(event, 'vertical');
          }}
        >
          {choices.map((choice, index) => (
            <li key={choice.manifest.id}>
              <button
                type="button"
                data-roving
                // biome-ignore lint/a11y/noAutofocus: the dialog has no other purpose than this choice
                autoFocus={index === 0 && !isInUse}
                className={styles.driver}
                disabled={choice.unavailable !== null}
                onClick={() => choose(choice)}
              >
                <DriverLogo manifest={choice.manifest} />
                <span className={styles.words}>
                  <span className={styles.name}>{choice.manifest.name}</span>
                  <span className={styles.summary}>{choice.unavailable ?? choice.manifest.summary}</span>
                  <span className={styles.source}>{choice.source}</span>
                </span>
                {choice.download && choice.unavailable === null && (
                  <span className={styles.summary}>Download {sizeText(choice.download.size)}</span>
                )}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
