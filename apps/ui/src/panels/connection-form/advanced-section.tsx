import { Collapsible } from '@base-ui/react/collapsible';
import type { Manifest, ManifestField as ManifestFieldType } from '@trestle/driver-kit';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Field } from '../../controls/fields/field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { TextField } from '../../controls/fields/text-field.tsx';
import styles from './connection-form.module.css';
import { FieldRows } from './field-rows.tsx';
import { MaskingFields } from './masking-fields.tsx';
import { aiPolicies, explain, externalClientLevels, safeModes } from './policies.ts';
import type { useConnectionForm } from './use-connection-form.ts';

/** The driver's advanced fields, then the advanced fields that every connection has. */
export function AdvancedSection(props: {
  form: ReturnType<typeof useConnectionForm>;
  manifest: Manifest;
  fields: ManifestFieldType[];
}) {
  const { values, problems, set } = props.form;
  const [isOpen, setOpen] = useState(false);
  const hasProblem =
    problems.reachLimit !== undefined || props.fields.some((field) => problems.fields[field.id]);
  // The section stays open when the problem is solved: the user may still be typing in it.
  if (hasProblem && !isOpen) setOpen(true);
  return (
    <Collapsible.Root className={styles.advanced} open={isOpen} onOpenChange={setOpen}>
      <Collapsible.Trigger className={styles.advancedTrigger}>
        <ChevronRight size={14} aria-hidden />
        Advanced
        <span>External clients: {explain(externalClientLevels, values.externalClients).label}</span>
      </Collapsible.Trigger>
      <Collapsible.Panel className={styles.advancedFields}>
        <FieldRows form={props.form} fields={props.fields} />
        <Field label="External Clients" help={explain(externalClientLevels, values.externalClients).detail}>
          <Select
            value={values.externalClients}
            options={externalClientLevels}
            onValueChange={(externalClients) => set({ externalClients })}
          />
        </Field>
        <Field label="AI Policy" help={explain(aiPolicies, values.aiPolicy).detail}>
          <Select
            value={values.aiPolicy}
            options={aiPolicies}
            onValueChange={(aiPolicy) => set({ aiPolicy })}
          />
        </Field>
        <TextField
          label="Reach Limit"
          help="How many existing rows an AI client may change or delete by one statement. More rows, rows that are affected through a foreign key, and an unknown number of rows need your approval in this window each time. Trestle also asks if a client changes ten times as many rows in an hour (Settings → Integrations → Server)."
          value={values.reachLimit}
          onValueChange={(reachLimit) => set({ reachLimit })}
          {...(problems.reachLimit !== undefined && { error: problems.reachLimit })}
        />
        <MaskingFields
          value={values.masking}
          onChange={(masking) => set({ masking })}
          guardsColumns={props.manifest.guardsColumns === true}
        />
        <Field label="Safe Mode" help={explain(safeModes, values.safeMode).detail}>
          <Select
            value={values.safeMode}
            options={safeModes}
            onValueChange={(safeMode) => set({ safeMode })}
          />
        </Field>
      </Collapsible.Panel>
    </Collapsible.Root>
  );
}
