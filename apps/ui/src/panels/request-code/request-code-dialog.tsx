import { useQuery } from '@tanstack/react-query';
import type { ShownRequest } from '@trestle/driver-kit';
import { data } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { CodeDialog } from './code-dialog.tsx';

/** A page or a search as code, in each language that the driver supports. */
export function RequestCodeDialog(props: {
  connectionId: string;
  /** Null while the dialog is closed. */
  shown: ShownRequest | null;
  /** The subject, for the title: "Mission", "Hybrid 0.50". */
  name: string;
  onClose(): void;
}) {
  const { connectionId, shown } = props;
  const codes = useQuery({
    queryKey: queryKeys.rows(connectionId, shown?.request.table ?? '', 'code', shown),
    enabled: shown !== null,
    retry: false,
    queryFn: ({ signal }) => data('showRequest', connectionId, shown!, signal),
  });
  return (
    <CodeDialog
      open={shown !== null}
      onClose={props.onClose}
      title={`${props.name} as code`}
      codes={codes.data ?? []}
      error={codes.error}
    />
  );
}
