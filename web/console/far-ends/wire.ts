/** Types of the API of far ends. */
export const FAR_END_KINDS = ['pbx', 'carrier', 'webhook', 'mail'] as const;
export type FarEndKind = (typeof FAR_END_KINDS)[number];
export const FAR_END_STATES = ['failing', 'ok', 'unknown'] as const;

export interface FarEnd {
  readonly kind: FarEndKind;
  readonly id: string;
  readonly tenant: string | null;
  readonly tenant_name: string | null;
  readonly name: string;
  readonly state: (typeof FAR_END_STATES)[number];
  readonly succeeded_at: string | null;
  readonly failed_at: string | null;
  readonly failing_since: string | null;
  readonly failures: number;
  readonly error: string;
  readonly work: { readonly work_queue: string; readonly subject: string };
}

export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'address' | 'secret' | 'lines';
  readonly is_required: boolean;
}

/** What can be connected, and what that takes. */
export interface FarEndForm {
  readonly kind: FarEndKind;
  readonly types: readonly { readonly type: string; readonly fields: readonly Field[] }[];
  readonly test_fields: readonly Field[];
}

export interface FarEndsAnswer {
  readonly kinds: readonly FarEndForm[];
  readonly total: number;
  readonly far_ends: readonly FarEnd[];
}

export interface Connected {
  readonly kind: FarEndKind;
  readonly id: string;
  /** What the other side has to be told. */
  readonly shown: Readonly<Record<string, string>>;
}

export interface TestResult {
  readonly is_well: boolean;
  readonly took_ms: number;
  readonly detail: string;
}

export const pathOf = ({ kind, id }: Pick<FarEnd, 'kind' | 'id'>): string =>
  `/far-ends/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`;
