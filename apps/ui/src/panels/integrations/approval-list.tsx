import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { timeAgo } from '../../controls/text/time-ago.ts';
import { api } from '../../data/api/api.ts';
import { tokenLabel } from '../../data/connections/token-label.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { showError } from '../../data/messages/toast.tsx';
import { queryClient } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import styles from './integrations.module.css';

/** The approvals that last until Trestle stops, each with a button to withdraw it. */
export function ApprovalList() {
  const granted = useQuery({
    queryKey: queryKeys.grantedApprovals,
    queryFn: ({ signal }) => api.approvals.granted.query(undefined, { signal }),
  });
  const heading = useRef<HTMLHeadingElement>(null);
  const withdrawn = useRef<string | null>(null);
  // If the button that has the focus is removed together with its row, the focus must move elsewhere.
  useEffect(() => {
    if (!withdrawn.current || granted.data?.some(({ id }) => id === withdrawn.current)) return;
    withdrawn.current = null;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [granted.data]);
  const withdraw = async (id: string) => {
    withdrawn.current = id;
    try {
      await api.approvals.withdraw.mutate(id);
    } catch (error) {
      withdrawn.current = null;
      showError('The approval was not withdrawn', error);
    }
    await queryClient.invalidateQueries({ queryKey: queryKeys.approvals });
  };
  if (granted.error) return <ErrorNote error={granted.error} />;
  if (!granted.data) return null;
  const now = new Date();
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        Approvals
      </h2>
      {granted.data.length === 0 ? (
        <p className={styles.help}>
          No client has a lasting approval. If the AI Policy of a connection is Ask Each Time, Trestle asks
          you when a client calls. A client that you allow until Trestle stops is listed here.
        </p>
      ) : (
        <ul className={styles.list} aria-label="Approvals">
          {granted.data.map(({ id, clientName, tokenName, connection, grantedAt, endpoint }) => (
            <li key={id} className={styles.token}>
              <div>
                <p className={styles.name}>
                  {endpoint
                    ? `Keys of ${connection.name} may go to ${endpoint.value} for ${endpoint.table}`
                    : `${clientName} may use ${connection.name}`}
                </p>
                <p className={styles.help}>
                  {endpoint ? `${clientName} asked` : tokenLabel(tokenName)} · allowed{' '}
                  {timeAgo(grantedAt, now)}, {endpoint ? 'for every client' : 'until Trestle stops'}
                </p>
              </div>
              <Button
                size="small"
                aria-label={`Withdraw: ${endpoint?.value ?? clientName}, ${connection.name}`}
                onClick={() => withdraw(id)}
              >
                Withdraw
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
