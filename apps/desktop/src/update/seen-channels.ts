import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The newest sequence number of a channel file, for each address. */
export interface SeenChannels {
  /** 0 if none was read from this address. */
  get(address: string): number;
  set(address: string, sequence: number): void;
}

const schema = z.record(z.string(), z.number());

/** In `update-channel.json` of the data directory: `trestle update` works without the app and its database. */
export function seenChannels(home: string): SeenChannels {
  const file = join(home, 'update-channel.json');
  const read = () => {
    try {
      return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      // Missing or damaged: like the first read.
      return {};
    }
  };
  return {
    get: (address) => new Map(Object.entries(read())).get(address) ?? 0,
    set(address, sequence) {
      const known = read();
      if (existsSync(file) && known[address] === sequence) return;
      mkdirSync(home, { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, JSON.stringify({ ...known, [address]: sequence }), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}
