import type { CallToolResult, Client } from '@modelcontextprotocol/client';

/** A call that names a connection. `texts`: everything that a model may read of the answer. */
export interface NamedCall {
  what: string;
  kind: 'tool' | 'resource' | 'prompt' | 'completion';
  send(client: Client): Promise<{ texts: string[]; isError: boolean; code: number | undefined }>;
}

interface Names {
  connection: string;
  table: string;
  column?: string;
  query?: string;
}

/** One call or more of every tool, resource, prompt and completion that names a connection. */
export function everyCall({ connection, table, column = 'id', query = 'SELECT 1' }: Names): NamedCall[] {
  const on = { connection_id: connection, table };
  const id = '00000000-0000-4000-8000-000000000001';
  const tools: [string, object][] = [
    ['list_tables', { connection_id: connection }],
    ['list_tables', { connection_id: connection, search: 'a' }],
    ['describe_table', on],
    ['describe_table', { ...on, detail: true }],
    ['describe_table', { ...on, table: 'Absent' }],
    ['execute_query', { connection_id: connection, query }],
    ['execute_query', { connection_id: connection, query: 'nonsense' }],
    ['confirm_destructive_operation', { connection_id: connection, query, reason: 'asked for' }],
    ['browse_table', on],
    ['browse_table', { ...on, include_vectors: true, columns: [column] }],
    ['browse_table', { ...on, filters: [{ column, operator: 'equals', value: 'a' }], count_only: true }],
    ['browse_table', { ...on, sort: [{ column }] }],
    ['browse_table', { ...on, columns: ['absent'] }],
    ['aggregate_table', on],
    ['aggregate_table', { ...on, by: [column], measures: [{ column, measure: 'count' }] }],
    ['aggregate_table', { ...on, by: ['absent'] }],
    ['vector_search', { ...on, mode: 'near_text', text: 'a' }],
    ['vector_search', { ...on, mode: 'hybrid', text: 'a', explain: true }],
    ['vector_search', { ...on, mode: 'compare', text: 'a' }],
    ['vector_search', { ...on, mode: 'near_object', object_id: 'a', object_column: column }],
    ['insert_rows', { ...on, rows: [{ [column]: 'a' }] }],
    ['update_rows', { ...on, changes: [{ key: { uuid: id }, values: { [column]: 'a' } }] }],
    ['delete_rows', { ...on, keys: [{ uuid: id }] }],
    ['export_data', on],
    ['export_data', { connection_id: connection, query }],
    ['search_query_history', { connection_id: connection }],
    ['open_table_tab', on],
  ];
  const base = `trestle://connections/${encodeURIComponent(connection)}`;
  const uris = ['schema', 'tables', `tables/${encodeURIComponent(table)}`, 'tables/Absent', 'history'];
  const prompts: [string, Record<string, string>][] = [
    ['explain_schema', {}],
    ['explain_table', { table }],
    ['data_quality_audit', { table }],
    ['question_to_query', { question: 'How many?' }],
    ['design_vector_search', { table, goal: 'finding' }],
    ['review_query', { query }],
    ['summarize_query_history', {}],
  ];
  const completions: [string, string][] = [
    ['explain_table', 'table'],
    ['review_query', 'query'],
    ['question_to_query', 'question'],
    ['design_vector_search', 'goal'],
  ];
  return [
    ...tools.map(([name, args]) => call('tool', `${name} ${JSON.stringify(args)}`, toolCall(name, args))),
    ...uris.map((part) =>
      call('resource', part, async (client) => {
        const { contents } = await client.readResource({ uri: `${base}/${part}` });
        return contents.map((content) => String('text' in content ? content.text : ''));
      }),
    ),
    ...prompts.map(([name, args]) =>
      call('prompt', name, async (client) => {
        const { messages } = await client.getPrompt({
          name,
          arguments: { connection_id: connection, ...args },
        });
        return messages.map(({ content }) => (content.type === 'text' ? content.text : ''));
      }),
    ),
    ...completions.map(([name, argument]) =>
      call('completion', `${name}.${argument}`, async (client) => {
        const { completion } = await client.complete({
          ref: { type: 'ref/prompt', name },
          argument: { name: argument, value: '' },
          context: { arguments: { connection_id: connection } },
        });
        return completion.values;
      }),
    ),
  ];
}

type Sent = string[] | { texts: string[]; isError: boolean };

function toolCall(name: string, args: object) {
  return async (client: Client): Promise<Sent> => {
    const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
    const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
    return { texts, isError: result.isError === true };
  };
}

function call(kind: NamedCall['kind'], what: string, send: (client: Client) => Promise<Sent>): NamedCall {
  return {
    kind,
    what: `${kind} ${what}`,
    async send(client) {
      try {
        const sent = await send(client);
        return Array.isArray(sent)
          ? { texts: sent, isError: false, code: undefined }
          : { ...sent, code: undefined };
      } catch (error) {
        const { code, message, data } = error as { code?: number; message: string; data?: unknown };
        return { texts: [message, JSON.stringify(data) ?? ''], isError: true, code };
      }
    },
  };
}
