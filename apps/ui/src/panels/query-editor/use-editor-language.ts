import type { Extension } from '@codemirror/state';
import { useQuery } from '@tanstack/react-query';
import type { EditorSchema, Manifest } from '@trestle/driver-kit';
import { useEffect, useMemo, useState } from 'react';
import { api } from '../../data/api/api.ts';
import { useStatus, useTables } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { sqlExtension } from './sql-language.ts';

/** The editor's extension for a language. It completes names from the live schema if the driver provides one. */
export function useEditorLanguage(connectionId: string, language: Manifest['editor']['language']): Extension {
  const { state, capabilities } = useStatus(connectionId);
  const schema = useQuery({
    queryKey: queryKeys.editorSchema(connectionId),
    queryFn: ({ signal }) => api.tables.editorSchema.query({ connectionId }, { signal }),
    enabled: state === 'connected' && capabilities.includes('editorSchema'),
  }).data;
  const tables = useTables(connectionId).data;
  const graphql = useGraphql(language === 'graphql', schema, tables);
  return useMemo(() => (language === 'sql' ? sqlExtension(schema) : graphql), [language, schema, graphql]);
}

/** Loads the GraphQL extension on demand, because its code is large. */
function useGraphql(
  enabled: boolean,
  schema: EditorSchema | undefined,
  tables: { name: string }[] | undefined,
): Extension {
  const [extension, setExtension] = useState<Extension>([]);
  useEffect(() => {
    if (!enabled) return;
    let wanted = true;
    import('./graphql-language.ts').then(({ graphqlExtension }) => {
      const names = tables?.map(({ name }) => name) ?? [];
      if (wanted) setExtension(graphqlExtension(schema?.language === 'graphql' ? schema : undefined, names));
    });
    return () => {
      wanted = false;
    };
  }, [enabled, schema, tables]);
  return extension;
}
