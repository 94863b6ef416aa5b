import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leadingPage } from '../ui-server/public-pages.ts';

/**
 * Pages in the data directory that lead a browser in. Every user of the machine can read the arguments of a process,
 * so a browser is given the name of a file that only its owner can read, and the link is in the file.
 */
export interface EntryFiles {
  /** The file goes when its link was used, or after a minute. */
  create(): { path: string; isUsed(): boolean };
  close(): void;
}

/** Makes a link that works once. */
export type CreateLink = (options: { lifeMs?: number; onUsed?: () => void }) => string;

const lifeMs = 60_000;
const fileName = /^open-[0-9a-f]{16}\.html$/;

export function createEntryFiles(dataDirectory: string, createLink: CreateLink): EntryFiles {
  const paths = new Set<string>();
  // Left by an app that was killed. Their links died with it.
  for (const name of readdirSync(dataDirectory)) {
    if (fileName.test(name)) rmSync(join(dataDirectory, name), { force: true });
  }
  const remove = (path: string) => {
    paths.delete(path);
    rmSync(path, { force: true });
  };
  return {
    create() {
      const path = join(dataDirectory, `open-${randomBytes(8).toString('hex')}.html`);
      let used = false;
      const onUsed = () => {
        used = true;
        remove(path);
      };
      writeFileSync(path, leadingPage(createLink({ lifeMs, onUsed })), { mode: 0o600, flag: 'wx' });
      paths.add(path);
      setTimeout(() => remove(path), lifeMs).unref();
      return { path, isUsed: () => used };
    },
    close() {
      for (const path of [...paths]) remove(path);
    },
  };
}
