import { useQuery } from '@tanstack/react-query';
import type { StructureSection } from '@trestle/driver-kit';
import { Button } from '../../controls/buttons/button.tsx';
import { api } from '../../data/api/api.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { Section } from './section.tsx';
import styles from './structure-view.module.css';

/** The structure of a table, read-only, in the sections that its driver provides. */
export function StructureView(props: { connectionId: string; table: string; comment: string | undefined }) {
  const { connectionId, table } = props;
  const structure = useQuery({
    queryKey: queryKeys.rows(connectionId, table, 'structure'),
    queryFn: ({ signal }) => api.tables.structure.query({ connectionId, table }, { signal }),
  });
  const sections: StructureSection[] = structure.data?.sections ?? [];
  const aside = sections.filter((section) => section.aside);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the section, so it must take the focus
    <section className={styles.view} aria-label={`Structure of ${table}`} tabIndex={0}>
      {structure.error && (
        <ErrorNote error={structure.error}>
          <Button size="small" onClick={() => structure.refetch()}>
            Retry
          </Button>
        </ErrorNote>
      )}
      {structure.data && (
        <div className={styles.columns}>
          <div className={styles.main}>
            <h2 className={styles.title}>{table}</h2>
            {props.comment && <p className={styles.comment}>{props.comment}</p>}
            {sections
              .filter((section) => !section.aside)
              .map((section) => (
                <Section key={section.title} section={section} />
              ))}
          </div>
          {aside.length > 0 && (
            <div className={styles.side}>
              {aside.map((section) => (
                <Section key={section.title} section={section} />
              ))}
            </div>
          )}
        </div>
      )}
    </section>
  );
}
