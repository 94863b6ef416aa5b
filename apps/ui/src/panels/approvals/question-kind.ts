import type { ComponentType } from 'react';
import type { PendingApproval } from '../../data/api/api-types.ts';

export type Kind = PendingApproval['kind'];

/** How the dialog shows a kind of question. The core gives its title and what the client may do. */
export interface QuestionKind<One extends Kind = Kind> {
  /** The data that will be lost or sent, above the facts. */
  Warning?: ComponentType<{ question: PendingApproval & { kind: One } }>;
  /** Pairs of `dt` and `dd`, after the client and the connection. */
  Facts?: ComponentType<{ question: PendingApproval & { kind: One } }>;
  /** Shown exactly, in a block of its own. */
  statement(question: PendingApproval & { kind: One }): string | null;
  /** How far an approval and a refusal reach. */
  footnote: string;
  /** The label of "Allow once", if the kind has it. */
  allowOnce?: string;
  allow: { label: string; variant: 'danger' | 'plain' };
}
