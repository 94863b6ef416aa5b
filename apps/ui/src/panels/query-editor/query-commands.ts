import { useEffect, useRef } from 'react';
import { isDialogOpen } from '../../controls/dialogs/is-dialog-open.ts';
import { isHandled } from '../../controls/keys/is-handled.ts';
import { typedLetter } from '../../controls/keys/typed-letter.ts';
import { type TabCommand, useOfferedCommands } from '../../data/window/tab-commands.ts';
import { formatsOf } from './result-file.ts';
import type { ResultsState } from './use-results.ts';

export interface QueryActs {
  run(): void;
  runAll(): void;
  cancel(): void;
  format(): void;
  /** Undefined if the driver converts no statements. */
  convert?: (() => void) | undefined;
  save(): void;
  saveAs(): void;
  history(): void;
  view(): void;
}

/**
 * Offers the actions of a query tab in the palette and handles their shortcuts, while the tab is in front. The editor
 * handles Mod+Enter itself.
 */
export function useQueryCommands(
  isActive: boolean,
  title: string,
  acts: QueryActs,
  state: { isRunning: boolean; results: ResultsState },
): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    if (!isActive) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const name = actOf(event);
      if (!name || isHandled(event)) return;
      event.preventDefault();
      // A held key would run all statements again, or open and close a panel.
      if (!event.repeat && !isDialogOpen()) latest.current[name]();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isActive]);
  useOfferedCommands(isActive, title, commandsOf(acts, state));
}

function commandsOf(acts: QueryActs, state: { isRunning: boolean; results: ResultsState }): TabCommand[] {
  const { results } = state;
  const result = results.shown?.result;
  const running = [{ id: 'cancel', label: 'Cancel the statement', run: acts.cancel }];
  return [
    ...(state.isRunning ? running : []),
    { id: 'run', label: 'Run the statement at the cursor', shortcut: 'Mod+Enter', run: acts.run },
    { id: 'all', label: 'Run all statements', shortcut: 'Shift+Mod+Enter', run: acts.runAll },
    { id: 'format', label: 'Format', shortcut: 'Shift+Alt+F', run: acts.format },
    ...(acts.convert
      ? [{ id: 'convert', label: 'Convert to Connect, Python or TypeScript', run: acts.convert }]
      : []),
    { id: 'save', label: 'Save the query', shortcut: 'Mod+S', run: acts.save },
    { id: 'saveAs', label: 'Save the query under a new name', shortcut: 'Shift+Mod+S', run: acts.saveAs },
    { id: 'history', label: 'History of statements', shortcut: 'Alt+H', run: acts.history },
    ...(result?.kind === 'rows'
      ? [
          {
            id: 'view',
            label: results.view === 'grid' ? 'Show the result as JSON' : 'Show the result as a grid',
            shortcut: 'Alt+J',
            run: acts.view,
          },
        ]
      : []),
    ...(result && result.kind !== 'affected'
      ? [{ id: 'copy', label: 'Copy the result as JSON', run: () => void results.copy() }]
      : []),
    ...(result ? formatsOf(result) : []).map(({ format, label }) => ({
      id: `export ${format}`,
      label: `Export the result as ${label}`,
      run: () => void results.download(format),
    })),
  ];
}

function actOf(event: KeyboardEvent): Exclude<keyof QueryActs, 'convert'> | null {
  const mod = event.ctrlKey || event.metaKey;
  // On a Mac, Alt with a letter types a special character, so the physical key counts.
  if (event.altKey && !mod) {
    if (event.shiftKey) return event.code === 'KeyF' ? 'format' : null;
    return event.code === 'KeyJ' ? 'view' : event.code === 'KeyH' ? 'history' : null;
  }
  if (!mod || event.altKey) return null;
  if (event.key === 'Enter') return event.shiftKey ? 'runAll' : null;
  if (typedLetter(event) === 's') return event.shiftKey ? 'saveAs' : 'save';
  return null;
}
