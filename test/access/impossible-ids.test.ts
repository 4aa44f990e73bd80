/** An id that cannot exist is answered like an unknown one, in every parameter of every route. */
import { bearer, type Answer } from '../support/http/client';
import { openSocket } from '../support/http/sockets';
import { nameOf, request, type Operation } from './api-walk';
import { openWalkedStack, type WalkedStack } from './walked-stack';

let stack: WalkedStack;

beforeAll(async () => {
  stack = await openWalkedStack();
});
afterAll(() => stack.cluster.close());

/** As written in an address. The last two are not UTF-8: half of a character, and a byte that no text contains. */
const IN_PATHS = ['%C3%A9', 'Zo%C3%AB', '%F0%9F%98%80', '%00', 'a%00b', 'f'.repeat(300), '%ED%A0%80', '%FF'];
/** As written in a query or a body. */
const IN_FIELDS = ['é', 'Zoë', '😀'];
/** For these values a response may name the invalid field. */
const REFUSED = ['a\0b', '\ud800', 'f'.repeat(5000)];

const UNKNOWN_ID = 'f'.repeat(24);
const UNKNOWN_NUMBER = '999999999';

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** Status and body, without the id where the response repeats it, in its written or its normalised form. */
function shape({ status, text }: Answer, written: string): string {
  const spellings = [written, decoded(written), JSON.stringify(decoded(written)).slice(1, -1)];
  // oxlint-disable-next-line no-control-regex -- everything that is not visible ASCII
  spellings.push(decoded(written).replace(/[^\x20-\x7e]/g, '?'));
  return spellings.reduce((body, spelling) => body.replaceAll(spelling, '…'), `${status} ${text}`);
}

const walked = (operation: Operation, name: string, written: string) =>
  request(stack.walker, operation, { name, raw: written, value: written });

test('Every path of the API answers an impossible id as an unknown one', async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const operation of stack.operations) {
    for (const [name, schema] of operation.inPath) {
      count += 1;
      // Chat describes what is wrong with a number; the status and the envelope are the same.
      const isNumber = schema.type === 'integer';
      const unknown = isNumber ? UNKNOWN_NUMBER : UNKNOWN_ID;
      const expected = await walked(operation, name, unknown);
      for (const raw of IN_PATHS) {
        const answer = await walked(operation, name, raw);
        const isSame = isNumber
          ? answer.status === expected.status && answer.body?.result === expected.body?.result
          : shape(answer, raw) === shape(expected, unknown);
        if (!isSame)
          wrong.push(
            `${nameOf(operation)} ${name}=${raw.slice(0, 20)}: ${answer.status} ${answer.text}, not ${expected.status} ${expected.text}`,
          );
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(100);
});

/** Fields that name an object by an id made of letters. */
const NAMES_ID =
  /(?:^|_)(?:ids?|uuid)$|Ids$|^(?:contact|before|after|primary_agent|action|kind|integration|subject|reference|bot|delivery)$/;

test('Every query and body answers an impossible id as an unknown one', async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const operation of stack.operations) {
    for (const [name, { type }] of [...operation.inQuery, ...operation.inBody]) {
      if (!NAMES_ID.test(name) || type === 'integer') continue;
      count += 1;
      const asValue = (id: string): unknown => (type === 'array' ? [id] : id);
      const ask = (id: string) => request(stack.walker, operation, { name, value: asValue(id) });
      const expected = await ask(UNKNOWN_ID);
      // An id that the client chooses, such as a local_id, is stored and not looked up.
      const isStored = operation.method !== 'GET' && expected.status < 300;
      if (expected.status >= 500) wrong.push(`${nameOf(operation)} ${name}: ${expected.status}`);
      for (const id of IN_FIELDS) {
        const answer = await ask(id);
        if (isStored ? answer.status !== expected.status : shape(answer, id) !== shape(expected, UNKNOWN_ID))
          wrong.push(
            `${nameOf(operation)} ${name}=${id}: ${answer.status} ${answer.text}, not ${expected.status} ${expected.text}`,
          );
      }
      for (const id of REFUSED) {
        const { status } = await ask(id);
        if (status >= 500) wrong.push(`${nameOf(operation)} ${name}=${JSON.stringify(id).slice(0, 20)}: ${status}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(20);
});

test.each(['é', 'Zoë', '\u00ff', 'f'.repeat(300)])(
  'X-User-Id %j is 401, with a valid key and without',
  async (user) => {
    for (const key of ['demo-key-one', 'no-such-key']) {
      const call = (id: string) => stack.node.call('/system/company', { headers: bearer(key, id) });
      const [answer, unknown] = [await call(user), await call(UNKNOWN_ID)];
      expect(answer.status).toBe(401);
      expect(answer.text).toBe(unknown.text);
    }
  },
);

describe('Impossible ids on a socket', () => {
  const impossible = ['é', 'Zoë', '😀', 'a\0b', '\ud800', 'f'.repeat(64)];
  const token = 'demo-key-one';

  test.each(impossible)(
    'A socket that authenticates with the token or address %j gets the same response as for an unknown one',
    async (word) => {
      const answerTo = async (credentials: object) => {
        const socket = openSocket(stack.node.url);
        const answer: unknown = await socket.ask('authenticate', credentials);
        socket.close();
        return answer;
      };
      expect(await answerTo({ token: word })).toEqual(await answerTo({ token: UNKNOWN_ID }));
      const email = (name: string) => ({ token, user_email: `${name}@example.com` });
      expect(await answerTo(email(word))).toEqual(await answerTo(email(UNKNOWN_ID)));
    },
  );

  test.each(impossible)(
    'A socket that names %j as a conversation or a message gets the same answer as for an unknown one',
    async (word) => {
      const socket = openSocket(stack.node.url);
      expect(await socket.ask('authenticate', { token })).toMatchObject({ authenticated: true });
      const known = stack.walker.good.ofName['conversation_id'];
      const markRead = (conversation_id: unknown, id: string) =>
        socket.ask('texting.message.markAsRead', { conversation_id, messagesIds: [id] });
      expect(await markRead(word, UNKNOWN_ID)).toEqual(await markRead(UNKNOWN_ID, UNKNOWN_ID));
      expect(await markRead(known, word)).toEqual(await markRead(known, UNKNOWN_ID));
      socket.close();
    },
  );
});
