import type { RenderContext } from '../../../../src/chat/model/markdown/context';
import { mayHoldFormula } from '../../../../src/chat/model/markdown/formulas/formulas';
import { references } from '../../../../src/chat/model/markdown/references';
import { render, renderDescription } from '../../../../src/chat/model/markdown/render';
import { tries } from '../../../support/search';
import { ALIVE, SLOW } from './corpus';
import { ALLOWED_COST, cost } from './cost';
import { html as htmlOf, organisation } from './organisation';
import { scan } from './scanner';

const everything: RenderContext = { ...organisation, translateEmoticons: true };

function attempt(content: string, context: RenderContext): string {
  try {
    return render(content, context).html;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'invalid', message: 'Unable to render message', code: 'BAD_REQUEST' });
    return '';
  }
}

const attacks = Object.entries(SLOW);

test.each(attacks.slice(0, tries(attacks.length)))(
  'The slow message "%s" renders in bounded time to inert HTML',
  (_, content) => {
    let html = '';
    expect(cost(() => (html = attempt(content, everything)))).toBeLessThan(ALLOWED_COST);
    expect(scan(html)).toEqual([]);
    expect(cost(() => references(content))).toBeLessThan(1);
    expect(cost(() => mayHoldFormula(content))).toBeLessThan(1);
  },
);

test.each(ALIVE)('The hostile message %j renders to inert HTML', (content) => {
  expect(scan(attempt(content, everything))).toEqual([]);
  expect(scan(renderDescription(content))).toEqual([]);
});

test('Names that contain markup stay names', () => {
  expect(htmlOf('@**"><img src=x onerror=alert(1)>|9**')).toBe(
    '<p><span class="user-mention" data-user-id="9">@"&gt;&lt;img src=x onerror=alert(1)&gt;</span></p>',
  );
  expect(htmlOf('#**"><script>x**')).toBe(
    '<p><a class="stream" data-stream-id="11" href="/#narrow/stream/11-.22.3E.3Cscript.3Ex">#"&gt;&lt;script&gt;x</a></p>',
  );
  const realmEmoji = [{ id: '1', name: 'evil', url: 'javascript:alert(1)', deactivated: false }];
  expect(scan(htmlOf(':evil:', { realmEmoji }))).toEqual([]);
});

test('A message that would render to too much HTML is refused', () => {
  expect(() => render('\u{1f4a9}'.repeat(1200), organisation)).toThrow('Unable to render message');
  expect(() => render('> a\n\n'.repeat(2000), organisation)).not.toThrow();
});
