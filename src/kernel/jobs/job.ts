/** A job definition: what the caller and the worker agree on. Each job has a queue of its name. */
import { tenantOf, type Tenant } from '../actor/address';
import type { Delivery } from '../mysql/outbox';
import { versionOf } from './versions';

declare const types: unique symbol;

export interface JobDefinition<Payload, Answer> {
  readonly name: string;
  /** How often a failing job is tried in all. */
  readonly attempts: number;
  /** Before the second try; doubles with each further one. */
  readonly backoffMs: number;
  /** The version of its payload: raised when a worker of the previous release would misread it. */
  readonly version?: number;
  /** The tenant that it works for, if any. */
  readonly whose?: (payload: Payload) => Tenant | undefined;
  /** The group that it takes turns in, if that is not the tenant. */
  readonly turnOf?: (payload: Payload) => string | undefined;
  readonly [types]?: (payload: Payload) => Answer;
}

export function defineJob<Payload, Answer = void>(
  name: string,
  options: Pick<JobDefinition<Payload, Answer>, 'attempts' | 'backoffMs' | 'version' | 'whose' | 'turnOf'>,
): JobDefinition<Payload, Answer> {
  return { name, ...options };
}

export const JOB_PUBLISHER = 'job';

/** A job in the queue: the payload and, if someone waits for a reply, the id of the reply's row. */
export interface JobEnvelope<Payload> {
  readonly payload: Payload;
  /** The payload's version; without one it is the first. */
  readonly v?: number;
  readonly request?: string;
  /** Shown only to operators. */
  readonly tenant?: Tenant;
}

export function envelopeOf<Payload>(job: JobDefinition<Payload, unknown>, payload: Payload): JobEnvelope<Payload> {
  const tenant = job.whose?.(payload);
  const v = versionOf(job);
  return tenant === undefined ? { v, payload } : { v, payload, tenant };
}

/** A job in the outbox, on its way to the queue. */
export interface JobOrder {
  readonly job: string;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly envelope: JobEnvelope<unknown>;
}

/** The tenant of outbox rows for jobs that belong to none. In the queue such jobs have no tenant and no turn. */
export const NOBODY = tenantOf('kernel', 'jobs');

/** A job that is queued once the transaction has committed. */
export function jobDelivery<Payload>(
  tenant: Tenant,
  job: JobDefinition<Payload, unknown>,
  envelope: JobEnvelope<Payload>,
): Delivery {
  const { name, attempts, backoffMs } = job;
  const whose = tenant === NOBODY ? {} : { tenant };
  const order: JobOrder = { job: name, attempts, backoffMs, envelope: { ...whose, v: versionOf(job), ...envelope } };
  return { publisher: JOB_PUBLISHER, tenant, body: JSON.stringify(order) };
}

/** A job for work that is stored in rows: while one with this id waits, another adds nothing. */
export interface WakeOrder {
  // oxlint-disable-next-line typescript/no-explicit-any -- a list of wakes holds payloads of every kind
  readonly job: JobDefinition<any, void>;
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
