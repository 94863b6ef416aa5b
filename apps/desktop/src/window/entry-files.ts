import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leadingPage } from '../ui-server/public-pages.ts';

/**
 * Pages in the data directory that admit a browser. Other users of the machine can read the arguments of a process. So
 * a browser gets the name of a file that only the file's owner can read, and the link is in the file.
 */
export interface EntryFiles {
  /** The file is deleted when its link is used, after a minute, or when the app stops. */
  create(): { path: string; isUsed(): boolean };
  close(): void;
}

/** Creates a link that works once. */
export type CreateLink = (options: { lifeMs?: number; onUsed?: () => void }) => string;

const lifeMs = 60_000;
const fileName = /^open-[0-9a-f]{16}\.html$/;

export function createEntryFiles(dataDirectory: string, createLink: CreateLink): EntryFiles {
  const paths = new Set<string>();
  // Files of a killed app. Their links are no longer valid.
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
