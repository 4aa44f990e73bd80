import { code, html, link, preview } from './organisation';

describe('Code blocks', () => {
  test.each([
    ['```\na < b\n```', code('a &lt; b')],
    ['~~~\n"x" & \'y\'\n~~~', code('&quot;x&quot; &amp; &#39;y&#39;')],
    ['    def foo(): pass', code('def foo(): pass')],
    ['Said:\n~~~~.python \nx = 1\n~~~~', `<p>Said:</p>\n${code('x = <span class="mi">1</span>')}`],
    [
      '```py\ndef f(): return "a"\n```',
      code(
        '<span class="k">def</span> <span class="nf">f</span>(): <span class="k">return</span> <span class="s">&quot;a&quot;</span>',
      ),
    ],
    ['``` inventedlanguage\na = 1\n```', code('a = 1')],
    ['```\nf():   \n\n  x\t\n\n```', code('f():\n\n  x')],
    ['a\n```\nb', `<p>a</p>\n${code('b')}`],
    ['```\n* 4;\n> 5\n# 6\n:smile: @**all**\n```', code('* 4;\n&gt; 5\n# 6\n:smile: @**all**')],
    ['````\n```\n````', code('```')],
    ['~~~\n<h1>stay normal</h1>', code('&lt;h1&gt;stay normal&lt;/h1&gt;')],
  ])('A message with a code block renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );

  test('A code block of more than 200 lines is not highlighted', () => {
    expect(html(`\`\`\`py\n${'x = 1\n'.repeat(200)}\`\`\``)).toContain('<span class="mi">');
    expect(html(`\`\`\`py\n${'x = 1\n'.repeat(201)}\`\`\``)).not.toContain('<span class="mi">');
  });
});

describe('Quotes and spoilers', () => {
  const said = '<p>Hamlet said:</p>\n<blockquote>\n<p>To be or <strong>not</strong>.</p>\n<p>That</p>\n</blockquote>';
  test.each([
    ['> a\nb', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
    ['> a\n\n> b', '<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>'],
    ['x\n> a', '<p>x</p>\n<blockquote>\n<p>a</p>\n</blockquote>'],
    ['>', '<p>&gt;</p>'],
    ['> \n>', '<p>&gt; <br>\n&gt;</p>'],
    ['>>>', '<blockquote>\n<blockquote>\n<p>&gt;</p>\n</blockquote>\n</blockquote>'],
    ['>\n>\ntext', '<blockquote>\n<p>text</p>\n</blockquote>'],
    ['x\n>', '<p>x<br>\n&gt;</p>'],
    ['x\n>\ny', '<p>x</p>\n<blockquote>\n<p>y</p>\n</blockquote>'],
    ['>\n\nx', '<p>&gt;</p>\n<p>x</p>'],
    ['> a\n>\nb\n\nc', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>\n<p>c</p>'],
    ['> # a\nb', '<blockquote>\n<h1>a</h1>\n<p>b</p>\n</blockquote>'],
    ['> a\n- b', '<blockquote>\n<p>a</p>\n</blockquote>\n<ul>\n<li>b</li>\n</ul>'],
    [
      '- >\n- > a\n> b',
      '<ul>\n<li>&gt;</li>\n<li>\n<blockquote>\n<p>a</p>\n</blockquote>\n</li>\n</ul>\n<blockquote>\n<p>b</p>\n</blockquote>',
    ],
    ['>\ta\n>     b\n> \n>     c', `<blockquote>\n<p>a<br>\n    b</p>\n${code('c')}\n</blockquote>`],
    ['Hamlet said:\n~~~ quote\nTo be or **not**.\n\nThat\n~~~', said],
    ['Hamlet said:\n```quote\nTo be or **not**.\n\nThat\n```', said],
    ['```quote\na\n```\n> b', '<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>'],
    ['```quote\n# 1\n#2\n```', '<blockquote>\n<h1>1</h1>\n<p>#2</p>\n</blockquote>'],
    [
      '~~~quote\na\n~~~quote\nb\n```\nc\n```\n~~~\nd\n~~~\ne',
      `<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n${code('c')}\n</blockquote>\n<p>d</p>\n</blockquote>\n<p>e</p>`,
    ],
    ['````quote\n```\na\n```\n````', `<blockquote>\n${code('a')}\n</blockquote>`],
    [
      '```spoiler the *end*\ncontent\n```\nout',
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>the <em>end</em></p>\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p>content</p>\n</div></div>\n<p>out</p>',
    ],
    [
      '```spoiler\ncontent\n```',
      '<div class="spoiler-block"><div class="spoiler-header">\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p>content</p>\n</div></div>',
    ],
  ])('A message with a quote or a spoiler renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );
});

describe('Headings, rules and tables', () => {
  test.each([
    ['# Hello', '<h1>Hello</h1>'],
    ['###### Hello ##', '<h6>Hello</h6>'],
    ['# C#', '<h1>C#</h1>'],
    ['#Hello', '<p>#Hello</p>'],
    ['####### Hello', '<p>####### Hello</p>'],
    ['#', '<p>#</p>'],
    ['a\n===\nb', '<p>a<br>\n===<br>\nb</p>'],
    ['---', '<hr>'],
    [
      'a | b\n:-- | --:\n1 | **2**',
      '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td align="left">1</td>\n<td align="right"><strong>2</strong></td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'a | b\n--- | ---\n1 | 2\n',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
    ],
  ])('A message with a heading, a rule or a table renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );
});

describe('Lists', () => {
  const three = '<ul>\n<li>One</li>\n<li>Two</li>\n<li>Three</li>\n</ul>';
  test.each([
    ['* One\n* Two\n* Three', three],
    ['- One\n- Two\n- Three', three],
    ['+ One\n* Two\n- Three', three],
    ['Text:\n* One\n* Two\n* Three', `<p>Text:</p>\n${three}`],
    ['* a\n  * b\n  * c', '<ul>\n<li>a<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n</ul>'],
    ['* a\n    * b\n* c', '<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>'],
    ['1. A\n2. B\n  3. C', '<ol>\n<li>A</li>\n<li>B<ol start="3">\n<li>C</li>\n</ol>\n</li>\n</ol>'],
    ['1. A\n1. B\n  1. C\n1. D', '<ol>\n<li>A</li>\n<li>B<ol>\n<li>C</li>\n</ol>\n</li>\n<li>D</li>\n</ol>'],
    ['3. A\n3. B', '<ol start="3">\n<li>A</li>\n<li>B</li>\n</ol>'],
    [
      'Deep\n1. a\n  2. b\n    3. c\n    3. d\n  2. e\n2. f',
      '<p>Deep</p>\n<ol>\n<li>a<ol start="2">\n<li>b<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>\n</li>\n<li>e</li>\n</ol>\n</li>\n<li>f</li>\n</ol>',
    ],
    ['* a\n\n* b', '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>'],
    ['* a\nb', '<ul>\n<li>a<br>\nb</li>\n</ul>'],
    ['* **a** `b`', '<ul>\n<li><strong>a</strong> <code>b</code></li>\n</ul>'],
    ['para:\n\n    1. a\n    2. b', `<p>para:</p>\n${code('1. a\n2. b')}`],
    ['born in\n1984. Yes', '<p>born in<br>\n1984. Yes</p>'],
    ['9. a\n10. b\n11. c', '<ol start="9">\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ol>'],
    ['100. a', '<ol start="100">\n<li>a</li>\n</ol>'],
    ['-1 is less', '<p>-1 is less</p>'],
  ])('A message with a list renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );
});

test('The brackets of a list of tasks are shown as they were written', () => {
  expect(html('- [ ] open\n- [x] done')).toBe('<ul>\n<li>[ ] open</li>\n<li>[x] done</li>\n</ul>');
});

describe('Image previews', () => {
  const [a, b] = ['https://x.com/a.png', 'https://x.com/b.JPG?c=1'];
  test.each([
    [a, preview(a)],
    [`See ${a}\nok`, `<p>See ${link(a)}<br>\nok</p>\n${preview(a)}`],
    [`${a} and ${b}`, `<p>${link(a)} and ${link(b)}</p>\n${preview(a)}${preview(b)}`],
    [`${a}\n${a}`, `<p>${link(a)}<br>\n${link(a)}</p>\n${preview(a)}`],
    [`[name](${a})`, `<p>${link(a, 'name')}</p>\n${preview(a, 'name')}`],
    [`* x\n* y ${a}\n* z`, `<ul>\n<li>x</li>\n<li>y ${link(a)}${preview(a)}</li>\n<li>z</li>\n</ul>`],
    [`* ${a}`, `<ul>\n<li>${preview(a)}</li>\n</ul>`],
    [`> ${a}`, `<blockquote>\n<p>${link(a)}</p>\n</blockquote>`],
    [`**x ${a} y**`, `<p><strong>x ${link(a)} y</strong></p>\n${preview(a)}`],
    [`see\n\n${a}\n\nend`, `<p>see</p>\n${preview(a)}<p>end</p>`],
    ['https://x.com/a.svg', `<p>${link('https://x.com/a.svg')}</p>`],
  ])('A message with links to images renders to the expected HTML: %j', (content, expected) =>
    expect(html(content)).toBe(expected),
  );

  test('A message with more than five links shows no image preview', () => {
    const links = (count: number) =>
      Array.from({ length: count }, (_, index) => `https://x.com/${index}.png`).join(' ');
    expect(html(links(5))).toContain('message_inline_image');
    expect(html(links(6))).not.toContain('message_inline_image');
    expect(html(`> ${links(5)}\n\n${a}`)).toContain('message_inline_image');
  });
});
