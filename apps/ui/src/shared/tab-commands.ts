import { useEffect, useRef } from 'react';
import { create } from 'zustand';

export interface TabCommand {
  id: string;
  label: string;
  shortcut?: string;
  run(): void;
}

/** The commands of the tab in front, for the palette. */
export const useTabCommands = create<{ commands: TabCommand[] }>(() => ({ commands: [] }));

/** Offers commands while the tab is in front. They run as they are when chosen, not as they were when offered. */
export function useOfferedCommands(isActive: boolean, commands: TabCommand[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const ids = commands.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the commands
  useEffect(() => {
    if (!isActive) return;
    const offered = latest.current.map((command) => ({
      ...command,
      run: () => latest.current.find(({ id }) => id === command.id)?.run(),
    }));
    useTabCommands.setState({ commands: offered });
    return () => useTabCommands.setState({ commands: [] });
  }, [isActive, ids]);
}
