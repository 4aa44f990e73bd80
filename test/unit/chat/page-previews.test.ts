import fc from 'fast-check';
import { html as rendered } from './markdown/organisation';
import { scan } from './markdown/scanner';
import { pagePreview } from '../../../src/chat/model/pages/page-preview';
import { piecesOf } from '../../../src/chat/model/pages/tags';

const PAGE = 'https://example.com/dir/page';
const IMAGE = '<meta property="og:image" content="/i.png">';
const previewOf = (html: string) => pagePreview(html, PAGE);

test('The preview of a page uses its Open Graph tags', () => {
  const html = `<!DOCTYPE html><html><head><title>other</title>
    <META PROPERTY='og:title' content='The &quot;Rock&quot; &amp; &#8212; &eacute;' />
    <meta content=short property=og:description><meta property="og:image" content="https://cdn.example/rock.jpg?a=1&amp;b=2">
    </head><body><h1>no</h1><p>no</p></body></html>`;
  expect(previewOf(html)).toEqual({
    title: 'The "Rock" & — é',
    description: 'short',
    image: 'https://cdn.example/rock.jpg?a=1&b=2',
  });
});

test('The preview of a page without Open Graph tags uses its title and description', () => {
  const html = `${IMAGE}<title> A\n page </title><meta name="description" content="About it"><h1>Heading</h1><p>Text</p>`;
  expect(previewOf(html)).toMatchObject({ title: 'A page', description: 'About it' });
});

test('The preview of a page without those uses its first heading, and the paragraph and image after it', () => {
  const html = `<title></title><p>Before</p><img src="before.png"><h1>A <b>bold</b> heading</h1>
    <p><a href="x">Linked</a> text</p><img src="after.png"><img src="later.png">`;
  expect(previewOf(html)).toEqual({
    title: 'A bold heading',
    description: 'Linked text',
    image: 'https://example.com/dir/after.png',
  });
});

test('The preview uses the first of several tags that is not empty', () => {
  const html = `<meta property="og:title" content=" "><meta property="og:title" content="one">
    <meta property="og:title" content="two">${IMAGE}`;
  expect(previewOf(html)).toMatchObject({ title: 'one', description: null });
});

test.each(['', '<title>x</title>', 'plain', '<meta property="og:image">', '<meta property="og:image" content="">'])(
  'The page %j has no image and is not previewed',
  (html) => expect(previewOf(html)).toBeUndefined(),
);

test.each([
  ['javascript:alert(1)', undefined],
  ['data:image/png;base64,AAAA', undefined],
  ['http://[', undefined],
  [`https://a.example/${'x'.repeat(1100)}`, undefined],
  ['//cdn.example/x.png', 'https://cdn.example/x.png'],
  ['https://a.example/(1) \'x\' "y".png', 'https://a.example/%281%29%20%27x%27%20%22y%22.png'],
  ['https://a.example/?q=a\\b)', 'https://a.example/?q=a%5cb%29'],
])('The image URL %s becomes %s in a preview', (written, image) => {
  const attribute = written.replaceAll('"', '&quot;');
  expect(previewOf(`<meta property="og:image" content="${attribute}">`)?.image).toBe(image);
});

test.each([
  ['a script', '<script>var x = "<title>no</title>"; // </scrip></script>'],
  ['a style', '<style>a::after { content: "<title>no</title>" }</style>'],
  ['a comment', '<!-- <title>no</title> -->'],
  ['a drawing', '<svg><title>no</title></svg>'],
  ['what browsers show without scripts', '<noscript><title>no</title></noscript>'],
])('The preview ignores text inside %s', (_, hidden) => {
  expect(previewOf(`${IMAGE}${hidden}<title>yes</title>`)).toMatchObject({ title: 'yes' });
});

test('Long texts of a preview are cut between characters', () => {
  const html = `${IMAGE}<title>${'😀'.repeat(900)}</title><meta name=description content="${'d'.repeat(3000)}">`;
  const { title, description } = previewOf(html)!;
  expect([Array.from(title!).length, description!.length]).toEqual([200, 500]);
  expect(() => encodeURIComponent(title!)).not.toThrow();
});

test('Characters that change the direction of text are removed from a preview', () => {
  expect(previewOf(`${IMAGE}<title>a\u202eb\u0007c&#x202e;d</title>`)?.title).toBe('a b c d');
});

const PIECES = [
  '<',
  '>',
  '"',
  "'",
  '=',
  '/',
  '!',
  '--',
  ' ',
  '&',
  '&lt;',
  '\\',
  '\n',
  'a',
  '\u0000',
  'İ',
  '😀',
  ')',
  '(',
];
const TAGS = [
  '<meta ',
  'property=',
  'og:title',
  'og:image',
  'content=',
  'https://a.example/',
  'javascript:',
  '<title>',
  '<h1>',
  '</title>',
  '<p',
  '</p>',
  '<img src=',
  '<script>',
  '</script>',
  '<!--',
  '-->',
  '<svg>',
  '</h1>',
  'onerror=alert(1)',
];

test('The preview of any page is inert', () => {
  const page = fc.array(fc.constantFrom(...PIECES, ...TAGS), { maxLength: 60 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(page, fc.boolean(), (html, hasImage) => {
      const found = previewOf(hasImage ? IMAGE + html : html);
      if (!found) return;
      expect(scan(rendered(PAGE, { previews: new Map([[PAGE, found]]) }))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

const MAX = 512 * 1024;
test.each([
  ['<', '<'],
  ['starts of tags', '<a '],
  ['attributes', '<a a=a '],
  ['attributes that are never closed', '<a a="'],
  ['quotes of both kinds', '<a a=\'"<a a="\' '],
  ['equal signs', '<a ='],
  ['comments that are never closed', '<!--'],
  ['scripts that are never closed', '<script>'],
  ['paragraphs', '<p>a'],
  ['entities', '<p>&amp;&'],
  ['spaces', '<a    '],
  ['slashes', '<a////'],
])('A page of nothing but %s is read in linear time', (_, piece) => {
  const html = piece.repeat(Math.ceil(MAX / piece.length)).slice(0, MAX);
  const began = process.cpuUsage();
  for (const each of piecesOf(html)) if (each.kind === 'text' && each.text === '\u0000') break;
  previewOf(html);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1500);
});
