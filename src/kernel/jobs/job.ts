/** A job definition: what wakes a worker, or runs on a schedule. Each job has a queue of its name. */
import type { Tenant } from '../actor/address';
import { versionOf } from './versions';

export interface JobDefinition<Payload> {
  readonly name: string;
  /** The version of its payload: raised when a worker of the previous release would misread it. */
  readonly version?: number;
  /** The tenant that it works for, if any. */
  readonly whose?: (payload: Payload) => Tenant | undefined;
  /** The group that it takes turns in, if that is not the tenant. */
  readonly turnOf?: (payload: Payload) => string | undefined;
}

export const defineJob = <Payload>(
  name: string,
  options: Omit<JobDefinition<Payload>, 'name'> = {},
): JobDefinition<Payload> => ({ name, ...options });

/** A job in the queue. */
export interface JobEnvelope<Payload> {
  readonly payload: Payload;
  /** The payload's version; without one it is the first. */
  readonly v?: number;
  /** Shown only to operators. */
  readonly tenant?: Tenant;
}

export function envelopeOf<Payload>(job: JobDefinition<Payload>, payload: Payload): JobEnvelope<Payload> {
  const tenant = job.whose?.(payload);
  const v = versionOf(job);
  return tenant === undefined ? { v, payload } : { v, payload, tenant };
}

/** A job for work that is stored in rows: while one with this id waits, another adds nothing. */
export interface WakeOrder {
  // oxlint-disable-next-line typescript/no-explicit-any -- a list of wakes holds payloads of every kind
  readonly job: JobDefinition<any>;
  readonly id: string;
  readonly payload: unknown;
  readonly afterMs?: number;
  /** Orders for this id come in bursts, and share wakes (burst-wakes.ts). */
  readonly isBurst?: boolean;
}

export interface Waker {
  /** Nobody waits for this. The rows are the work: a lost wake costs only time, until a sweep finds them. */
  wake(...orders: readonly WakeOrder[]): void;
}
