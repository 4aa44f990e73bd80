/** People who talk, for tests of chat: sends and reads with few words. */
import type { Answer, TestClient } from './client';

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
  /** Ids of what a narrow holds, oldest first. */
  ids(narrow?: Narrow): Promise<number[]>;
  flagsOf(id: number): Promise<string[]>;
}

const NEWEST = '10000000000000000';

export async function talker(node: TestClient, email: string): Promise<Talker> {
  const headers = await node.basic(email);
  const call = (path: string, ask: object) => node.call(`/api/v1${path}`, { headers, ...ask });
  const post = (path: string, form: Fields = {}) => call(path, { method: 'POST', form });
  const get = (path: string, query: Fields = {}) => call(path, { query });
  const send = async (form: Fields) => {
    const { body, text } = await post('/messages', form);
    if (body.result !== 'success') throw new Error(text);
    return body.id as number;
  };
  const read = (narrow: Narrow = [], more: Fields = {}) =>
    get('/messages', { anchor: NEWEST, num_before: '1000', num_after: '0', narrow: JSON.stringify(narrow), ...more });
  const { body: me } = await get('/users/me');
  return {
    headers,
    email,
    userId: me.user_id,
    get,
    post,
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
