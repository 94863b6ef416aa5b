import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { showError } from './toast.tsx';

/** Copies a text and confirms the copy for a moment. `what` names the text: "token", "address". */
export function CopyButton(props: { text: string; what: string; compact?: boolean }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(props.text).then(
      () => setCopied(true),
      (error) => showError(`The ${props.what} was not copied`, error),
    );
  const Icon = copied ? Check : Copy;
  if (props.compact) {
    return (
      <IconButton label={copied ? 'Copied' : `Copy ${props.what}`} size="small" onClick={copy}>
        <Icon size={13} aria-hidden />
      </IconButton>
    );
  }
  return (
    <Button size="small" icon={<Icon size={13} aria-hidden />} onClick={copy}>
      {copied ? 'Copied' : `Copy ${props.what}`}
    </Button>
  );
}
