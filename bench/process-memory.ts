import { existsSync, readFileSync } from 'node:fs';
import { Skipped } from './measure.ts';

/** The memory of a process, in MB. */
export interface Amount {
  rss: number;
  /**
   * Pages shared with other processes count in proportion, so that two Node processes do not count one binary twice.
   */
  pss: number;
}

export function amountOf(pid: number): Amount {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(rollup)?.[1]) / 1024;
  return { rss: megabytes('Rss'), pss: megabytes('Pss') };
}

export function driverHostsOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const children = text === '' ? [] : text.split(' ').map(Number);
  return children.filter((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('driver-host.js'),
  );
}

export function needProc(): void {
  if (!existsSync('/proc/self/smaps_rollup'))
    throw new Skipped('it reads /proc, which this system does not have');
}
