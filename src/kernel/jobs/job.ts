/** A job by name: what both ends, the one who asks and the one who works, agree on. Each job has a queue of its name. */
import type { Tenant } from '../actor/address';
import type { Delivery } from '../mysql/outbox';
import { versionOf } from '../versions';

declare const types: unique symbol;

export interface JobDefinition<Payload, Answer> {
  readonly name: string;
  /** How often a failing job is tried in all. */
  readonly attempts: number;
  /** Before the second try; doubles with each further one. */
  readonly backoffMs: number;
  /** The form of its payload: raised when a worker of the release before would misread it. */
  readonly version?: number;
  /** Whose work it is; missing where it is nobody's in particular. */
  readonly whose?: (payload: Payload) => Tenant | undefined;
  /** With whose jobs it takes turns, where that is not `whose`. */
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

/** What lies in the queue: the payload and, if someone waits for the answer, the row it is owed to. */
export interface JobEnvelope<Payload> {
  readonly payload: Payload;
  /** Of the payload's form; a release that did not number them wrote the first. */
  readonly v?: number;
  readonly ask?: string;
  /** Only operators look at it: work that an older release has put there lacks it. */
  readonly tenant?: Tenant;
}

export function envelopeOf<Payload>(job: JobDefinition<Payload, unknown>, payload: Payload): JobEnvelope<Payload> {
  const tenant = job.whose?.(payload);
  const v = versionOf(job);
  return tenant === undefined ? { v, payload } : { v, payload, tenant };
}

/** What lies in the outbox until it is in the queue. */
export interface JobOrder {
  readonly job: string;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly envelope: JobEnvelope<unknown>;
}

/** A job that begins once the transaction has committed. */
export function jobDelivery<Payload>(
  tenant: Tenant,
  job: JobDefinition<Payload, unknown>,
  envelope: JobEnvelope<Payload>,
): Delivery {
  const { name, attempts, backoffMs } = job;
  const order: JobOrder = { job: name, attempts, backoffMs, envelope: { tenant, v: versionOf(job), ...envelope } };
  return { carrier: JOB_PUBLISHER, tenant, body: JSON.stringify(order) };
}

/** A job for work that lies in rows: while one of this id waits, another adds nothing. */
export interface WakeOrder {
  // oxlint-disable-next-line typescript/no-explicit-any -- a list of wakes holds payloads of every kind
  readonly job: JobDefinition<any, void>;
  readonly id: string;
  readonly payload: unknown;
  readonly afterMs?: number;
}
