/** What an operator did, to what, and through which entry point. */
export interface AuditRecord {
  readonly operator: string;
  readonly via: 'api' | 'cli' | 'console';
  readonly action: string;
  readonly target: string;
  /** How many items it changed; null if not counted. */
  readonly count: number | null;
}

export interface AuditEntry extends Omit<AuditRecord, 'via'> {
  /** Old entries may name entry points that no longer exist. */
  readonly via: string;
  readonly id: number;
  readonly at: Date;
}

/** Who acts, and through which entry point. */
export type Actor = Pick<AuditRecord, 'operator' | 'via'>;
