import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { isDialogOpen } from '../../controls/dialogs/is-dialog-open.ts';

export interface TabCommand {
  id: string;
  label: string;
  shortcut?: string;
  run(): void;
}

const none = { title: '', commands: [] as TabCommand[] };

/** The commands of the visible tab, for the palette. */
export const useTabCommands = create<{ title: string; commands: TabCommand[] }>(() => none);

/** Offers the commands of a tab in the palette while the tab is visible. */
export function useOfferedCommands(active: boolean, title: string, commands: TabCommand[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const ids = commands.map(({ id, label }) => `${id} ${label}`).join('\n');
  useEffect(() => {
    if (!active || ids === '') return;
    const offered = latest.current.map(
      (command): TabCommand => ({
        ...command,
        run: () => afterDialogs(() => latest.current.find(({ id }) => id === command.id)?.run()),
      }),
    );
    useTabCommands.setState({ title, commands: offered });
    return () => {
      if (useTabCommands.getState().commands === offered) useTabCommands.setState(none);
    };
  }, [active, title, ids]);
}

/** When the palette closes, it moves the focus to the tab. A command that moves the focus must run after that. */
function afterDialogs(run: () => void): void {
  requestAnimationFrame(() => (isDialogOpen() ? afterDialogs(run) : requestAnimationFrame(run)));
}
