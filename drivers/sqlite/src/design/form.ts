import type { DesignField, DesignForm } from '@trestle/driver-kit';

const types = [
  ['TEXT', 'Text'],
  ['INTEGER', 'Integer'],
  ['REAL', 'Number'],
  ['BLOB', 'Binary'],
  ['NUMERIC', 'Number or text'],
  ['JSON', 'JSON'],
  ['', 'Any'],
] as const;

const columnFields: DesignField[] = [
  { id: 'name', label: 'Name', type: 'text', default: '', later: 'now' },
  {
    ...{ id: 'type', label: 'Type', type: 'choice', default: 'TEXT', later: 'copy' },
    choices: types.map(([value, label]) => ({ value, label })),
  },
  {
    ...{ id: 'key', label: 'Key', type: 'boolean', default: false, later: 'copy' },
    help: 'The values of the key identify a row. An integer key is numbered by SQLite.',
  },
  {
    ...{ id: 'required', label: 'Required', type: 'boolean', default: false, later: 'copy' },
    help: 'NULL is refused.',
  },
  { id: 'unique', label: 'Unique', type: 'boolean', default: false, later: 'copy' },
  {
    ...{ id: 'default', label: 'Default', type: 'text', default: '', later: 'copy' },
    ...{ help: 'SQL, such as 0 or CURRENT_TIMESTAMP.', advanced: true },
  },
];

export const sqliteForm: DesignForm = {
  groups: [
    {
      title: 'Table',
      fields: [
        {
          ...{ id: 'strict', label: 'Strict', type: 'boolean', default: false, later: 'copy' },
          help: 'A column takes only values of its type. Then the types are Text, Integer, Number and Binary.',
        },
        {
          ...{ id: 'withoutRowid', label: 'Without rowid', type: 'boolean', default: false, later: 'copy' },
          ...{ help: 'The rows are stored by their key. Smaller, if the key is a text.', advanced: true },
        },
      ],
    },
  ],
  parts: [
    { id: 'columns', terms: ['column', 'columns'], fields: columnFields, add: 'now', remove: 'now' },
    {
      id: 'indexes',
      terms: ['index', 'indexes'],
      fields: [
        { id: 'name', label: 'Name', type: 'text', default: '', later: 'copy' },
        { id: 'columns', label: 'Columns', type: 'items', part: 'columns', default: [], later: 'copy' },
        {
          ...{ id: 'unique', label: 'Unique', type: 'boolean', default: false, later: 'copy' },
          help: 'No two rows have the same values in these columns.',
        },
      ],
      add: 'now',
      remove: 'now',
    },
  ],
};
