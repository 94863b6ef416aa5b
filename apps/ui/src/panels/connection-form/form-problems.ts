import { checkFields, type Manifest } from '@trestle/driver-kit';
import { type FormValues, toDraft, visibleFields } from './form-values.ts';

/** The problems that must be fixed before a save or a test. `fields` has the problems of the driver's fields, by id. */
interface FormProblems {
  name?: string;
  word?: string;
  reachLimit?: string;
  fields: Record<string, string>;
}

/** `otherNames`: the names of the connections, without the one in this form. */
export function findProblems(
  manifest: Manifest,
  values: FormValues,
  otherNames: readonly string[] = [],
): FormProblems {
  const stored = Object.entries(values.fields).flatMap(([id, input]) =>
    'state' in input && input.state === 'stored' ? [id] : [],
  );
  const visible = new Set(visibleFields(manifest, values).map(({ id }) => id));
  const problems = Object.entries(checkFields(manifest, toDraft(manifest, values).fields, stored));
  const name = nameProblem(values.name.trim(), otherNames);
  return {
    // The user cannot fix a field that the form hides.
    fields: Object.fromEntries(problems.filter(([id]) => visible.has(id))),
    ...(name !== undefined && { name }),
    ...(!isWord(values.word.trim()) && {
      word: 'Word must be one word of at most 10 letters, digits, _, . or -, such as PROD',
    }),
    ...(!isReachLimit(values.reachLimit.trim()) && {
      reachLimit: 'Reach Limit must be a whole number between 0 and 1000000',
    }),
  };
}

/** The app checks the word again (`core/src/connections/validate-draft.ts`). */
function isWord(text: string): boolean {
  return text === '' || /^[\p{L}\p{N}_.-]{1,10}$/u.test(text);
}

function nameProblem(name: string, otherNames: readonly string[]): string | undefined {
  if (name === '') return 'Give the connection a name';
  return otherNames.includes(name) ? `A connection named “${name}” already exists` : undefined;
}

export function hasProblems(problems: FormProblems): boolean {
  if (problems.name !== undefined || problems.word !== undefined || problems.reachLimit !== undefined)
    return true;
  return Object.keys(problems.fields).length > 0;
}

function isReachLimit(text: string): boolean {
  return /^\d*$/.test(text) && Number(text) <= 1_000_000;
}
