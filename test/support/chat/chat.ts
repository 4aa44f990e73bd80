/** Users of a demo organisation for tests of chat: their calls, and the events they get. */
import { createUser } from '../../../src/chat/commands/users/create-user';
import { eventDelivery } from '../../../src/chat/model/events/event';
import type { Role } from '../../../src/chat/model/users/user';
import { getRealm } from '../../../src/chat/queries/organisation/find-realm';
import { callerOf, encoded } from './people';
import { basicHeader, type Answer } from '../http/client';
import type { TestNode } from '../kernel/cluster';
import { chatOf } from '../kernel/parts';

type Fields = Readonly<Record<string, unknown>>;

export interface TestUser {
  readonly email: string;
  readonly id: number;
  get(path: string, query?: Fields): Promise<Answer>;
  post(path: string, form?: Fields): Promise<Answer>;
  patch(path: string, form?: Fields): Promise<Answer>;
  del(path: string, form?: Fields): Promise<Answer>;
  /** Starts to listen; the returned function gives the events since then, up to its call. */
  listen(types?: readonly string[], more?: Fields): Promise<() => Promise<Event[]>>;
}

/** An event that arrives after everything published before it, because all events have one order. */
const MARKER = 'pointer';
/** Negative, because no message has such an id: pointers that users set are not markers. */
let lastMarker = -1;
const isMarker = ({ type, pointer }: Event): boolean => type === MARKER && pointer < 0;

// oxlint-disable-next-line typescript/no-explicit-any -- events of every shape
type Event = Record<string, any>;

export async function userOf(node: TestNode, name: string): Promise<TestUser> {
  const email = name.includes('@') ? name : `${name}@example.com`;
  return withHeaders(node, email, await node.basic(email));
}

/** A new user without subscriptions. */
export async function newUser(node: TestNode, name: string, role: Role = 'member'): Promise<TestUser> {
  const { id: realmId } = await getRealm(chatOf(node.kernel));
  const email = `${name}@example.com`;
  const { key } = await createUser(node.kernel, { realmId, email, fullName: `User ${name}`, role });
  return withHeaders(node, email, basicHeader(email, key));
}

async function withHeaders(node: TestNode, email: string, headers: Record<string, string>): Promise<TestUser> {
  const caller = await callerOf(node, email, headers);
  const get = (path: string, query: Fields = {}) => caller.get(path, encoded(query));
  const post = (path: string, form: Fields = {}) => caller.post(path, encoded(form));
  const patch = (path: string, form: Fields = {}) => caller.patch(path, encoded(form));
  const del = (path: string, form: Fields = {}) => caller.del(path, encoded(form));
  return {
    email,
    id: caller.id,
    get,
    post,
    patch,
    del,
    async listen(types, more) {
      const form = types ? { event_types: [...types, MARKER] } : {};
      const { body: queue } = await post('/register', { ...form, ...more });
      let last = queue.last_event_id;
      const events: Event[] = [];
      return async () => {
        const ending = (lastMarker -= 1);
        const { id: realmId } = await getRealm(chatOf(node.kernel));
        const end = eventDelivery(realmId, 'everyone', { type: MARKER, pointer: ending });
        await node.kernel.transaction((tx) => Promise.resolve(tx.deliver(end)));
        const isEnd = (event: Event) => isMarker(event) && event['pointer'] === ending;
        while (!events.some(isEnd)) {
          const { body: answer } = await get('/events', { queue_id: queue.queue_id, last_event_id: last });
          for (const { id, ...event } of answer.events as Event[]) {
            events.push(event);
            last = id;
          }
        }
        const heard = events.splice(0, events.findIndex(isEnd) + 1);
        return heard.filter((event) => !isMarker(event));
      };
    },
  };
}
