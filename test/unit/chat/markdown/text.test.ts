import { emoji, html } from './organisation';

describe('Paragraphs', () => {
  test.each([
    ['', ''],
    ['hello', '<p>hello</p>'],
    ['it\'s lunch time, "now"', '<p>it\'s lunch time, "now"</p>'],
    ['one\ntwo', '<p>one<br>\ntwo</p>'],
    ['one\n\ntwo\n\n\nthree', '<p>one</p>\n<p>two</p>\n<p>three</p>'],
    ['  two spaces are no code', '<p>two spaces are no code</p>'],
    ['*one*\ntwo', '<p><em>one</em><br>\ntwo</p>'],
    ['/me waves', '<p>/me waves</p>'],
    ['a < b > c & d', '<p>a &lt; b &gt; c &amp; d</p>'],
    ['& &amp; &amp;amp;', '<p>&amp; &amp; &amp;amp;</p>'],
    ['<h1>stay normal</h1>', '<p>&lt;h1&gt;stay normal&lt;/h1&gt;</p>'],
    [
      '<<script>script>evil()<</script>/script>',
      '<p>&lt;&lt;script&gt;script&gt;evil()&lt;&lt;/script&gt;/script&gt;</p>',
    ],
    ['<!-- gone? -->', '<p>&lt;!-- gone? --&gt;</p>'],
  ])('A message of paragraphs renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );
});

describe('Emphasis', () => {
  test.each([
    ['**x**', '<p><strong>x</strong></p>'],
    ['*x*', '<p><em>x</em></p>'],
    ['***x***', '<p><strong><em>x</em></strong></p>'],
    ['~~x~~', '<p><del>x</del></p>'],
    ['I ~~ like spaces ~~ here', '<p>I <del> like spaces </del> here</p>'],
    ['_x_ __x__', '<p>_x_ __x__</p>'],
    ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
    ['*a **b** c*', '<p><em>a <strong>b</strong> c</em></p>'],
    ['*a **b*c** d*', '<p><em>a <strong>b*c</strong> d</em></p>'],
    ['~~a *b*~~ **c ~~d~~**', '<p><del>a <em>b</em></del> <strong>c <del>d</del></strong></p>'],
    ['A *foo bar* is a *baz quux*', '<p>A <em>foo bar</em> is a <em>baz quux</em></p>'],
    ['const char *x = (char *)y', '<p>const char *x = (char *)y</p>'],
    ['2 * 3 * 4', '<p>2 * 3 * 4</p>'],
    ['**a\nb**', '<p>**a<br>\nb**</p>'],
    ['*a\nb*', '<p>*a<br>\nb*</p>'],
    ['~~a\nb~~', '<p>~~a<br>\nb~~</p>'],
    ['**a ~~b** c~~', '<p><strong>a ~~b</strong> c~~</p>'],
    ['*a ~~b* c~~', '<p><em>a ~~b</em> c~~</p>'],
    ['**unclosed', '<p>**unclosed</p>'],
    ['**a*', '<p>*<em>a</em></p>'],
    ['***** five *****', '<p>***** five *****</p>'],
    ['~~~~~~xx: y~~~~~~', '<p>~~~~~~xx: y~~~~~~</p>'],
    ['**<h1>x</h1>**', '<p><strong>&lt;h1&gt;x&lt;/h1&gt;</strong></p>'],
    ['Testing *:smiley*: :sm*iley*:', '<p>Testing <em>:smiley</em>: :sm<em>iley</em>:</p>'],
    ['**:smile:**', `<p><strong>${emoji('smile', '263a')}</strong></p>`],
    ['**a `**` b**', '<p><strong>a <code>**</code> b</strong></p>'],
    ['\\*a\\*', '<p>\\<em>a\\</em></p>'],
  ])('A message with emphasis renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );
});

describe('Inline code', () => {
  test.each([
    ['`x`', '<p><code>x</code></p>'],
    ['` outer ` ```    space    ```', '<p><code> outer </code> <code>    space    </code></p>'],
    ['`` a`b ``', '<p><code> a`b </code></p>'],
    ['`<&nbsp;>`', '<p><code>&lt;&amp;nbsp;&gt;</code></p>'],
    ['`**a** :smile: @**all** http://a.com #12`', '<p><code>**a** :smile: @**all** http://a.com #12</code></p>'],
    ['`unclosed', '<p>`unclosed</p>'],
    ['\\`a`', '<p>\\`a`</p>'],
    ['`a\nb`', '<p><code>a\nb</code></p>'],
    ['```inline code```', '<p><code>inline code</code></p>'],
  ])('A message with inline code renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );
});

describe('Emoji', () => {
  const poop = emoji('poop', '1f4a9');
  test.each([
    [':smile:', `<p>${emoji('smile', '263a')}</p>`],
    [':airplane:', `<p>${emoji('airplane', '2708')}</p>`],
    [':thumbs_up:', `<p>${emoji('thumbs_up', '1f44d')}</p>`],
    ['\u{1f44d}', `<p>${emoji('+1', '1f44d')}</p>`],
    ['\u{1f4a9}\u{1f4a9} word \u{1f4a9}', `<p>${poop}${poop} word ${poop}</p>`],
    ['\u2693\u2797', `<p>${emoji('anchor', '2693')}${emoji('division', '2797')}</p>`],
    ['\u2b06\ufe0f', `<p>${emoji('up', '2b06')}</p>`],
    ['2\ufe0f\u20e3 #\ufe0f\u20e3', `<p>${emoji('two', '0032-20e3')} ${emoji('hash', '0023-20e3')}</p>`],
    ['\u{1f1fa}\u{1f1f8}', '<p>\u{1f1fa}\u{1f1f8}</p>'],
    [
      ':cat:hello:dog::rabbit:',
      `<p>${emoji('cat', '1f408')}hello${emoji('dog', '1f415')}${emoji('rabbit', '1f407')}</p>`,
    ],
    ['https:smiley://a.com.', `<p>https${emoji('smiley', '1f603')}//a.com.</p>`],
    [
      ':green_tick:',
      '<p><img alt=":green_tick:" class="emoji" src="/user_avatars/1/emoji/images/20.png" title="green tick"></p>',
    ],
    [
      ':zulip:',
      '<p><img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip"></p>',
    ],
    [':gone: :nothing: x::y::z :wasted waste:', '<p>:gone: :nothing: x::y::z :wasted waste:</p>'],
    [':skin-tone-2: :man-girl-girl:', '<p>:skin-tone-2: :man-girl-girl:</p>'],
    ['copyright \u00a9 \u2122 \u2192 \u4f60\u597d', '<p>copyright \u00a9 \u2122 \u2192 \u4f60\u597d</p>'],
    [':) <3 :/', '<p>:) &lt;3 :/</p>'],
  ])('A message with emoji renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );

  test.each([
    [':)', `<p>${emoji('slight_smile', '1f642')}</p>`],
    [
      ':) foo :( bar <3 with : )',
      `<p>${emoji('slight_smile', '1f642')} foo ${emoji('frown', '1f641')} bar ${emoji('heart', '2764')} with : )</p>`,
    ],
    ['a:) ;)b', '<p>a:) ;)b</p>'],
    ['Translate !:)?', `<p>Translate !${emoji('slight_smile', '1f642')}?</p>`],
    ['`:)`', '<p><code>:)</code></p>'],
  ])('A message with emoticons renders to the expected HTML if they are translated: %j', (content, expected) =>
    expect(html(content, { translateEmoticons: true })).toBe(expected),
  );
});
