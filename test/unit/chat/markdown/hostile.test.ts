import type { RenderContext } from '../../../../src/chat/model/markdown/context';
import { mayHoldFormula } from '../../../../src/chat/model/markdown/formulas';
import { references } from '../../../../src/chat/model/markdown/references';
import { render, renderDescription } from '../../../../src/chat/model/markdown/render';
import { ALIVE, SLOW } from './corpus';
import { html as htmlOf, organisation } from './organisation';
import { scan } from './scanner';

/** What one message may take is 100 ms of the processor; a busy machine may stretch that. */
const ALLOWED_MS = 300;
const everything: RenderContext = { ...organisation, translateEmoticons: true };

function attempt(content: string, context: RenderContext): string {
  try {
    return render(content, context).html;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'invalid', message: 'Unable to render message', code: 'BAD_REQUEST' });
    return '';
  }
}

/** The median of three; the third is left out where the first two are within bounds. */
function median(work: () => unknown): number {
  const times: number[] = [];
  while (times.length < 3 && !(times.length === 2 && times.every((time) => time < ALLOWED_MS / 10))) {
    const began = process.cpuUsage();
    work();
    times.push(process.cpuUsage(began).user / 1000);
  }
  return times.sort((a, b) => a - b)[1]!;
}

test.each(Object.entries(SLOW))('%s: soon done, and inert', (_, content) => {
  let html = '';
  expect(median(() => (html = attempt(content, everything)))).toBeLessThan(ALLOWED_MS);
  expect(scan(html)).toEqual([]);
  expect(median(() => references(content))).toBeLessThan(ALLOWED_MS / 10);
  expect(median(() => mayHoldFormula(content))).toBeLessThan(ALLOWED_MS / 10);
});

test.each(ALIVE)('inert: %j', (content) => {
  expect(scan(attempt(content, everything))).toEqual([]);
  expect(scan(renderDescription(content))).toEqual([]);
});

test('names with markup in them stay names', () => {
  expect(htmlOf('@**"><img src=x onerror=alert(1)>|9**')).toBe(
    '<p><span class="user-mention" data-user-id="9">@"&gt;&lt;img src=x onerror=alert(1)&gt;</span></p>',
  );
  expect(htmlOf('#**"><script>x**')).toBe(
    '<p><a class="stream" data-stream-id="11" href="/#narrow/stream/11-.22.3E.3Cscript.3Ex">#"&gt;&lt;script&gt;x</a></p>',
  );
  const realmEmoji = [{ id: '1', name: 'evil', url: 'javascript:alert(1)', deactivated: false }];
  expect(scan(htmlOf(':evil:', { realmEmoji }))).toEqual([]);
});

test('what would become too long is refused', () => {
  expect(() => render('\u{1f4a9}'.repeat(1200), organisation)).toThrow('Unable to render message');
  expect(() => render('> a\n\n'.repeat(2000), organisation)).not.toThrow();
});
