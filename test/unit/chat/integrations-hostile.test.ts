import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrations } from '../../../src/chat/integrations';
import { withoutHiddenComments } from '../../../src/chat/integrations/gitlab/discussions';
import { noticesOf, type Integration, type Notice } from '../../../src/chat/integrations/integration';
import { shortenContent, shortenTopic } from '../../../src/chat/integrations/text';
import { Fault } from '../../../src/kernel/fault';
import { triedAt } from '../../support/search';

/** Every recorded payload, with every possible change in one place. */
const root = join(__dirname, '../../../src/chat/integrations');

interface Recorded {
  readonly payload: unknown;
  readonly event?: string;
}

const recordedOf = (name: string): Recorded[] =>
  readdirSync(join(root, name, 'payloads')).map(
    (file) => JSON.parse(readFileSync(join(root, name, 'payloads', file), 'utf8')) as Recorded,
  );

const deep = (levels: number): unknown => (levels === 0 ? 'bottom' : { down: [deep(levels - 1)] });

/** Twice what a message may hold. */
const LONG = 'x'.repeat(20_000);
/** Values that a service may send against its documentation. */
const HOSTILE: readonly unknown[] = [
  null,
  '',
  '@**all** @*everyone* **[x](javascript:alert(1))**',
  '~~~\n```\n~~~ quote\n</pre><script>',
  '\0\u202E\uD800\r\n',
  LONG,
  0,
  -1e308,
  true,
  [],
  {},
  [null],
  [[]],
  ['text'],
  { toString: 'x', __proto__: 'y', constructor: 1 },
  deep(30),
];

/** The payload once for each position in it, with the value there replaced. */
function* spoiled(payload: unknown, value: unknown): Generator<unknown> {
  yield value;
  if (typeof payload !== 'object' || payload === null) return;
  for (const [key, inner] of Object.entries(payload)) {
    for (const changed of spoiled(inner, value)) {
      const copy = (Array.isArray(payload) ? [...payload] : { ...payload }) as Record<string, unknown>;
      copy[key] = changed;
      yield copy;
    }
  }
}

/** The payload once for each of its keys, without that key. */
function* lacking(payload: unknown): Generator<unknown> {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return;
  for (const [key, inner] of Object.entries(payload)) {
    yield Object.fromEntries(Object.entries(payload).filter(([name]) => name !== key));
    for (const changed of lacking(inner)) yield { ...payload, [key]: changed };
  }
}

/**
 * What is wrong with the result: it must be a message within the limits, nothing, or a refusal that names the field.
 */
function troubleWith(integration: Integration, payload: unknown, event: string): string[] {
  let notices;
  try {
    notices = noticesOf(integration.format({ payload, event }));
  } catch (error) {
    const isRefusal =
      error instanceof Fault && error.kind === 'invalid' && /'|^The payload must be/.test(error.message);
    return isRefusal ? [] : [String(error)];
  }
  return notices.flatMap(troubleIn);
}

/** None for a payload that is refused. */
function contentsOf(integration: Integration, payload: unknown, event: string): string[] {
  try {
    return noticesOf(integration.format({ payload, event })).map(({ content }) => content);
  } catch {
    return [];
  }
}

function troubleIn(notice: Notice): string[] {
  const [topic, content] = [shortenTopic(notice.topic), shortenContent(notice.content)];
  const isWithinLimits = Array.from(topic).length <= 60 && Buffer.byteLength(content) <= 10_000;
  const isWritten = topic !== '' && content !== '' && !(topic + content).includes('\0');
  return isWithinLimits && isWritten ? [] : [`${topic}: ${content}`];
}

const ALL = [...integrations.values()];

describe.each(ALL)('$name', (integration) => {
  const values = triedAt(ALL.indexOf(integration), HOSTILE);
  const recorded = recordedOf(integration.name);
  const troubles = (spoil: (payload: unknown) => Iterable<unknown>): string[] =>
    recorded.flatMap(({ payload, event = '' }) =>
      [...spoil(payload)].flatMap((changed) => troubleWith(integration, changed, event)),
    );

  test('The integration survives hostile values in any place of any payload', () => {
    for (const value of values) expect(troubles((payload) => spoiled(payload, value))).toEqual([]);
  });

  test('The integration names the key that is missing, or does without it', () => {
    expect(troubles(lacking)).toEqual([]);
  });

  test('The integration links to no empty address, whatever is null in a payload', () => {
    const contents = recorded.flatMap(({ payload, event = '' }) =>
      [...spoiled(payload, null)].flatMap((changed) => contentsOf(integration, changed, event)),
    );
    expect(contents.filter((content) => /\]\(\s*\)|\]\((?:null|undefined)\)/.test(content))).toEqual([]);
  });

  test('The integration answers an unknown event with an error or with silence', () => {
    const [{ payload } = { payload: {} }] = recorded;
    for (const event of ['nonsense', '__proto__', 'constructor', LONG]) {
      expect(troubleWith(integration, payload, event)).toEqual([]);
    }
  });

  test('The integration finds no delivery id in a malformed payload, and does not fail', () => {
    const shapes = [...HOSTILE, ...recorded.flatMap(({ payload }) => [...spoiled(payload, { id: [1] })])];
    const ids = shapes.map((shape) => integration.deliveryId?.(shape) ?? '');
    expect(new Set(ids.map((id) => typeof id))).toEqual(new Set(['string']));
  });
});

/** Texts on which a careless pattern takes quadratic time: ten seconds and more for these. */
const SLOW = [
  '[',
  '[a|',
  '<http:',
  '<!',
  '<@a|',
  '```',
  '`a',
  '&lt;',
  '*',
  ' *a',
  '~',
  '{{',
  '{code:',
  '{quote}',
  '[~a',
  'bq. ',
  '<!--',
  '<!-- -->',
  '(',
  '\n',
  ' <',
];

/** CPU time, which a busy machine does not lengthen. */
function millisecondsOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each(SLOW)('A long text of %j is read as fast as any other', (part) => {
  const text = part.repeat(Math.floor(200_000 / part.length));
  for (const integration of triedAt(SLOW.indexOf(part), ALL)) {
    const [{ payload, event = '' } = { payload: {} }] = recordedOf(integration.name);
    for (const changed of spoiled(payload, text)) {
      let troubles: string[] = [];
      expect(millisecondsOf(() => (troubles = troubleWith(integration, changed, event)))).toBeLessThan(1000);
      expect(troubles).toEqual([]);
    }
  }
});

test('Hidden comments are removed in linear time, however many begin and never end', () => {
  const text = '<!--'.repeat(50_000);
  expect(millisecondsOf(() => expect(withoutHiddenComments(text)).toBe(text))).toBeLessThan(1000);
  expect(withoutHiddenComments('a<!-- b -->c<!---->d<!-- e')).toBe('acd<!-- e');
});
