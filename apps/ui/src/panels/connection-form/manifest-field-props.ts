import type { ConnectionFields, ManifestField as Field } from '@trestle/driver-kit';
import type { FieldInput } from './form-values.ts';

export interface ManifestFieldProps<Type extends Field['type'] = Field['type'], Input = FieldInput> {
  field: Field & { type: Type };
  input: Input;
  error?: string;
  onChange(input: FieldInput): void;
  /** Fills several fields from an address, for example the host and the port. */
  onFill?(fields: ConnectionFields): void;
}
