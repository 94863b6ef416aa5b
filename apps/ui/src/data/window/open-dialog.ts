import { create } from 'zustand';
import type { Connection } from '../api/api-types.ts';

export type ConnectionFormTarget =
  | { step: 'choose' }
  | { step: 'form'; driver: string; connection?: Connection; copyOf?: Connection };

export type SettingsPage = 'general' | 'plugins' | 'integrations' | 'storage' | 'about';

export interface ImportTarget {
  connectionId: string;
  table: string;
  partition?: string;
  /** An import that was started, to show it. */
  jobId?: string;
}

export interface CopySource {
  connectionId: string;
  table: string;
}

/** The dialogs that any part of the window may open. */
export const useDialogs = create<{
  connectionForm: ConnectionFormTarget | null;
  settings: SettingsPage | null;
  palette: boolean;
  /** The text in the palette's field. */
  paletteText: string;
  shortcuts: boolean;
  importInto: ImportTarget | null;
  /** A table to copy, or an existing copy to show. */
  copy: CopySource | { copyId: string } | null;
  /** Whether the import of connections from a file is open. */
  importing: boolean;
  /** Whether the list of jobs is open. */
  jobs: boolean;
  /** Whether the question before Quit is open. */
  quit: boolean;
}>(() => ({
  connectionForm: null,
  settings: null,
  palette: false,
  paletteText: '',
  shortcuts: false,
  importInto: null,
  copy: null,
  importing: false,
  jobs: false,
  quit: false,
}));

export const dialogs = {
  newConnection: () => useDialogs.setState({ connectionForm: { step: 'choose' } }),
  editConnection: (connection: Connection) =>
    useDialogs.setState({ connectionForm: { step: 'form', driver: connection.driver, connection } }),
  duplicateConnection: (copyOf: Connection) =>
    useDialogs.setState({ connectionForm: { step: 'form', driver: copyOf.driver, copyOf } }),
  openForm: (driver: string) => useDialogs.setState({ connectionForm: { step: 'form', driver } }),
  closeForm: () => useDialogs.setState({ connectionForm: null }),
  showSettings: (page: SettingsPage) => useDialogs.setState({ settings: page }),
  closeSettings: () => useDialogs.setState({ settings: null }),
  showPalette: (palette: boolean) =>
    useDialogs.setState(palette ? { palette, paletteText: '' } : { palette }),
  typeInPalette: (paletteText: string) => useDialogs.setState({ paletteText }),
  importInto: (importInto: ImportTarget) => useDialogs.setState({ importInto }),
  copyTable: (copy: CopySource) => useDialogs.setState({ copy }),
  showCopy: (copyId: string) => useDialogs.setState({ copy: { copyId } }),
  closeCopy: () => useDialogs.setState({ copy: null }),
  closeImport: () => useDialogs.setState({ importInto: null }),
  importConnections: (importing: boolean) => useDialogs.setState({ importing }),
  /** Closes the dialogs of the jobs that the list shows. */
  showJobs: (jobs: boolean) => useDialogs.setState(jobs ? { jobs, copy: null, importInto: null } : { jobs }),
  askToQuit: (quit: boolean) => useDialogs.setState({ quit }),
  showShortcuts: (shortcuts: boolean) => useDialogs.setState({ shortcuts }),
};
