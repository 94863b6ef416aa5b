import { Check, ClipboardCopy } from 'lucide-react';
import { useContext, useEffect, useState } from 'react';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { CurrentConnection } from '../../controls/connection-sign/current-connection.tsx';
import type { ApiError } from '../api/api.ts';
import { copyDetails } from './error-details.ts';

/** Copies an error to the clipboard, for a report. */
export function CopyDetails({ error }: { error: ApiError }) {
  const connection = useContext(CurrentConnection)?.name ?? null;
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const Icon = state === 'copied' ? Check : ClipboardCopy;
  return (
    <IconButton
      size="small"
      label={labels[state]}
      onClick={() =>
        copyDetails(error, connection).then(
          () => setState('copied'),
          () => setState('failed'),
        )
      }
    >
      <Icon size={13} aria-hidden />
    </IconButton>
  );
}

const labels = { ready: 'Copy details', copied: 'Copied', failed: 'The browser did not copy' };
