import { fail, sentenceOf } from './output.ts';

export interface CommandContext {
  /** The arguments after the command's name. */
  args: string[];
  /** The folder of the built app: bundles, drivers, the window's files, the sample. */
  dist: string;
}

/** Runs a command. Returns the exit code. */
export type Execute = (context: CommandContext) => Promise<number>;

export async function runCommand(execute: Execute, context: CommandContext): Promise<number> {
  try {
    return await execute(context);
  } catch (error) {
    return fail(sentenceOf(error));
  }
}
