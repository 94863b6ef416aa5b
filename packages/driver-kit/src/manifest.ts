import { z } from 'zod';
import { filterOperators } from './filter.ts';

/** The version of the contract in this package. A driver for another version does not load. */
export const kitVersion = 1;

const condition = z.strictObject({
  field: z.string(),
  oneOf: z.array(z.union([z.string(), z.boolean()])).min(1),
});

const fieldValue = z.union([z.string(), z.number(), z.boolean()]);

/** Values of other fields, by field id. */
const fieldValues = z.record(z.string(), fieldValue);

const fieldBase = {
  id: z.string().regex(/^[a-z][A-Za-z0-9]*$/),
  label: z.string().min(1),
  help: z.string().optional(),
  placeholder: z.string().optional(),
  required: z.boolean().optional(),
  advanced: z.boolean().optional(),
  visibleWhen: condition.optional(),
  /** The field is required if all of these conditions hold. */
  requiredWhen: z.array(condition).min(1).optional(),
};

export const manifestFieldSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...fieldBase,
    type: z.literal('text'),
    default: z.string().optional(),
    /** The field contains a host. A pasted URL also fills the port and the fields that its scheme implies. */
    pastedUrl: z.strictObject({ port: z.string(), schemes: z.record(z.string(), fieldValues) }).optional(),
  }),
  z.strictObject({
    ...fieldBase,
    type: z.literal('integer'),
    default: z.number().int().optional(),
    min: z.number().int().optional(),
    max: z.number().int().optional(),
  }),
  z.strictObject({ ...fieldBase, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.strictObject({
    ...fieldBase,
    type: z.literal('choice'),
    default: z.string(),
    choices: z.array(z.strictObject({ value: z.string(), label: z.string() })).min(2),
  }),
  /** Stored with the secrets: in the keychain if there is one. */
  z.strictObject({ ...fieldBase, type: z.literal('secret') }),
  /** A list of header names with secret values, stored like `secret`. */
  z.strictObject({ ...fieldBase, type: z.literal('secretHeaders') }),
  /** No default: a driver gets only a file that the user chose. */
  z.strictObject({
    ...fieldBase,
    type: z.literal('file'),
    /** `path`: the driver gets the path, and may read the file. `text`: the driver gets only the text of the file. */
    deliver: z.enum(['path', 'text']),
    extensions: z.array(z.string()).optional(),
  }),
  /** A folder that the user chose. The driver gets its path, and its process may read the folder's contents. */
  z.strictObject({
    ...fieldBase,
    type: z.literal('folder'),
    /** The process may also write in the folder. */
    write: z.boolean().optional(),
  }),
]);

/** The version becomes a folder name, so it must not be a path. */
export const versionPattern = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]*[0-9A-Za-z])?$/;

const manifestShape = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  name: z.string().min(1),
  summary: z.string(),
  /** Vector databases are listed first. */
  kind: z.enum(['vector', 'relational']).optional(),
  /** SVG path data on a 24 by 24 canvas. */
  logo: z
    .string()
    .max(4000)
    .regex(/^[MmLlHhVvCcSsQqTtAaZz0-9\s,.-]+$/)
    .optional(),
  version: z.string().max(100).regex(versionPattern, 'is not of the form 1.2.3'),
  kit: z.number().int(),
  /** The file that exports `driver`. It is next to the manifest. */
  entry: z.string().regex(/^[\w.-]+\.js$/),
  platforms: z.array(z.enum(['desktop', 'mobile'])).min(1),
  /** `serial`: calls cannot be interrupted. So they queue, and a cancel may end the process. */
  concurrency: z.enum(['parallel', 'serial']),
  /** The rights of the driver's process beyond its own folder. */
  process: z.strictObject({
    /** The fields with host and port. The app dials this address. The process itself has no network. */
    network: z.union(
      [z.literal(false), z.strictObject({ host: z.string(), port: z.string() })],
      'is neither false nor the fields of host and port, such as {"host": "host", "port": "port"}',
    ),
    /** node:sqlite ignores the permission model, so only drivers that ship with the app may use it. */
    sqlite: z.boolean(),
  }),
  /** The database's words for a table and a row, singular and plural. */
  terms: z.strictObject({ table: z.tuple([z.string(), z.string()]), row: z.tuple([z.string(), z.string()]) }),
  fields: z.array(manifestFieldSchema),
  /** If the text of a field ends with one of `endsWith`, the form offers to fill in the values of `set`. */
  suggestions: z
    .array(
      z.strictObject({
        when: z.strictObject({ field: z.string(), endsWith: z.array(z.string().min(1)).min(1) }),
        set: fieldValues,
        note: z.string().min(1),
      }),
    )
    .optional(),
  /** The line under the connection's name: `{host}:{port}`. */
  address: z.string(),
  /** `none`: the database has no query language, and the app offers no editor. */
  editor: z.strictObject({ language: z.enum(['sql', 'graphql', 'none']), placeholder: z.string() }),
  operators: z.array(z.enum(filterOperators)),
  /** The driver enforces `guarded`. Otherwise no client may run a statement while a column is guarded. */
  guardsColumns: z.boolean().optional(),
});

export const manifestSchema = manifestShape.superRefine((manifest, context) => {
  const chosen = new Set(manifest.fields.filter(({ type }) => !plainTypes.has(type)).map(({ id }) => id));
  for (const id of valuesSetByManifest(manifest)) {
    if (chosen.has(id))
      context.addIssue({ code: 'custom', message: `only the user may fill the field ${id}` });
  }
  const ids = manifest.fields.map(({ id }) => id);
  // If two fields had one id, a secret could end up as a host.
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) {
    context.addIssue({ code: 'custom', path: ['fields'], message: `two fields have the id ${id}` });
  }
  for (const id of ids.filter((one) => one in Object.prototype)) {
    context.addIssue({ code: 'custom', path: ['fields'], message: `a field cannot have the id ${id}` });
  }
  const { network } = manifest.process;
  if (!network) return;
  for (const [key, type] of [['host', 'text'] as const, ['port', 'integer'] as const]) {
    if (manifest.fields.some((field) => field.id === network[key] && field.type === type)) continue;
    context.addIssue({
      code: 'custom',
      path: ['process', 'network', key],
      message: `there is no field ${network[key]} of type ${type}`,
    });
  }
});

/** A manifest may set values for fields of these types. Files, folders and secrets come only from the user. */
const plainTypes = new Set(['text', 'integer', 'boolean', 'choice']);

/** The ids of the fields that a suggestion or a pasted URL may fill. */
function valuesSetByManifest({ fields, suggestions = [] }: z.infer<typeof manifestShape>): string[] {
  const pasted = fields.flatMap((field) =>
    field.type === 'text' && field.pastedUrl ? [field.pastedUrl] : [],
  );
  return [
    ...suggestions.flatMap(({ set }) => Object.keys(set)),
    ...pasted.flatMap(({ port, schemes }) => [port, ...Object.values(schemes).flatMap(Object.keys)]),
  ];
}

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestField = z.infer<typeof manifestFieldSchema>;
export type Suggestion = NonNullable<Manifest['suggestions']>[number];
