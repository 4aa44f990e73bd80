import { seedDemo } from '../../src/chat/commands/demo/seed-demo';
import type { Answer } from '../support/http/client';
import { callerOf, encoded, type Caller } from '../support/chat/people';
import { openTelephony, type TelephonyStack } from '../support/telephony/telephony';
import { ALIVE } from '../unit/chat/markdown/corpus';
import { scan } from '../unit/chat/markdown/scanner';
import { HOSTILE_TEXTS } from './hostile-values';
import { IS_TIMED } from './stand';

let stack: TelephonyStack;
let owner: Caller;

beforeAll(async () => {
  stack = await openTelephony();
  await seedDemo(stack.node.kernel);
  owner = await callerOf(stack.node, 'owner@example.com');
});
afterAll(() => stack.close());

const ALL = [...HOSTILE_TEXTS, ...ALIVE];
let named = 0;

/** npm test tries some of them in each place; npm run attack tries all. */
const EVERY = IS_TIMED ? 1 : 8;
const textsFor = (place: number) => ALL.filter((_, index) => (index + place) % EVERY === 0);
const AT_ONCE = 8;

/** A few at a time. */
async function each(texts: readonly string[], work: (text: string) => Promise<void>): Promise<void> {
  const left = [...texts];
  const go = async () => {
    for (let text = left.pop(); text !== undefined; text = left.pop()) await work(text);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
}

/** A refusal has a reason; nothing breaks. */
function isTaken({ status, text }: Answer): boolean {
  if (status >= 500) throw new Error(text);
  return status < 400;
}

/** Lone surrogates cannot be sent; a form contains their replacement. */
const asSent = (text: string): string => Buffer.from(text).toString();

describe('Hostile texts', () => {
  test('Hostile texts become inert HTML in a message, and are read back as they were sent', async () => {
    let taken = 0;
    const texts = textsFor(0);
    await each(texts, async (content) => {
      const sent = await owner.post('/messages', { type: 'stream', to: 'test', topic: 'hostile', content });
      if (!isTaken(sent)) return;
      taken += 1;
      const query = { anchor: String(sent.body.id), num_before: '0', num_after: '0' };
      const { body } = await owner.get('/messages', query);
      expect({ content, mistakes: scan(body.messages[0].content) }).toEqual({ content, mistakes: [] });
      const { raw_content: raw } = (await owner.get(`/messages/${sent.body.id}`)).body;
      expect(asSent(content).replaceAll('\r\n', '\n')).toContain(raw.replaceAll('\r\n', '\n'));
    });
    expect(taken).toBeGreaterThan(texts.length / 2);
  });

  /** Where chat accepts a text, and where it shows it again. */
  const PLACES: Readonly<Record<string, (text: string) => Promise<Answer>>> = {
    topic: (text) => owner.post('/messages', { type: 'stream', to: 'test', topic: text, content: 'x' }),
    'stream name': (text) => owner.post('/users/me/subscriptions', encoded({ subscriptions: [{ name: text }] })),
    'stream description': (text) =>
      owner.post(
        '/users/me/subscriptions',
        encoded({ subscriptions: [{ name: `s${(named += 1)}`, description: text }] }),
      ),
    status: (text) => owner.post('/users/me/status', { status_text: text, away: 'false' }),
    'full name': (text) => owner.patch('/settings', { full_name: text }),
    'alert word': (text) => owner.post('/users/me/alert_words', encoded({ alert_words: [text] })),
    'group name': (text) =>
      owner.post('/user_groups/create', encoded({ name: text, description: text, members: [owner.id] })),
    'profile field': (text) => owner.post('/realm/profile_fields', { name: text, hint: text, field_type: '1' }),
    'bot name': (text) => owner.post('/bots', { full_name: text, short_name: `b${(named += 1)}` }),
    'description of the organisation': (text) => owner.patch('/realm', encoded({ description: JSON.stringify(text) })),
    'search word': (text) =>
      owner.get('/messages', {
        anchor: '0',
        num_before: '0',
        num_after: '5',
        narrow: JSON.stringify([['search', text.slice(0, 200)]]),
      }),
  };

  const places = Object.keys(PLACES);
  test.each(places)(
    'Hostile texts in the place %s are accepted or refused, and every list still answers',
    async (place) => {
      for (const text of textsFor(places.indexOf(place))) isTaken(await PLACES[place]!(text.slice(0, 9000)));
      for (const list of ['/streams', '/users', '/user_groups', '/realm/profile_fields', '/bots']) {
        expect((await owner.get(list)).body.result).toBe('success');
      }
      const { body } = await owner.post('/register');
      expect(body.result).toBe('success');
      for (const { rendered_description: html = '' } of body.subscriptions) expect(scan(html)).toEqual([]);
    },
  );

  test('Hostile texts are accepted or refused by telephony, and shown again as they were sent', async () => {
    const by = stack.people.owner;
    for (const text of textsFor(0)) {
      const location = { name: text, country: 'US', state: 'NY', city: 'Troy', zip: '12180' };
      const drafts: [string, object, string][] = [
        ['/company/locations', location, 'name'],
        [
          '/texting/contacts',
          { number: `+1555777${String((named += 1)).padStart(4, '0')}`, first_name: text },
          'first_name',
        ],
        ['/files', { name: 'x.txt', description: text }, 'description'],
      ];
      for (const [path, draft, field] of drafts) {
        const answer = await by('POST', path, draft);
        if (isTaken(answer)) expect(asSent(text)).toContain(answer.body[field]);
      }
    }
    for (const list of ['/company/locations', '/texting/contacts', '/files']) {
      expect((await by('GET', list)).status).toBe(200);
    }
  });
});
