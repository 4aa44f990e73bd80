/** Authenticates operators by key or session, and lets read-only operators only read. */
import { addressGroup } from '../../kernel/admission/address-group';
import { ensure } from '../../kernel/fault';
import type { Incoming } from '../../kernel/http/incoming';
import type { RateLimit } from '../../kernel/admission/rate-limit';
import type { RouteFacts } from '../../kernel/http/route';
import type { Kernel, Storage } from '../../kernel/kernel';
import type { Keyspace } from '../../kernel/redis/connections';
import { sessionEnded } from '../../kernel/sessions/page-faults';
import { checkOrigin, readPageSession } from '../../kernel/web-pages/page-requests';
import type { Actor } from '../model/audit';
import { mayOnlyLook, unknownOperator } from '../model/faults';
import { type Operator, OPERATOR_COOKIE } from '../model/operator';
import { findOperator, findSessionOperator } from '../queries/operators';

/** What authenticating operators depends on. */
export interface Access {
  readonly kernel: Storage &
    Keyspace &
    Pick<Kernel, 'jobs' | 'keys' | 'lifecycle' | 'log' | 'metrics' | 'pause' | 'settings'>;
  /** Limits wrong keys per address. Keys cannot be guessed, but attempts should not go on for long. */
  readonly wrongKeys: RateLimit;
}

/** An operator and the entry point they came through. */
export interface Caller extends Operator {
  readonly via: Actor['via'];
}

export const actorOf = ({ name, via }: Caller): Actor => ({ operator: name, via });

/** A route that admits `readers` is open to read-only operators, whatever its method. */
export const READERS = 'readers';

/** A key takes precedence over a session, because it says which operator is meant. */
export async function admitOperator(access: Access, incoming: Incoming, { admits }: RouteFacts): Promise<Caller> {
  const hasKey = incoming.header('authorization') !== '';
  const caller = await (hasKey ? byKey(access, incoming) : bySession(access, incoming));
  if (isReading(incoming) || admits.includes(READERS)) return caller;
  ensure(caller.access === 'full', mayOnlyLook(caller.name));
  // Browsers attach stored Basic credentials to requests that other sites trigger.
  checkOrigin(incoming);
  return caller;
}

async function byKey({ kernel, wrongKeys }: Access, incoming: Incoming): Promise<Caller> {
  const authorization = incoming.header('authorization');
  const operator = await findOperator(kernel, { authorization, from: incoming.ip });
  if (operator) return { ...operator, via: 'api' };
  await wrongKeys.count(addressGroup(incoming.ip));
  throw unknownOperator();
}

async function bySession({ kernel }: Access, incoming: Incoming): Promise<Caller> {
  const token = readPageSession(incoming, { cookie: OPERATOR_COOKIE, secrets: kernel.secrets, isFile: false });
  ensure(token !== undefined, unknownOperator());
  const operator = await findSessionOperator(kernel, token, incoming.ip);
  ensure(operator !== undefined, sessionEnded());
  return { ...operator, via: 'console' };
}

const isReading = ({ method }: Incoming): boolean => method === 'GET' || method === 'HEAD';
