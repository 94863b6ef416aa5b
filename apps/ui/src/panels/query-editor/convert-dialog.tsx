import { useQuery } from '@tanstack/react-query';
import { data } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { CodeDialog } from '../request-code/index.ts';

/** A statement in other languages. `text` is null while the dialog is closed. */
export function ConvertDialog(props: { connectionId: string; text: string | null; onClose(): void }) {
  const { connectionId, text } = props;
  const codes = useQuery({
    queryKey: [...queryKeys.editorSchema(connectionId), 'convert', text],
    enabled: text !== null,
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => data('convertStatement', connectionId, { text: text ?? '' }, signal),
  });
  return (
    <CodeDialog
      open={text !== null}
      onClose={props.onClose}
      title="The query, converted"
      codes={codes.data ?? []}
      error={codes.error}
    />
  );
}
