import fc from 'fast-check';
import { Fault } from '../../../../src/kernel/fault';
import { contentDiff } from '../../../../src/chat/model/markdown/content-diff';
import { NOTHING_KNOWN } from '../../../../src/chat/model/markdown/context';
import { parseToHtml } from '../../../../src/chat/model/markdown/engine';
import { mayHoldFormula } from '../../../../src/chat/model/markdown/formulas/formulas';
import { plainParagraphs, render, renderPlain } from '../../../../src/chat/model/markdown/render';
import { references } from '../../../../src/chat/model/markdown/references';
import { sanitise } from '../../../../src/chat/model/markdown/sanitise';
import { openRendering } from '../../../../src/chat/model/markdown/rendering';
import { organisation } from './organisation';
import { scan } from './scanner';
import { tries } from '../../../support/search';

const SIGNS = '*_`~#>[]()!|:@$&<>"\'\\-+.,/ \n\t'.split('');
const FORMULAS = ['$$', '$$x^2$$', '```math\n', '\\frac', '\\def\\a', '\\text', '{', '}', '^', '\\'];
const BLOCKS = ['```', '~~~', '```quote\n', '```spoiler x\n', '```js\n', '\n\n', '\n', '    ', '  * ', '1. ', '> '];
const NAMES = [
  '@**',
  '@_**',
  '@*',
  '#**',
  '!avatar(',
  'King Hamlet',
  '|7**',
  'support*',
  'Denmark',
  'all**',
  '#12',
  '/me ',
];
const LINKS = [
  'http://a.com/x.png',
  'a.com',
  'a@b.com',
  '](',
  'javascript:',
  '<script>',
  '&lt;',
  '$$',
  'a|b',
  '---|---',
];
const EMOJI = [':smile:', ':green_tick:', ':)', '\u{1f4a9}', '\ufe0f', '\u20e3', '\u200d', '\ud83d', '\u0000', '\r\n'];
const PIECES = [...SIGNS, ...BLOCKS, ...NAMES, ...LINKS, ...EMOJI, ...FORMULAS, '**', '***', '~~', 'a', 'b c', '1'];
const message = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));
const context = { ...organisation, translateEmoticons: true };

function attempt(content: string): string {
  try {
    return render(content, context).html;
  } catch (error) {
    if (error instanceof Fault && error.message === 'Unable to render message') return '';
    throw error;
  }
}

beforeAll(() => void jest.spyOn(console, 'warn').mockImplementation(() => {}));

test('Any message renders to inert, well-formed HTML, and to the same every time', () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 4, arbitrary: message }, fc.string({ unit: 'binary' })), (content) => {
      const html = attempt(content);
      expect(scan(html)).toEqual([]);
      expect(attempt(content)).toBe(html);
    }),
    { numRuns: tries(1500) },
  );
});

test('The sanitiser has nothing to remove from rendered HTML', () => {
  fc.assert(
    fc.property(message, (content) => {
      const html = parseToHtml(content, openRendering(context, true));
      expect(sanitise(html)).toBe(html);
    }),
    { numRuns: tries(700) },
  );
});

test('The fast path for plain text renders the same HTML as the parser', () => {
  const plain = fc.array(
    fc.constantFrom(...'ab1 .,:;?!()\'"<=%/-\n'.split(''), 'one', 'two. ', ': ', '\n\n', '\u00e9', '\u4f60'),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(
      plain.map((pieces) => pieces.join('')),
      (content) => {
        const paragraphs = plainParagraphs(content);
        fc.pre(paragraphs !== undefined);
        expect(renderPlain(paragraphs)).toBe(parseToHtml(content, openRendering(NOTHING_KNOWN, true)));
      },
    ),
    { numRuns: tries(1000) },
  );
});

test('Any user or group that rendering mentions was found as a reference before', () => {
  fc.assert(
    fc.property(message, (content) => {
      const { mentionedUserIds, mentionedGroupIds } = render(content, organisation);
      const { users, groups } = references(content);
      const announced = users.some((name) => name === 'King Hamlet' || name.endsWith('|7'));
      if (mentionedUserIds.includes(organisation.users[0]!.id)) expect(announced).toBe(true);
      if (mentionedGroupIds.length > 0) expect(groups).toContain('support');
    }),
    { numRuns: tries(1000) },
  );
});

test('Any message that renders a formula was recognised before as one that may hold a formula', () => {
  fc.assert(
    fc.property(message, (content) => {
      if (/katex|tex-error/.test(attempt(content))) expect(mayHoldFormula(content)).toBe(true);
    }),
    { numRuns: tries(1000) },
  );
});

test('The diff of any two messages is inert and well formed', () => {
  fc.assert(
    fc.property(message, message, (before, after) => {
      expect(scan(contentDiff(attempt(before), attempt(after)))).toEqual([]);
    }),
    { numRuns: tries(1000) },
  );
});
