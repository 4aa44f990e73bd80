/** An abuse: hostile traffic that goes on until it is told to stop, while others use the same node. */
import type { TestClient } from '../support/http/client';

/** The node under attack: a separate process with a heap of 512 MB, with the demo data of the contract. */
export interface Target extends TestClient {
  readonly url: string;
  readonly port: number;
}

/** What the abuse did, by name: requests sent, answers by status, connections opened. */
export type AbuseCounts = Record<string, number>;

export interface Abuse {
  /** Kebab-case; the name of the row in the table. */
  readonly name: string;
  /** One sentence for the reader of the table. */
  readonly summary: string;
  /** Environment of the node; abuses with the same environment share a node. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Creates what the abuse needs (accounts, messages, a queue) before the measurement starts. */
  prepare?(target: Target): Promise<void>;
  /** Attacks until the signal aborts, with at most 600 concurrent connections. */
  run(target: Target, signal: AbortSignal): Promise<AbuseCounts>;
}
