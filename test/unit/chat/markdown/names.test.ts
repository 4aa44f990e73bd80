import { emojiByCode, emojiByName, isEmoji } from '../../../../src/chat/model/markdown/emoji';
import { references } from '../../../../src/chat/model/markdown/references';
import { render, renderDescription } from '../../../../src/chat/model/markdown/render';
import { html, organisation } from './organisation';

const mention = (name: string, id: string, className = 'user-mention') =>
  `<span class="${className}" data-user-id="${id}">${name}</span>`;
const hamlet = mention('@King Hamlet', '7');
const silent = mention('King Hamlet', '7', 'user-mention silent');
const group = '<span class="user-group-mention" data-user-group-id="3">@support</span>';

describe('Mentions', () => {
  test.each([
    ['@**King Hamlet**', `<p>${hamlet}</p>`],
    ['@**king hamlet**', `<p>${hamlet}</p>`],
    ['@**King Hamlet|7**', `<p>${hamlet}</p>`],
    ['@**Whoever|7**', `<p>${hamlet}</p>`],
    ['@_**King Hamlet**', `<p>${silent}</p>`],
    ['@_**King Hamlet|7**', `<p>${silent}</p>`],
    [
      '@**all** @**everyone** @**stream**',
      `<p>${mention('@all', '*')} ${mention('@everyone', '*')} ${mention('@stream', '*')}</p>`,
    ],
    ['@*support* @*SUPPORT*', `<p>${group} ${group}</p>`],
    [
      '@**Nobody** @*nobody* @**King Hamlet|99**',
      '<p>@<strong>Nobody</strong> @<em>nobody</em> @<strong>King Hamlet|99</strong></p>',
    ],
    ['@all @everyone @King Hamlet', '<p>@all @everyone @King Hamlet</p>'],
    ['a@**King Hamlet**', '<p>a@<strong>King Hamlet</strong></p>'],
    ['("@**King Hamlet**"),@**King Hamlet**:@**King Hamlet**', `<p>("${hamlet}"),${hamlet}:${hamlet}</p>`],
    ["'@**King Hamlet**' <@**King Hamlet**>", `<p>'${hamlet}' &lt;${hamlet}&gt;</p>`],
    ['* @**King Hamlet**', `<ul>\n<li>${hamlet}</li>\n</ul>`],
    ['> @**King Hamlet**', `<blockquote>\n<p>${silent}</p>\n</blockquote>`],
    ['> @_**King Hamlet**', `<blockquote>\n<p>${silent}</p>\n</blockquote>`],
    ['> @**all**', `<blockquote>\n<p>${mention('all', '*', 'user-mention silent')}</p>\n</blockquote>`],
    [
      '> @*support*',
      '<blockquote>\n<p><span class="user-group-mention silent" data-user-group-id="3">support</span></p>\n</blockquote>',
    ],
    [
      '> > @**King Hamlet**\n\n@**King Hamlet**',
      `<blockquote>\n<blockquote>\n<p>${silent}</p>\n</blockquote>\n</blockquote>\n<p>${hamlet}</p>`,
    ],
    [
      '```quote\n* @**King Hamlet**\n```\n@**King Hamlet**',
      `<blockquote>\n<ul>\n<li>${silent}</li>\n</ul>\n</blockquote>\n<p>${hamlet}</p>`,
    ],
  ])('A message with mentions renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );

  test('Rendering reports who was mentioned, and what else a message holds', () => {
    const nothing = {
      mentionedUserIds: [],
      mentionedGroupIds: [],
      isWildcardMention: false,
      isTopicMention: false,
      isMe: false,
      hasLink: false,
      hasImage: false,
      hasAttachment: false,
      pages: [],
    };
    const found = (content: string) => {
      const { html: _, ...rest } = render(content, organisation);
      return rest;
    };
    expect(found('hello')).toEqual(nothing);
    expect(found('@**King Hamlet** @**Cordelia Lear|8** @**king hamlet**')).toEqual({
      ...nothing,
      mentionedUserIds: [7, 8],
    });
    expect(found('@_**King Hamlet** @_**all** `@**all**`')).toEqual(nothing);
    expect(found('```\n@**all** @**King Hamlet** http://a.com\n```')).toEqual(nothing);
    expect(found('> @**King Hamlet** @**all** @*support*\n\n~~~ quoted\n@**all**\n~~~')).toEqual(nothing);
    expect(found('> @**all**\n\n@**Cordelia Lear**')).toEqual({ ...nothing, mentionedUserIds: [8] });
    expect(found('@**all**')).toEqual({ ...nothing, isWildcardMention: true });
    expect(found('@*support*')).toEqual({ ...nothing, mentionedGroupIds: [3] });
    expect(found('/me waves')).toEqual({ ...nothing, isMe: true });
    expect(found('/meeting')).toEqual(nothing);
    expect(found('see a.com')).toEqual({ ...nothing, hasLink: true, pages: ['http://a.com'] });
    expect(found('see #12')).toEqual({ ...nothing, hasLink: true, pages: ['https://trac.example.com/ticket/12'] });
    expect(found('#**Denmark**')).toEqual(nothing);
    expect(found('http://a.com/b.png')).toEqual({ ...nothing, hasLink: true, hasImage: true });
    expect(found('[f](/user_uploads/1/ab/c.txt)')).toEqual({ ...nothing, hasLink: true, hasAttachment: true });
    expect(found('[f](/user_uploads/1/ab/c.png)')).toEqual({
      ...nothing,
      hasLink: true,
      hasImage: true,
      hasAttachment: true,
    });
  });
});

describe('Avatars', () => {
  const picture = (who: string, address: string) =>
    `<img alt="${address}" class="message_body_gravatar" src="/avatar/${who}?s=30" title="${address}">`;

  test.each([
    ['!avatar(a@example.com)', `<p>${picture('a@example.com', 'a@example.com')}</p>`],
    ['by !gravatar( A+b@Example.com ).', `<p>by ${picture('a%2Bb@example.com', 'a+b@example.com')}.</p>`],
    ['!avatar(hamlet@example.com)', `<p>${picture('7', 'hamlet@example.com')}</p>`],
    ['**!avatar(a@b)**', `<p><strong>${picture('a@b', 'a@b')}</strong></p>`],
    ['`!avatar(a@b)`', '<p><code>!avatar(a@b)</code></p>'],
    ['!avatar() !avatar(../settings) !avatar(a', '<p>!avatar() !avatar(../settings) !avatar(a</p>'],
    ['!avatar(a@../b)', '<p>!avatar(a@../b)</p>'],
    ['!avatar(a"onerror=x@b)', `<p>${picture('a%22onerror%3Dx@b', 'a&quot;onerror=x@b')}</p>`],
    ['!avatar(\ud83d@b)', '<p>!avatar(\ud83d@b)</p>'],
  ])('A message with avatars renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );
});

describe('Stream links', () => {
  const stream = '<a class="stream" data-stream-id="5" href="/#narrow/stream/5-Denmark">#Denmark</a>';
  test.each([
    ['#**Denmark**', `<p>${stream}</p>`],
    ['(#**Denmark**)', `<p>(${stream})</p>`],
    [
      '#**Denmark>the topic**',
      '<p><a class="stream-topic" data-stream-id="5" href="/#narrow/stream/5-Denmark/topic/the.20topic">#Denmark &gt; the topic</a></p>',
    ],
    [
      '#**a & b/c.d é**',
      '<p><a class="stream" data-stream-id="6" href="/#narrow/stream/6-a-.26-b.2Fc.2Ed-.C3.A9">#a &amp; b/c.d é</a></p>',
    ],
    ['#**denmark** #**Nowhere>x**', '<p>#<strong>denmark</strong> #<strong>Nowhere&gt;x</strong></p>'],
    ['a#**Denmark**', '<p>a#<strong>Denmark</strong></p>'],
  ])('A message with stream links renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );
});

describe('References', () => {
  const none = { users: [], addresses: [], groups: [], streams: [] };
  test.each([
    ['nothing here', none],
    ['@**A B** @_**C|5** @**A B** @**all**', { ...none, users: ['A B', 'C|5'] }],
    ['@*g* @*h*', { ...none, groups: ['g', 'h'] }],
    ['#**s** #**t>u**', { ...none, streams: ['s', 't', 't>u'] }],
    ['!avatar( A@b.com ) !gravatar(a@b.com) !avatar(c)', { ...none, addresses: ['a@b.com'] }],
    ['x@**A**', none],
    ['>@**A**\n>>@*g*', { ...none, users: ['A'], groups: ['g'] }],
    ['|@**A**|#**s**|\n|-|-|', { ...none, users: ['A'], streams: ['s'] }],
    ['@*a @**B** @**C\\|1**', { ...none, users: ['B', 'C|1'], groups: ['a @'] }],
    ['```\n@**A**\n```\n@**B**', { ...none, users: ['B'] }],
    ['~~~py\n@**A**', none],
    ['```quote\n@**A**\n```\n@**B**\n```\n@**C**\n```', { ...none, users: ['A', 'B'] }],
    ['````quote\n```\n@**A**\n```\n````\n@**B**', { ...none, users: ['B'] }],
    ['* ```\n  @**A**\n@**B**', { ...none, users: ['A', 'B'] }],
  ])('The names that the message %j refers to are found', (content, expected) =>
    expect(references(content)).toEqual(expected),
  );
});

describe('Emoji for reactions', () => {
  test('Emoji are found by name and by code', () => {
    expect(emojiByName('smile')).toMatchObject({ code: '263a', name: 'smile' });
    expect(emojiByName('thumbs_up')).toMatchObject({ code: '1f44d', name: '+1' });
    expect(emojiByName('octopus')).toMatchObject({ code: '1f419' });
    expect(emojiByCode('1f389')?.name).toBe('tada');
    expect(emojiByName('nothing')).toBeUndefined();
    expect(emojiByName('constructor')).toBeUndefined();
    expect(emojiByCode('1F389')).toBeUndefined();
  });

  test('An emoji name is valid only with its own code', () => {
    expect(isEmoji('+1', '1f44d')).toBe(true);
    expect(isEmoji('thumbs_up', '1f44d')).toBe(true);
    expect(isEmoji('smile', '1f604')).toBe(false);
    expect(isEmoji('nothing', '1f44d')).toBe(false);
  });
});

test('Descriptions are rendered without mentions and previews', () => {
  expect(renderDescription('A **Scandinavian** country')).toBe('<p>A <strong>Scandinavian</strong> country</p>');
  expect(renderDescription('see http://a.com/b.png <b>')).toBe(
    '<p>see <a href="http://a.com/b.png" target="_blank" title="http://a.com/b.png">http://a.com/b.png</a> &lt;b&gt;</p>',
  );
  expect(renderDescription('')).toBe('');
});
