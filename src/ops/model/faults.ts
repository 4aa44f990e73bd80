/** Refusals that operators get. */
import { Fault } from '../../kernel/fault';
import type { Remedy } from '../../kernel/jobs/work-queue-admin';

export const unknownOperator = () =>
  new Fault('unauthenticated', 'An operator’s key is required', {
    headers: { 'WWW-Authenticate': 'Bearer realm="Partyline operators"' },
  });
export const mayOnlyLook = (name: string) =>
  new Fault('forbidden', `${name} may look at everything and change nothing`);
export const wrongKey = () =>
  new Fault('unauthenticated', 'There is no operator of this name with this key', { code: 'BAD_CREDENTIALS' });
export const notADevelopmentServer = () => new Fault('invalid', 'demo: this is not a development server');
export const noSuchWorkQueue = (name: string, known: readonly string[]) =>
  new Fault('missing', `There is no work queue named "${name}"; there are ${known.join(', ')}`);
export const noSuchItem = (workQueue: string, id: string) =>
  new Fault('missing', `There is no "${id}" among ${workQueue}`);
export const noSuchKind = (kind: string, known: readonly string[]) =>
  new Fault('missing', `There are no tenants of the kind "${kind}"; there are ${known.join(', ')}`);
export const noSuchTenant = (kind: string, id: string) => new Fault('missing', `There is no ${kind} "${id}"`);
export const noSuchLimit = (name: string, known: readonly string[]) =>
  new Fault('invalid', `${name}: cannot be limited; what can be is ${known.join(', ')}`);
export const noOwnerToInvite = (kind: string) => new Fault('conflict', `The owner of an ${kind} is not invited here`);
export const noSuchFarEnd = (kind: string, id: string) => new Fault('missing', `There is no ${kind} "${id}"`);
export const noSuchFarEndKind = (kind: string) =>
  new Fault('missing', `Nothing of the kind "${kind}" is connected here`);
/** Carried over from the product, as an example. */
export const farEndTaken = () => new Fault('conflict', 'There is a number +15550100001 already');
export const noSuchFarEndType = (type: string, known: readonly string[]) =>
  new Fault('invalid', `type: there is no "${type}"; there are ${known.join(', ')}`);
export const afterNeedsKind = () => new Fault('invalid', 'after: needs kind too, as each kind has ids of its own');
export const noSuchQueue = (name: string) => new Fault('missing', `There is no queue named "${name}"`);
/** Ids are unique only within a work queue, and an unknown id would silently return the first page. */
export const beforeNeedsWorkQueue = () =>
  new Fault('invalid', 'before: needs work_queue too, as each work queue has ids of its own');
export const beforeNothing = (workQueue: string, id: string) =>
  new Fault('invalid', `before: there is no "${id}" among ${workQueue}`);
export const cannotBe = (remedy: Remedy, id: string, state: string) =>
  new Fault('conflict', `"${id}" is ${state}: it cannot be ${DONE[remedy]}${remedy === 'replay' ? ONLY_DONE : ''}`);
export const noSuchRemedy = (workQueue: string, remedy: Remedy, others: readonly Remedy[]) =>
  new Fault(
    'conflict',
    `There is nothing to ${remedy} among ${workQueue}: they can only be ${others.map((each) => DONE[each]).join(' or ') || 'looked at'}`,
  );

const DONE: Readonly<Record<Remedy, string>> = { retry: 'retried', discard: 'discarded', replay: 'replayed' };
const ONLY_DONE = ', as only what was sent can';
