import type { DesignPlan } from '@trestle/driver-kit';
import { useState } from 'react';
import { Segments } from '../../controls/buttons/segments.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import code from '../../controls/styles/code-block.module.css';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import styles from './table-design.module.css';

/** The statements that will be sent, also as code in the languages of the driver. */
export function RequestPane({ plan, isStale }: { plan: DesignPlan | undefined; isStale: boolean }) {
  const [wanted, setWanted] = useState('');
  const steps = plan?.steps ?? [];
  const statements = steps.flatMap(({ text }) => text ?? []);
  const codes = [
    ...(statements.length > 0 ? [{ label: 'Statement', text: statements.join('\n\n') }] : []),
    ...(plan?.code ?? []),
  ];
  const shown = codes.find(({ label }) => label === wanted) ?? codes[0];
  const look = classNames(code.block, styles.code, isStale && styles.stale);
  const costs = steps.flatMap(({ cost }) => cost ?? []);
  return (
    <div className={styles.request}>
      <div className={styles.requestHead}>
        <h3>What will be sent</h3>
        {shown && <CopyButton compact what={shown.label} text={shown.text} />}
      </div>
      {codes.length > 1 && (
        <Segments
          label="Language"
          value={shown!.label}
          options={codes.map(({ label }) => ({ value: label, label }))}
          onValueChange={setWanted}
        />
      )}
      {costs.map((cost) => (
        <p key={cost} className={styles.help}>
          {cost}
        </p>
      ))}
      {shown ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
        <section tabIndex={0} aria-label={shown.label} className={look}>
          {shown.text}
        </section>
      ) : (
        <p className={styles.help}>
          {plan && plan.problems.length > 0
            ? 'The statement appears when the marked fields are corrected.'
            : 'The statement appears here.'}
        </p>
      )}
    </div>
  );
}
