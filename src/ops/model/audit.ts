/** What an operator did, to what, and by which way. */
export interface Deed {
  readonly operator: string;
  readonly door: 'api' | 'board' | 'cli' | 'console';
  readonly action: string;
  readonly target: string;
  /** How many things it changed; null where that is not counted. */
  readonly count: number | null;
}

export interface AuditEntry extends Deed {
  readonly id: number;
  readonly at: Date;
}

/** Who acts, and by which way. */
export type Actor = Pick<Deed, 'operator' | 'door'>;
