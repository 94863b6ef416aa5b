import { useQuery } from '@tanstack/react-query';
import { ArrowUp, File, Folder } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { Checkbox } from '../../controls/fields/checkbox.tsx';
import { moveRovingFocus } from '../../controls/keys/roving-focus.ts';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { api } from '../../data/api/api.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import styles from './file-chooser.module.css';

/**
 * Chooses a file or folder on the machine that runs Trestle. The browser's own file dialog is no use here, because it
 * hides the path from the page.
 */
export function FileChooser(props: {
  title: string;
  picks: 'file' | 'folder';
  extensions?: string[];
  startAt: string;
  onChoose(path: string): void;
  onClose(): void;
}) {
  const [folder, setFolder] = useState<string | null>(
    props.picks === 'folder' ? props.startAt || null : folderOf(props.startAt),
  );
  const [showAll, setShowAll] = useState(false);
  const listing = useQuery({
    queryKey: ['files', folder],
    queryFn: ({ signal }) => api.files.list.query({ folder }, { signal }),
    staleTime: 0,
    placeholderData: (before) => before,
  });
  const list = useRef<HTMLUListElement>(null);
  /** The user opened a folder of the list. Its button disappears, and the first entry of the folder gets the focus. */
  const isEntering = useRef(false);
  const listed = listing.data?.folder;
  useEffect(() => {
    if (listed === undefined || !isEntering.current) return;
    isEntering.current = false;
    list.current?.querySelector('button')?.focus();
  }, [listed]);
  const open = (path: string) => {
    isEntering.current = true;
    setFolder(path);
  };
  const endings = props.extensions?.map((extension) => `.${extension.replace(/^\./, '').toLowerCase()}`);
  const entries = listing.data?.entries.filter(
    (entry) =>
      entry.isFolder ||
      (props.picks === 'file' &&
        (showAll || !endings || endings.some((ending) => entry.name.toLowerCase().endsWith(ending)))),
  );
  return (
    <Dialog open onClose={props.onClose} title={props.title}>
      <div className={styles.place}>
        <IconButton
          label="Parent folder"
          disabled={!listing.data?.parent}
          onClick={() => setFolder(listing.data?.parent ?? null)}
        >
          <ArrowUp size={15} aria-hidden />
        </IconButton>
        <output className={styles.path}>{listing.data?.folder}</output>
      </div>
      {listing.error ? (
        <ErrorNote error={listing.error}>
          <Button size="small" onClick={() => setFolder(null)}>
            Home folder
          </Button>
        </ErrorNote>
      ) : (
        <ul ref={list} className={styles.list} onKeyDown={(event) => moveRovingFocus(event, 'vertical')}>
          {entries?.map((entry) => (
            <li key={entry.path}>
              <button
                type="button"
                data-roving
                className={styles.entry}
                onClick={() => (entry.isFolder ? open(entry.path) : props.onChoose(entry.path))}
              >
                {entry.isFolder ? (
                  <Folder size={14} aria-label="Folder" />
                ) : (
                  <File size={14} aria-label="File" />
                )}
                <span>{entry.name}</span>
              </button>
            </li>
          ))}
          {entries?.length === 0 && (
            <li className={styles.empty}>
              <EmptyState
                title={emptyTitle(props.picks, showAll || !endings)}
                action={
                  endings && !showAll ? (
                    <Button onClick={() => setShowAll(true)}>Show all files</Button>
                  ) : undefined
                }
              />
            </li>
          )}
        </ul>
      )}
      {endings && (
        <Checkbox
          label={`Show all files, not only ${endings.join(', ')}`}
          checked={showAll}
          onCheckedChange={setShowAll}
        />
      )}
      {props.picks === 'folder' && listing.data && (
        <Button variant="primary" onClick={() => props.onChoose(listing.data.folder)}>
          Choose this folder
        </Button>
      )}
    </Dialog>
  );
}

function emptyTitle(picks: 'file' | 'folder', showsAll: boolean): string {
  if (picks === 'folder') return 'No visible folders here';
  return showsAll ? 'No visible files or folders here' : 'No matching files here';
}

/** The folder of a path that uses / or \. Null means the home folder. */
function folderOf(path: string): string | null {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return end > 0 ? path.slice(0, end) : null;
}
