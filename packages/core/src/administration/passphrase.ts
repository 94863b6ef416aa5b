import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { Passphrase } from '../types.ts';

const secretName = 'administrator/passphrase';
const shortest = 8;
const guesses = { most: 5, withinMs: 60_000 };

/** The passphrase is stored with the secrets, as a salted scrypt hash. */
export function createPassphrase(secrets: SecretStore, now: () => number = Date.now): Passphrase {
  let wrong: { at: number }[] = [];

  async function stored(): Promise<Stored | null> {
    const text = await secrets.get(secretName);
    return text === null ? null : storedSchema.parse(JSON.parse(text));
  }

  async function verify(typed: string): Promise<void> {
    const kept = await stored();
    if (!kept) throw refused('No administrator passphrase is set', howToSet);
    wrong = wrong.filter(({ at }) => at > now() - guesses.withinMs);
    if (wrong.length >= guesses.most)
      throw refused('Too many wrong passphrases were typed', 'Wait a minute.');
    // The guess counts as wrong until its hash is known. Otherwise any number of guesses could run at the same time.
    const guess = { at: now() };
    wrong.push(guess);
    const hash = await hashOf(typed, Buffer.from(kept.salt, 'base64'), kept.cost);
    if (timingSafeEqual(hash, Buffer.from(kept.hash, 'base64'))) {
      wrong = wrong.filter((one) => one !== guess);
      return;
    }
    throw refused('The administrator passphrase is not right', 'Type it again.');
  }

  return {
    isSet: async () => (await stored()) !== null,
    verify,
    async set({ current, next }) {
      if (next.length < shortest) {
        throw new AppError({
          code: 'invalid_argument',
          message: `The administrator passphrase needs ${shortest} characters or more`,
        });
      }
      if (await stored()) await verify(current ?? '');
      const salt = randomBytes(16);
      const hash = await hashOf(next, salt, cost);
      const kept: Stored = { salt: salt.toString('base64'), hash: hash.toString('base64'), cost };
      await secrets.set(secretName, JSON.stringify(kept));
    },
  };
}

const howToSet = 'Set one at a terminal with `trestle passphrase set`.';

/** About a quarter of a second and 64 MB for each guess. */
const cost = 2 ** 16;

const storedSchema = z.object({ salt: z.string(), hash: z.string(), cost: z.number() });
type Stored = z.infer<typeof storedSchema>;

const derive = promisify<string, Buffer, number, { N: number; maxmem: number }, Buffer>(scrypt);

function hashOf(passphrase: string, salt: Buffer, N: number): Promise<Buffer> {
  // Two keyboards may encode one letter in two ways.
  return derive(passphrase.normalize('NFKC'), salt, 32, { N, maxmem: 256 * N * 8 });
}

function refused(message: string, hint: string): AppError {
  return new AppError({ code: 'passphrase_needed', message, hint });
}
