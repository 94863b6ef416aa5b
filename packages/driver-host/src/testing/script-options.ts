import { join } from 'node:path';
import type { ConnectionFields, Manifest } from '@trestle/driver-kit';
import type { DriverLinkOptions, LinkTiming } from '../index.ts';

export const hostEntry = join(import.meta.dirname, '../../../../dist/driver-host.js');
export const scriptDriverDirectory = join(import.meta.dirname, 'script-driver');

export interface ScriptOptions {
  concurrency?: Manifest['concurrency'];
  process?: Partial<Manifest['process']>;
  manifest?: Partial<Manifest>;
  bundled?: boolean;
  fields?: ConnectionFields;
  timing?: Partial<LinkTiming>;
  driverDirectory?: string;
  /** The address that the app dials. Undefined if the driver has no network. */
  server?: { host: string; port: number };
  onDial?: DriverLinkOptions['onDial'];
  saved?: ConnectionFields;
}

export function scriptLinkOptions(
  options: ScriptOptions,
  listeners: Pick<DriverLinkOptions, 'log' | 'onExit'>,
): DriverLinkOptions {
  return {
    hostEntry,
    driverDirectory: options.driverDirectory ?? scriptDriverDirectory,
    manifest: {
      id: 'script',
      name: 'Script',
      summary: 'Runs what a test tells it to.',
      version: '1.0.0',
      kit: 1,
      entry: 'driver.js',
      platforms: ['desktop'],
      concurrency: options.concurrency ?? 'parallel',
      process: {
        network: options.server ? { host: 'host', port: 'port' } : false,
        sqlite: false,
        ...options.process,
      },
      terms: { table: ['table', 'tables'], row: ['row', 'rows'] },
      fields: [
        { id: 'host', label: 'Host', type: 'text' },
        { id: 'port', label: 'Port', type: 'integer' },
        { id: 'apiKey', label: 'API Key', type: 'secret' },
      ],
      address: 'script',
      editor: { language: 'sql', placeholder: '' },
      operators: [],
      ...options.manifest,
    },
    bundled: options.bundled ?? false,
    fields: { ...options.server, ...options.fields },
    timing: options.timing,
    ...(options.onDial && { onDial: options.onDial }),
    ...(options.saved && { saved: options.saved }),
    ...listeners,
  };
}
