import { raiseSecondWall } from '../walls/second-wall.ts';

/**
 * A process to which Node allows files, network, processes and threads, so that only the second wall can stop it.
 * It has two arguments, both JSON: the files that it may access (`Reach`), and an object of scripts by name. Prints
 * which limits the wall has set, and the outcome of each script.
 */
const [reach = '', scripts = ''] = process.argv.slice(2);
const { endsWithApp: _, ...wall } = raiseSecondWall(JSON.parse(reach));
const outcomes: Record<string, unknown> = {};
for (const [name, script] of Object.entries(JSON.parse(scripts) as Record<string, string>)) {
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (require: unknown) => Promise<unknown>;
  try {
    outcomes[name] = await new AsyncFunction('require', script)(process.getBuiltinModule);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    outcomes[name] = code ?? message;
  }
}
console.log(JSON.stringify({ wall, outcomes }));
process.exit(0);
