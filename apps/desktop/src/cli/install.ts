import { AppError } from '@trestle/core';
import { editionIn } from '../edition.ts';
import { installFolder } from '../install-folder.ts';
import { registrations } from '../update/registrations.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle install

For a Trestle that was unpacked from a tarball (Linux) or a zip (Windows). Makes it open trestle:// links, for this
user only. On Linux, also adds it to the menu, and links its commands in ~/.local/bin. \`trestle uninstall\` undoes these
steps.`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  if (!parse(args, help, {})) return 0;
  const kind = editionIn(dist)?.package;
  if (kind !== 'tarball' && kind !== 'windows') throw nothingToDo(kind);
  for (const { what, add } of registrations(installFolder(dist))) {
    add();
    console.log(`Added ${what}`);
  }
  return 0;
}

function nothingToDo(kind: string | undefined): AppError {
  const words: Record<string, string> = {
    npm: 'npm installed it: `npm install -g trestle-mcp` puts it on PATH.',
    deb: 'apt installed it, with its menu entry.',
    macos: 'Move Trestle.app to Applications: macOS finds it there.',
    mcpb: 'It belongs to the AI client that unpacked it.',
  };
  return new AppError({
    code: 'unsupported',
    message: 'This copy of Trestle needs no install',
    hint: words[kind ?? ''] ?? 'It runs from a clone: start it there with `npm start`.',
  });
}
