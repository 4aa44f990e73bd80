import type { LinkPreview } from '../../../../src/chat/model/markdown/context';
import { render } from '../../../../src/chat/model/markdown/render';
import { html, link, organisation, preview } from './organisation';
import { scan } from './scanner';

const PAGE = 'https://example.com/page';
const ROCK: LinkPreview = {
  image: '/external_content/0a1b/68747470733a2f2f61',
  title: 'The Rock',
  description: 'Two men & a rock',
};

const embed = (href: string, { image, title, description }: LinkPreview) =>
  `<div class="message_embed"><a class="message_embed_image" href="${href}" style="background-image: url(${image})" target="_blank"></a>` +
  `<div class="data-container"><div class="message_embed_title"><a href="${href}" target="_blank" title="${title}">${title}</a></div>` +
  `<div class="message_embed_description">${description}</div></div></div>`;

const shown = (content: string, pages: Record<string, LinkPreview>) =>
  html(content, { previews: new Map(Object.entries(pages)) });

test('The preview of a linked page is shown below the message', () => {
  const expected = embed(PAGE, { ...ROCK, description: 'Two men &amp; a rock' });
  expect(shown(`see ${PAGE}\n\nmore`, { [PAGE]: ROCK })).toBe(`<p>see ${link(PAGE)}</p>\n<p>more</p>\n${expected}`);
});

test('The preview of a page without a title or description omits them', () => {
  const bare = shown(PAGE, { [PAGE]: { ...ROCK, title: null, description: null } });
  expect(bare).toContain('<div class="data-container"></div></div>');
  expect(scan(bare)).toEqual([]);
});

test('A page that is linked twice is previewed once, in the order of links, and images stay in place', () => {
  const [one, other, image] = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3.png'];
  const made = shown(`${other} ${one} ${other} ${image}`, { [one]: ROCK, [other]: ROCK });
  expect(made.split('message_embed"')).toHaveLength(3);
  expect(made.indexOf(`message_embed_image" href="${other}"`)).toBeLessThan(
    made.indexOf(`message_embed_image" href="${one}"`),
  );
  expect(made).toContain(preview(image));
});

test.each([
  ['a quote', `> ${PAGE}`],
  ['code', `\`${PAGE}\``],
  ['a message with many links', [PAGE, 1, 2, 3, 4, 5].map((each) => `https://example.com/${each}`).join(' ') + PAGE],
])('A link in %s gets no page preview', (_, content) => {
  expect(shown(content, { [PAGE]: ROCK })).not.toContain('message_embed');
  expect(render(content, organisation).pages).toEqual([]);
});

test('Only links to other servers that are no images get a page preview', () => {
  const content =
    '[a](https://a.example/x) https://a.example/y.png a@b.com ftp://c.example/ [own](https://chat.example.com/x) ' +
    '[file](/user_uploads/1/ab/c.txt)';
  expect(render(content, organisation).pages).toEqual(['https://a.example/x']);
});

test.each([
  'https://example.com/rock.jpg',
  '/external_content/0a1b/6874)};body{display:none',
  '/user_uploads/1/ab/c.png',
  'javascript:alert(1)',
  'https://a.example/x)};body{display:none',
  "https://a.example/x' onmouseover='alert(1)",
  'https://a.example/"><script>alert(1)</script>',
  'data:text/html,x',
  '//a.example/x.png',
  'https://a.example/a b',
  'https://a.example/\\29 x',
])('A page with the image %s gets no preview', (image) => {
  expect(shown(PAGE, { [PAGE]: { ...ROCK, image } })).toBe(`<p>${link(PAGE)}</p>`);
});

test('The title and description of a page are escaped in its preview', () => {
  const hostile = '"><img src=x onerror=alert(1)>&lt;script&gt;</div></div><script>alert(1)</script>';
  const made = shown(PAGE, { [PAGE]: { ...ROCK, title: hostile, description: hostile } });
  expect(scan(made)).toEqual([]);
  expect(made).not.toMatch(/<script|<img/);
  expect(made).toContain('&amp;lt;script&amp;gt;');
});
