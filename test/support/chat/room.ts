/** Users who talk, for tests of chat: short calls to send and read. */
import { callerOf } from './people';
import type { Answer, TestClient } from '../http/client';

type Fields = Record<string, string>;
export type Narrow = readonly unknown[];

export interface Talker {
  readonly headers: Fields;
  readonly userId: number;
  readonly email: string;
  get(path: string, query?: Fields): Promise<Answer>;
  post(path: string, form?: Fields): Promise<Answer>;
  /** The id of the new message. */
  toStream(stream: string, topic: string, content?: string): Promise<number>;
  toPeople(to: readonly string[], content?: string): Promise<number>;
  read(narrow?: Narrow, more?: Fields): Promise<Answer>;
  /** Ids of the messages of a narrow, oldest first. */
  ids(narrow?: Narrow): Promise<number[]>;
  flagsOf(id: number): Promise<string[]>;
}

const NEWEST = '10000000000000000';

export async function talker(node: TestClient, email: string): Promise<Talker> {
  const caller = await callerOf(node, email);
  const send = async (form: Fields) => {
    const { body, text } = await caller.post('/messages', form);
    if (body.result !== 'success') throw new Error(text);
    return body.id as number;
  };
  const read = (narrow: Narrow = [], more: Fields = {}) =>
    caller.get('/messages', {
      anchor: NEWEST,
      num_before: '1000',
      num_after: '0',
      narrow: JSON.stringify(narrow),
      ...more,
    });
  return {
    headers: caller.headers,
    email,
    userId: caller.id,
    get: (path, query) => caller.get(path, query),
    post: (path, form) => caller.post(path, form),
    toStream: (to, topic, content = 'hello') => send({ type: 'stream', to, topic, content }),
    toPeople: (to, content = 'psst') => send({ type: 'private', to: JSON.stringify(to), content }),
    read,
    async ids(narrow) {
      const { body, text } = await read(narrow);
      if (body.result !== 'success') throw new Error(text);
      return body.messages.map(({ id }: { id: number }) => id);
    },
    async flagsOf(id) {
      const around = { anchor: String(id), num_before: '0', num_after: '0' };
      const { body } = await read([], around);
      return body.messages[0]?.flags;
    },
  };
}
