/** What an abuse is: hostile traffic that goes on until it is told to stop, while others use the same node. */
import type { TestClient } from '../support/client';

/** The node under attack: a process of its own with a heap of 512 MB, with the demo data of the contract. */
export interface Target extends TestClient {
  readonly url: string;
  readonly port: number;
}

/** What the abuse did, by name: requests sent, answers by status, connections opened. */
export type AbuseCounts = Record<string, number>;

export interface Abuse {
  /** Kebab-case; the row of the table. */
  readonly name: string;
  /** One sentence for the reader of the table. */
  readonly summary: string;
  /** Environment the node is started with; abuses with the same environment share a node. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Brings in what the abuse needs (accounts, messages, a queue) before the clock starts. */
  prepare?(target: Target): Promise<void>;
  /** Attacks until the signal aborts, over at most 600 connections at once. */
  run(target: Target, signal: AbortSignal): Promise<AbuseCounts>;
}
