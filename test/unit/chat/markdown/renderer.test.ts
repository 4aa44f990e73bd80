import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { NOTHING_KNOWN } from '../../../../src/chat/model/markdown/context';
import { render } from '../../../../src/chat/model/markdown/render';
import { openRenderer, type Renderer, type RendererOptions } from '../../../../src/chat/rendering/renderer';
import { until } from '../../../support/until';
import { SLOW } from './corpus';
import { organisation } from './organisation';

const opened: Renderer[] = [];
const directory = mkdtempSync(join(tmpdir(), 'renderer-'));
/** A spinning thread writes one byte into this file in each round. */
const SPINS = join(directory, 'spins');

function open(options: RendererOptions = {}): Renderer {
  const renderer = openRenderer(undefined, options);
  opened.push(renderer);
  return renderer;
}

/** A thread that never answers `spin`, and answers everything else with the number of its questions so far. */
function spinning(spins = SPINS): string {
  const program = join(directory, `spinning-${basename(spins)}.js`);
  writeFileSync(
    program,
    `const { parentPort } = require('node:worker_threads');
     let count = 0;
     parentPort.on('message', ({ content }) => {
       if (content === 'spin') {
         for (;;) require('node:fs').appendFileSync(${JSON.stringify(spins)}, '.');
       }
       if (content === 'throw') throw new Error('thrown');
       if (content === 'exit') process.exit(3);
       parentPort.postMessage({ rendered: { html: String((count += 1)) } });
     });
     parentPort.postMessage('ready');`,
  );
  return program;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((renderer) => renderer.close()));
});
afterAll(() => rmSync(directory, { recursive: true }));

const LONG = `${SLOW['everything']!.slice(0, 4000)} @**King Hamlet**`;

test('Short and long messages render the same in a thread as in place', async () => {
  const renderer = open({ limitMs: 20_000 });
  for (const content of ['**short**', LONG]) {
    expect(await renderer.render(content, organisation)).toEqual(render(content, organisation));
  }
});

test('The limit for rendering in place counts bytes, not characters', async () => {
  const renderer = open({ program: spinning(), inPlaceBytes: 10 });
  expect((await renderer.render('1234567890', NOTHING_KNOWN)).html).toBe('<p>1234567890</p>');
  expect((await renderer.render('\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9', NOTHING_KNOWN)).html).toBe('1');
});

test('A message with a formula is rendered in a thread, however short it is', async () => {
  const faked = open({ program: spinning() });
  expect((await faked.render('$$x$$', NOTHING_KNOWN)).html).toBe('1');
  const drawn = (await open({ limitMs: 20_000 }).render('$$x$$', NOTHING_KNOWN)).html;
  expect(drawn).toBe(render('$$x$$', NOTHING_KNOWN).html);
});

test('Many messages at once are all rendered by a few threads', async () => {
  const renderer = open({ limitMs: 20_000 });
  const contents = Array.from({ length: 12 }, (_, index) => `${index} ${LONG}`);
  const answers = await Promise.all(contents.map(async (content) => renderer.render(content, organisation)));
  expect(answers.map(({ html }) => html)).toEqual(contents.map((content) => render(content, organisation).html));
});

test('A fault in a thread reaches the caller unchanged', async () => {
  const renderer = open({ limitMs: 20_000 });
  await expect(renderer.render('\u{1f4a9}'.repeat(1200), organisation)).rejects.toMatchObject({
    kind: 'invalid',
    message: 'Unable to render message',
    code: 'BAD_REQUEST',
  });
  expect((await renderer.render(LONG, organisation)).html).toBe(render(LONG, organisation).html);
});

test.each(['spin', 'throw', 'exit'])(
  'A thread in which a message leads to "%s" is ended and replaced',
  async (content) => {
    const renderer = open({ program: spinning(), inPlaceBytes: 0, threads: 1, limitMs: 1000 });
    expect((await renderer.render('a', NOTHING_KNOWN)).html).toBe('1');
    expect((await renderer.render('a', NOTHING_KNOWN)).html).toBe('2');
    const outcomes = await Promise.allSettled(
      ['spin', content, 'a'].map(async (each) => renderer.render(each, NOTHING_KNOWN)),
    );
    expect(outcomes.slice(0, 2)).toMatchObject([
      { reason: { message: 'Unable to render message', code: 'BAD_REQUEST' } },
      { reason: { message: 'Unable to render message', code: 'BAD_REQUEST' } },
    ]);
    // A new thread counts from one.
    expect(outcomes[2]).toMatchObject({ value: { html: '1' } });
  },
);

const roundsIn = (spins: string): number => statSync(spins, { throwIfNoEntry: false })?.size ?? 0;
/** So many that another thread that still runs gets its share of the CPU meanwhile. */
const MANY_ROUNDS = 20_000;

test('A thread that was ended uses no more CPU time', async () => {
  const ended = join(directory, 'ended');
  const renderer = open({ program: spinning(ended), inPlaceBytes: 0, limitMs: 1000 });
  await expect(renderer.render('spin', NOTHING_KNOWN)).rejects.toThrow('Unable to render message');
  const rounds = roundsIn(ended);
  expect(rounds).toBeGreaterThan(0);
  // Another thread spins meanwhile, so that any work of the ended thread would show.
  const other = join(directory, 'other');
  const witness = open({ program: spinning(other), inPlaceBytes: 0, limitMs: 60_000 });
  const spinningOn = expect(witness.render('spin', NOTHING_KNOWN)).rejects.toThrow();
  await until(() => roundsIn(other) > MANY_ROUNDS);
  expect(roundsIn(ended)).toBe(rounds);
  await witness.close();
  await spinningOn;
});

test('A thread program that does not start gives a fault instead of silence', async () => {
  const renderer = open({ program: join(directory, 'absent.js'), inPlaceBytes: 0 });
  await expect(renderer.render('a', NOTHING_KNOWN)).rejects.toMatchObject({ message: 'Unable to render message' });
});

test('The renderer refuses messages when more than a hundred wait', async () => {
  const renderer = open({ program: spinning(), inPlaceBytes: 0, threads: 1, limitMs: 1000 });
  const waiting = Array.from({ length: 103 }, async (_, index) =>
    renderer.render(index === 0 ? 'spin' : 'a', NOTHING_KNOWN),
  );
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  expect(outcomes.slice(-2)).toMatchObject([{ reason: { kind: 'unavailable' } }, { reason: { kind: 'unavailable' } }]);
});

test('Closing the renderer ends messages under way and refuses later ones', async () => {
  rmSync(SPINS, { force: true });
  const renderer = open({ program: spinning(), inPlaceBytes: 0, threads: 1, limitMs: 60_000 });
  const [running, waiting] = ['spin', 'a'].map(async (content) => renderer.render(content, NOTHING_KNOWN));
  const both = Promise.allSettled([running, waiting]);
  await until(() => existsSync(SPINS));
  await renderer.close();
  expect(await both).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  await expect(renderer.render('a', NOTHING_KNOWN)).rejects.toMatchObject({ kind: 'unavailable' });
});
