import type { Json } from '@trestle/driver-kit';
import { Copy } from 'lucide-react';
import { Button } from '../shared/button.tsx';
import { JsonTree } from '../shared/json-tree.tsx';
import { showToast } from '../shared/toast.tsx';
import styles from './json-document.module.css';

/** A document as formatted JSON, folded by its brackets. What is folded is not drawn. */
export function JsonDocument({ value }: { value: Json }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(value, null, 2));
      showToast({ title: 'Copied the document' });
    } catch {
      showToast({ title: 'The browser refused access to the clipboard', level: 'error' });
    }
  };
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long document is scrolled by keyboard */}
      <section className={styles.document} aria-label="Document" tabIndex={0}>
        <JsonTree value={value} />
      </section>
      <Button size="small" className={styles.copy} icon={<Copy size={13} aria-hidden />} onClick={copy}>
        Copy
      </Button>
    </div>
  );
}
