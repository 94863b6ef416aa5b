import { sql, SQLite as sqlDialect } from '@codemirror/lang-sql';
import type { Extension } from '@codemirror/state';
import { useQuery } from '@tanstack/react-query';
import type { EditorSchema, Manifest } from '@trestle/driver-kit';
import { useMemo } from 'react';
import { api } from '../shared/api.ts';
import { useStatus } from '../shared/queries.ts';
import { queryKeys } from '../shared/query-keys.ts';

/** The manifest's language, completing from the live schema where the driver gives one. */
export function useEditorLanguage(connectionId: string, language: Manifest['editor']['language']): Extension {
  const { state, capabilities } = useStatus(connectionId);
  const schema = useQuery({
    queryKey: queryKeys.editorSchema(connectionId),
    queryFn: ({ signal }) => api.tables.editorSchema.query({ connectionId }, { signal }),
    enabled: state === 'connected' && capabilities.includes('editorSchema'),
  }).data;
  return useMemo(() => languageExtension(language, schema), [language, schema]);
}

function languageExtension(
  language: Manifest['editor']['language'],
  schema: EditorSchema | undefined,
): Extension {
  if (language !== 'sql') return [];
  const tables = schema?.language === 'sql' ? schema.tables : {};
  return sql({
    dialect: sqlDialect,
    // A table or column is wanted more often than a keyword that begins alike.
    schema: Object.fromEntries(
      Object.entries(tables).map(([name, columns]) => [
        name,
        { self: { label: name, type: 'type', boost: 10 }, children: columns },
      ]),
    ),
    keywordCompletion: (label, type) => ({ label, type, boost: -99 }),
  });
}
