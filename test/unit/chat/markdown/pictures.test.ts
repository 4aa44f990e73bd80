import { NOTHING_KNOWN } from '../../../../src/chat/model/markdown/context';
import { render } from '../../../../src/chat/model/markdown/render';
import { html, link, preview } from './organisation';

const RAW = 'https://raw.githubusercontent.com';
const FILE_PATH = 'https://en.wikipedia.org/wiki/Special:FilePath/File:Orrery.jpg';

test.each([
  ['https://github.com/o/r/blob/main/logo.png', `${RAW}/o/r/main/logo.png`],
  ['https://github.com/o/r/blob/main/a/logo.png?raw=true', `${RAW}/o/r/main/a/logo.png`],
  ['https://gitlab.com/g/p/-/blob/main/logo.png', 'https://gitlab.com/g/p/-/raw/main/logo.png'],
  ['https://git.example.com/g/s/p/-/blob/main/logo.png', 'https://git.example.com/g/s/p/-/raw/main/logo.png'],
  ['https://github.com/o/r/raw/main/logo.png', 'https://github.com/o/r/raw/main/logo.png'],
  [`${RAW}/o/r/main/logo.png`, `${RAW}/o/r/main/logo.png`],
  ['https://upload.wikimedia.org/a/b.jpg', 'https://upload.wikimedia.org/a/b.jpg'],
  ['https://notgithub.com/o/r/blob/main/logo.png', 'https://notgithub.com/o/r/blob/main/logo.png'],
])('The link %s shows a preview of the image %s', (href, source) =>
  expect(html(`see ${href}`)).toBe(`<p>see ${link(href)}</p>\n${preview(href, href, source)}`),
);

test.each([
  ['https://en.wikipedia.org/wiki/File:Orrery.jpg', FILE_PATH],
  [
    'https://de.wikipedia.org/wiki/Datei:Bild.png#file',
    'https://de.wikipedia.org/wiki/Special:FilePath/Datei:Bild.png',
  ],
  ['https://commons.wikimedia.org/wiki/File:A.png', 'https://commons.wikimedia.org/wiki/Special:FilePath/File:A.png'],
  ['https://linx.li/a.png', 'https://linx.li/s/a.png'],
])('The preview of %s links to the image file itself', (href, source) =>
  expect(html(`see ${href}`)).toBe(`<p>see ${link(href)}</p>\n${preview(source)}`),
);

test('A link that is alone in its paragraph is replaced by its preview', () => {
  expect(html('https://en.wikipedia.org/wiki/File:Orrery.jpg')).toBe(preview(FILE_PATH));
});

test('The preview of a link with text has this text as its title', () => {
  const href = 'https://github.com/o/r/blob/main/logo.png';
  expect(html(`[our logo](${href})`)).toBe(
    `<p>${link(href, 'our logo')}</p>\n${preview(href, 'our logo', `${RAW}/o/r/main/logo.png`)}`,
  );
});

test.each([
  'https://github.com/o/r/blame/main/logo.png',
  'https://github.com/o/r/commits/main/logo.png',
  'https://en.wikipedia.org/wiki/Winner.jpg',
  'https://pasteboard.co/abc.png',
])('The link %s shows no image preview', (href) => expect(html(`see ${href}`)).toBe(`<p>see ${link(href)}</p>`));

describe('Uploaded images', () => {
  const upload = '/user_uploads/2/ab/cdef/my%20cat.png';
  const encoded = 'user_uploads%2F2%2Fab%2Fcdef%2Fmy%2520cat.png';

  test('An uploaded image is shown by its thumbnail, which links to the image in full size', () => {
    const image =
      `<img data-src-fullsize="/thumbnail?url=${encoded}&amp;size=full" ` +
      `src="/thumbnail?url=${encoded}&amp;size=thumbnail">`;
    expect(html(`[cat](${upload})`)).toContain(`<a href="${upload}" target="_blank" title="cat">${image}</a>`);
  });

  test('Its size and that it moves are told, if they are known', () => {
    const pictures = new Map([['t'.repeat(32), { width: 900, height: 600, isAnimated: true }]]);
    const { html: told } = render(`[cat](/user_uploads/2/tt/${'t'.repeat(32)}/cat.gif)`, {
      ...NOTHING_KNOWN,
      pictures,
    });
    expect(told).toContain('size=thumbnail" data-original-dimensions="900x600" data-animated="true"></a>');
    expect(html(`[cat](${upload})`)).not.toContain('dimensions');
  });

  test('An uploaded image of another server is shown by this one', () => {
    const href = `https://chat.example.net${upload}`;
    expect(html(`[cat](${href})`)).toContain(preview(href, 'cat'));
  });

  test('The name of an uploaded image cannot change the thumbnail URL, and a lone surrogate in it is harmless', () => {
    expect(html('[x](/user_uploads/1/a/b&size=full.png)')).toContain(
      'src="/thumbnail?url=user_uploads%2F1%2Fa%2Fb%26size%3Dfull.png&amp;size=thumbnail"',
    );
    expect(html('[x](/user_uploads/1/a/\ud83d.png)')).not.toContain('/thumbnail');
  });
});

describe('Uploaded sound and film', () => {
  const file = (name: string) => `/user_uploads/2/ab/cdef/${name}`;

  test("Film is shown below its link, in Zulip's HTML", () => {
    const href = file('clip.mp4');
    expect(html(`[clip](${href})`)).toBe(
      `<p><a href="${href}" target="_blank" title="clip.mp4">clip</a></p>\n` +
        `<div class="message_inline_image message_inline_video"><a href="${href}" target="_blank" title="clip">` +
        `<video preload="metadata" src="${href}"></video></a></div>`,
    );
  });

  test('Sound is played below its link', () => {
    const href = file('song.mp3');
    expect(html(`[song "1"](${href})`)).toContain(
      `</a></p>\n<p><audio controls preload="metadata" src="${href}" title="song &quot;1&quot;"></audio></p>`,
    );
  });

  test('Those of other servers, other files and quoted ones stay links', () => {
    for (const text of [
      `[x](https://example.com${file('a.mp4')})`,
      `[x](${file('a.txt')})`,
      `> [x](${file('a.mp3')})`,
    ]) {
      expect(html(text)).not.toMatch(/<(?:audio|video)/);
    }
  });
});

describe('Images of other servers', () => {
  test("An image is shown from this server, in Zulip's HTML", () => {
    const url = 'https://www.google.com/images/srpr/logo4w.png';
    const encoded = 'https%3A%2F%2Fwww.google.com%2Fimages%2Fsrpr%2Flogo4w.png';
    expect(html(url)).toBe(
      `<div class="message_inline_image"><a href="${url}" target="_blank" title="${url}">` +
        `<img data-src-fullsize="/thumbnail?url=${encoded}&amp;size=full" ` +
        `src="/thumbnail?url=${encoded}&amp;size=thumbnail"></a></div>`,
    );
  });

  test.each([
    'http://a.example/x.png',
    'HTTPS://A.example/x.PNG',
    'ftp://a.example/x.png',
    'https://a.example/\ud83d.png',
  ])('The image %j is never loaded from its own address', (url) => {
    const made = html(`[x](${url})`);
    expect(made).toContain(' src="/thumbnail?url=');
    expect(made).not.toMatch(/(?:src|fullsize)="(?!\/thumbnail\?)/);
  });

  test('The address of an image cannot change the size, and is encoded as Python encodes it', () => {
    expect(html("[x](https://a.example/(1)'!*~&size=full.png?a=1#b)")).toContain(
      ' src="/thumbnail?url=https%3A%2F%2Fa.example%2F%281%29%27%21%2A~%26size%3Dfull.png%3Fa%3D1%23b&amp;size=thumbnail"',
    );
  });
});
