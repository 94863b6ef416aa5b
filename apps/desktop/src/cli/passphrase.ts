import { isAppError } from '@trestle/core';
import { askCore, askOnce } from './ask-core.ts';
import { printable } from './output.ts';
import { parse } from './parse.ts';
import { promptSecret } from './prompt-secret.ts';
import type { CommandContext } from './run-command.ts';
import { family } from './subcommands.ts';

const help = `Usage: trestle passphrase set

  set   sets the administrator passphrase, at a terminal

On the command line, and in a window that a printed link or code opened, a program could act in your name. There
Trestle asks for this passphrase before it creates a Full Access token, gives clients more rights on a connection than
before, gives a new connection more rights than the default, or allows what a client asks for. Refusing never needs it.
query, import, export and copy ask for it too, unless the connection masks nothing and lets AI clients do the same
without a question. import --replace also asks if the file has more rows than the reach limit, and query before each
destructive statement. Set the passphrase after a script has added the connections, and before a program with a shell
works on this machine. Otherwise that program could set it first.`;

export const execute = family(help, { set: async () => set });

async function set({ args, dist }: CommandContext): Promise<number> {
  if (!parse(args, help, {})) return 0;
  // Reads no passphrase from an argument, which other programs can see, or from a pipe, which a program can fill.
  if (!process.stdin.isTTY) throw new Error('The administrator passphrase must be typed at a terminal.');
  const hasOne = await askCore(dist, 'passphrase.isSet');
  let current = hasOne ? await promptSecret('Current passphrase: ') : null;
  const next = await typedTwice();
  for (let tries = 1; ; tries++) {
    try {
      // Not `askCore`: after a wrong `current`, it would ask for another passphrase and send the same `current` again.
      await askOnce(dist, 'passphrase.set', { input: { current, next }, passphrase: null });
      break;
    } catch (error) {
      if (tries === mostTries || !isWrong(error)) throw error;
      process.stderr.write(`${printable(error.message)}.\n`);
      current = await promptSecret('Current passphrase: ');
    }
  }
  console.log('The administrator passphrase is set.');
  return 0;
}

const mostTries = 3;

async function typedTwice(): Promise<string> {
  for (let tries = 1; ; tries++) {
    const typed = await promptSecret('New passphrase: ');
    if (typed === (await promptSecret('Repeat it: '))) return typed;
    if (tries === mostTries) throw new Error('The two passphrases differ. Nothing was changed.');
    process.stderr.write('The two passphrases differ. Type the new one again.\n');
  }
}

function isWrong(error: unknown): error is Error {
  return isAppError(error) && error.code === 'passphrase_needed';
}
