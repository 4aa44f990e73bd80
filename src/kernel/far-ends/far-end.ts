/** Servers of others that this one speaks to, as operators see and connect them: PBXs, carriers, webhooks, mail. */
import type { Database } from '../mysql/pool';

export const FAR_END_KINDS = ['pbx', 'carrier', 'webhook', 'mail'] as const;
export type FarEndKind = (typeof FAR_END_KINDS)[number];

export interface FarEnd {
  readonly kind: FarEndKind;
  /** Unique within its kind. */
  readonly id: string;
  /** Whose it is; null if it is the installation's. */
  readonly tenant: string | null;
  readonly tenantName: string | null;
  /** Tells it from the others of its tenant. Shown to operators, so without secrets. */
  readonly name: string;
  /** Where its work waits. */
  readonly work: { readonly workQueue: string; readonly subject: string };
}

/** Lists the far ends of one product: all, or those with these ids. */
export type ListFarEnds = (db: Database, ids?: readonly string[]) => Promise<readonly FarEnd[]>;
