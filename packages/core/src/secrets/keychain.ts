import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { AppError } from '../errors.ts';
import type { SecretStore } from './secret-store.ts';

type Request =
  | { action: 'get' | 'delete'; name: string }
  /** `probe` writes the value, reads it back and deletes it. */
  | { action: 'set' | 'probe'; name: string; value: string };

/**
 * The operating system's keychain. Each request runs in its own process: a locked keychain blocks a thread until the
 * user enters the password, and Node cannot exit before that thread is free.
 */
export class Keychain implements SecretStore {
  readonly #timeoutMs: number;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #children = new Set<ChildProcess>();

  constructor(options: { timeoutMs: number; environment?: NodeJS.ProcessEnv }) {
    this.#timeoutMs = options.timeoutMs;
    this.#environment = options.environment ?? process.env;
  }

  async get(name: string): Promise<string | null> {
    return (await this.#ask({ action: 'get', name })) ?? null;
  }

  async set(name: string, value: string): Promise<void> {
    await this.#ask({ action: 'set', name, value });
  }

  async delete(name: string): Promise<void> {
    await this.#ask({ action: 'delete', name });
  }

  close(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  /** Why the keychain cannot be used. Null if a test secret could be written, read and deleted. */
  async problem(): Promise<string | null> {
    const value = randomBytes(16).toString('hex');
    try {
      const read = await this.#ask({
        action: 'probe',
        name: `probe/${randomBytes(8).toString('hex')}`,
        value,
      });
      return read === value ? null : 'The keychain does not return a value that was written to it.';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /**
   * Returns the value that `get` or `probe` has read, else undefined. Secrets are sent only through pipes: other
   * programs can read the arguments and the environment of a process.
   */
  async #ask(request: Request): Promise<string | null | undefined> {
    const child = spawn(
      process.execPath,
      ['--disable-sigusr1', '--input-type=module', '--eval', helper, keyringUrl()],
      { stdio: ['pipe', 'pipe', 'ignore'], env: this.#environment, windowsHide: true },
    );
    this.#children.add(child);
    const failed = Promise.withResolvers<never>();
    child.on('error', failed.reject);
    const timer = setTimeout(() => {
      failed.reject(new Error('it did not answer'));
      child.kill('SIGKILL');
    }, this.#timeoutMs);
    try {
      // A child that could not be started may have no pipes.
      if (child.pid === undefined) return await failed.promise;
      // If the helper ended early, its answer is empty, and `readAnswer` throws.
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(request));
      return readAnswer(await Promise.race([text(child.stdout), failed.promise]));
    } catch (error) {
      throw unusable(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
      this.#children.delete(child);
    }
  }
}

/**
 * The program of the helper process. On Linux, `secret-service` keeps `@napi-rs/keyring` from using the kernel's
 * keyring, which a reboot empties.
 */
const helper = `
import { text } from 'node:stream/consumers';
const answer = {};
try {
  const { Entry } = await import(process.argv[1]);
  const { action, name, value } = JSON.parse(await text(process.stdin));
  const entry = new Entry('Trestle', name, { linux: { store: 'secret-service' } });
  if (action === 'set' || action === 'probe') entry.setPassword(value);
  if (action === 'get' || action === 'probe') answer.value = entry.getPassword();
  if (action === 'delete' || action === 'probe') entry.deleteCredential();
} catch (error) {
  answer.problem = error.message;
}
process.stdout.write(JSON.stringify(answer));
`;

function readAnswer(line: string): string | null | undefined {
  if (line === '') throw new Error('its helper process ended');
  const answer = JSON.parse(line) as { value?: string | null; problem?: string };
  if (answer.problem !== undefined) throw new Error(answer.problem);
  return answer.value;
}

function keyringUrl(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('@napi-rs/keyring')).href;
}

function unusable(detail: string): AppError {
  return new AppError({
    code: 'storage_failed',
    message: `The keychain of the operating system cannot be used: ${detail}`,
    hint: 'Unlock it, then try again.',
  });
}
