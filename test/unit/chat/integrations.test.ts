import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrations } from '../../../src/chat/integrations';
import { integrationHandbook, sampleNotice } from '../../../src/chat/integrations/handbook';
import { noticesOf, type Notice } from '../../../src/chat/integrations/integration';
import { Payload } from '../../../src/chat/integrations/payload';
import { shortenContent, shortenTopic } from '../../../src/chat/integrations/text';
import { escapeText } from '../../../src/chat/model/markdown/html';

const root = join(__dirname, '../../../src/chat/integrations');
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface Recorded {
  readonly payload: unknown;
  readonly event?: string;
  readonly topic?: string;
  readonly content?: string;
  /** Used instead of topic and content if it becomes several messages. */
  readonly messages?: readonly Notice[];
  /** True if no message is sent. */
  readonly ignored?: true;
}

const recorded = folders.flatMap((folder) =>
  readdirSync(join(root, folder, 'payloads')).map((file) => ({ folder, file })),
);

test('The list of integrations, their pages and their folders agree', () => {
  expect([...integrations.keys()].sort()).toEqual([...folders].sort());
  expect(integrationHandbook.pages.map(({ name }) => name).sort()).toEqual([...folders].sort());
});

test.each(folders)('The integration %s has a page that shows how to post to it, and recorded payloads', (folder) => {
  const page = integrationHandbook.pages.find(({ name }) => name === folder)!.markdown();
  expect(page).toMatch(/^# \S/);
  expect(page).toContain(`curl -X POST 'http://127.0.0.1:9991/api/v1/external/${folder}?api_key=KEY`);
  expect(readdirSync(join(root, folder, 'payloads')).length).toBeGreaterThan(0);
});

test.each(folders)('The page of %s shows the message that its example becomes', (folder) => {
  const { markdown, example } = integrationHandbook.pages.find(({ name }) => name === folder)!;
  const notice = sampleNotice(integrations.get(folder)!, markdown());
  expect(notice).toEqual({ topic: expect.stringMatching(/\S/), content: expect.stringMatching(/\S/) });
  expect(example()).toContain(`› <b>${escapeText(notice!.topic)}</b>`);
  expect(example()).not.toMatch(/style=|<script|:\w+:<\/span>/);
});

test.each(recorded)('The integration $folder turns $file into the documented message', ({ folder, file }) => {
  const {
    payload,
    event = '',
    topic,
    content,
    messages = [{ topic, content }],
    ignored = false,
  } = JSON.parse(readFileSync(join(root, folder, 'payloads', file), 'utf8')) as Recorded;
  const notices = noticesOf(integrations.get(folder)!.format({ payload, event }));
  expect(notices).toEqual(ignored ? [] : messages);
});

test.each(folders.filter((folder) => folder !== 'json'))(
  'The integration %s refuses a malformed payload with a clear error',
  (folder) => {
    const { eventHeader } = integrations.get(folder)!;
    for (const payload of [{}, [], 'text', null, 5]) {
      const format = () => integrations.get(folder)!.format({ payload, event: eventHeader ? 'push' : '' });
      let notice: unknown;
      try {
        notice = format();
      } catch (fault) {
        expect(fault).toMatchObject({ kind: 'invalid', message: expect.stringMatching(/'|^The payload must be/) });
        continue;
      }
      expect(notice === null || typeof notice === 'object').toBe(true);
    }
  },
);

test('A payload reader names the path of a wrong value', () => {
  const payload = new Payload({ a: { b: [{ c: 1 }, {}] }, n: 5 });
  expect(payload.text('n')).toBe('5');
  expect(payload.object('a').list('b')[0]!.text('c')).toBe('1');
  expect(() => payload.object('a').list('b')[1]!.text('c')).toThrow("Missing 'a.b[1].c' in the payload");
  expect(() => payload.text('a')).toThrow("'a' in the payload must be text");
  expect(() => payload.object('toString')).toThrow("Missing 'toString'");
});

test('A delivery with very many items becomes 21 messages at most, and the last says how many are missing', () => {
  const many = Array.from({ length: 23 }, (_, index) => ({ topic: `t${index}`, content: 'x' }));
  expect(noticesOf(many)).toEqual([...many.slice(0, 20), { topic: 't0', content: '[and 3 more]' }]);
  expect(noticesOf(many.slice(0, 20))).toHaveLength(20);
  expect([noticesOf(null), noticesOf([])]).toEqual([[], []]);
});

test('Topics and contents that are too long are shortened to the limits of characters and bytes', () => {
  expect(shortenTopic('x'.repeat(61))).toBe(`${'x'.repeat(57)}...`);
  expect(shortenTopic(' \0 ')).toBe('(no topic)');
  const content = shortenContent('ü'.repeat(6000));
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(10_000);
  expect(content).toMatch(/ü\n\[message truncated\]$/);
  expect(shortenContent('short')).toBe('short');
});
