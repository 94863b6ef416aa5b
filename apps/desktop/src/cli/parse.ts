import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Parses arguments with Node's parser. With `--help`, prints the help and returns null. */
export function parse<Options extends ParseArgsOptionsConfig>(
  args: string[],
  help: string,
  options: Options,
  positionals: { min: number; max: number } = { min: 0, max: 0 },
) {
  const parsed = parseStrictly(args, help, options);
  if ((parsed.values as { help?: boolean }).help) {
    console.log(help);
    return null;
  }
  const { length } = parsed.positionals;
  if (length < positionals.min || length > positionals.max) {
    const extra = parsed.positionals[positionals.max];
    throw new UsageError(
      extra === undefined ? 'An argument is missing.' : `\`${extra}\` is one argument too many.`,
      help,
    );
  }
  return parsed;
}

function parseStrictly<Options extends ParseArgsOptionsConfig>(
  args: string[],
  help: string,
  options: Options,
) {
  try {
    return parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    // Node's message may end with advice. The advice on positional arguments follows '. ' on the same line and is cut
    // off. The advice on option values is on lines of its own and is kept.
    const [words = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${words.replaceAll('\n', ' ').replace(/\.$/, '')}.`, help);
  }
}

export class UsageError extends Error {
  readonly hint: string;

  constructor(message: string, help: string) {
    super(message);
    this.hint = help.split('\n').find((line) => line.startsWith('Usage:')) ?? '';
  }
}
