/** What an operator did, to what, and by which way. */
export interface Deed {
  readonly operator: string;
  readonly door: 'api' | 'cli' | 'console';
  readonly action: string;
  readonly target: string;
  /** How many things it changed; null where that is not counted. */
  readonly count: number | null;
}

export interface AuditEntry extends Omit<Deed, 'door'> {
  /** Older entries know ways that there are no more. */
  readonly door: string;
  readonly id: number;
  readonly at: Date;
}

/** Who acts, and by which way. */
export type Actor = Pick<Deed, 'operator' | 'door'>;
