/** A job by name: what both ends, the one who asks and the one who works, agree on. Each job has a queue of its name. */
import type { Tenant } from '../actor/address';
import type { Delivery } from '../mysql/outbox';

declare const types: unique symbol;

export interface JobDefinition<Payload, Answer> {
  readonly name: string;
  /** How often a failing job is tried in all. */
  readonly attempts: number;
  /** Before the second try; doubles with each further one. */
  readonly backoffMs: number;
  readonly [types]?: (payload: Payload) => Answer;
}

export function defineJob<Payload, Answer = void>(
  name: string,
  options: { attempts: number; backoffMs: number },
): JobDefinition<Payload, Answer> {
  return { name, ...options };
}

export const JOB_CARRIER = 'job';

/** What lies in the queue: the payload and, if someone waits for the answer, the row it is owed to. */
export interface JobEnvelope<Payload> {
  readonly payload: Payload;
  readonly ask?: string;
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
  const order: JobOrder = { job: job.name, attempts: job.attempts, backoffMs: job.backoffMs, envelope };
  return { carrier: JOB_CARRIER, tenant, body: JSON.stringify(order) };
}
