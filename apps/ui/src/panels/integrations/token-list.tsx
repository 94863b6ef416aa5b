import { useQuery } from '@tanstack/react-query';
import { Ban, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { Badge } from '../../controls/marks/badge.tsx';
import { EmptyState } from '../../controls/marks/empty-state.tsx';
import { Menu } from '../../controls/menus/menu.tsx';
import { api } from '../../data/api/api.ts';
import type { Token } from '../../data/api/api-types.ts';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { queryClient, useConnections } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { CreateToken } from './create-token.tsx';
import styles from './integrations.module.css';
import { permissionLabel, reachWords, tokenState } from './token-words.ts';

export function TokenList() {
  const tokens = useQuery({
    queryKey: queryKeys.tokens,
    queryFn: ({ signal }) => api.tokens.list.query(undefined, { signal }),
    // Polls, because no event reports the last use of a token.
    refetchInterval: 5000,
  });
  const create = useRef<HTMLButtonElement>(null);
  const [creating, setCreating] = useState(false);
  // `asking` stays set while the dialog fades out, so that its text does not change.
  const [asking, setAsking] = useState<{ token: Token; to: 'revoke' | 'delete' } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isDeleted = useRef(false);
  const act = async () => {
    if (!asking) return;
    const { token, to } = asking;
    await (to === 'revoke' ? api.tokens.revoke.mutate(token.id) : api.tokens.remove.mutate(token.id));
    await queryClient.invalidateQueries({ queryKey: queryKeys.tokens });
    isDeleted.current = to === 'delete';
    setIsOpen(false);
  };
  return (
    <div className={styles.page}>
      <header className={styles.heading}>
        <h2>Tokens</h2>
        {tokens.data && (
          <Button ref={create} icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
            New token
          </Button>
        )}
      </header>
      <p className={styles.help}>
        Clients that connect over HTTP need a token. Clients that connect through trestle-mcp do not.
      </p>
      {tokens.error && <ErrorNote error={tokens.error} />}
      {tokens.data?.length === 0 && <EmptyState title="No tokens" />}
      {tokens.data && tokens.data.length > 0 && (
        <ul className={styles.list}>
          {tokens.data.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onAsk={(to) => {
                isDeleted.current = false;
                setAsking({ token, to });
                setIsOpen(true);
              }}
            />
          ))}
        </ul>
      )}
      {creating && <CreateToken onClose={() => setCreating(false)} />}
      <AlertDialog
        open={isOpen}
        danger
        title={asking?.to === 'delete' ? `Delete “${asking.token.name}”?` : `Revoke “${asking?.token.name}”?`}
        confirm={asking?.to === 'delete' ? 'Delete token' : 'Revoke token'}
        // The menu that had the focus was removed together with its row.
        finalFocus={() => (isDeleted.current ? create.current : true)}
        onConfirm={act}
        onCancel={() => setIsOpen(false)}
      >
        {asking?.to === 'delete'
          ? 'The token stops working and leaves the list.'
          : 'The token stops working at once, and its running calls are cancelled. It stays in the list.'}
      </AlertDialog>
    </div>
  );
}

function TokenRow(props: { token: Token; onAsk(to: 'revoke' | 'delete'): void }) {
  const { token } = props;
  const reach = reachWords(token.allowlist, useConnections().data);
  const { words, isOver } = tokenState(token, new Date());
  return (
    <li className={styles.token}>
      <div>
        <p className={styles.name}>
          {token.name}
          <Badge>{permissionLabel(token.permission)}</Badge>
        </p>
        <p className={styles.help}>{reach}</p>
        <p className={isOver ? styles.over : styles.help}>{words}</p>
      </div>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More for ${token.name}`}>
            <Ellipsis size={15} aria-hidden />
          </IconButton>
        }
        entries={[
          {
            label: 'Revoke…',
            icon: <Ban size={13} />,
            disabled: token.revokedAt !== null,
            onSelect: () => props.onAsk('revoke'),
          },
          {
            label: 'Delete…',
            icon: <Trash2 size={13} />,
            danger: true,
            onSelect: () => props.onAsk('delete'),
          },
        ]}
      />
    </li>
  );
}
