import { NOTHING_KNOWN } from '../../../../src/chat/model/markdown/context';
import { contentDiff } from '../../../../src/chat/model/markdown/content-diff';
import { mayHoldFormula } from '../../../../src/chat/model/markdown/formulas/formulas';
import { render, renderDescription } from '../../../../src/chat/model/markdown/render';
import { isInert } from '../../../../src/chat/model/markdown/formulas/tex';
import { highlightHtml, plainText } from '../../../../src/chat/model/reading/search-words';
import { html } from './organisation';
import { scan } from './scanner';

const source = (tex: string) => `<annotation encoding="application/x-tex">${tex}</annotation>`;
const error = (text: string) => `<span class="tex-error">${text}</span>`;

describe('Formulas', () => {
  test('A formula between double dollar signs is rendered inline as HTML and MathML', () => {
    const drawn = html('so $$a^2$$ it is');
    expect(drawn).toMatch(/^<p>so <span class="katex"><span class="katex-mathml"><math .*<\/span> it is<\/p>$/);
    expect(drawn).toContain('<msup><mi>a</mi><mn>2</mn></msup>');
    expect(drawn).toContain(source('a^2'));
    expect(drawn).toContain('<span class="katex-html" aria-hidden="true"><span class="base">');
    expect(drawn).toContain('<span class="mord mathnormal mathdefault">a</span>');
  });

  test.each(['```math', '~~~tex', '``` latex'])(
    'A fence that begins with %s is rendered as a block formula',
    (opening) => {
      const drawn = html(`${opening}\na = b\n\nc < d\n${opening.slice(0, 3)}\nend`);
      expect(drawn).toMatch(/^<p><span class="katex-display"><span class="katex">/);
      expect(drawn.match(/<span class="katex-display">/g)).toHaveLength(2);
      expect(drawn).toContain(source('c &lt; d'));
      expect(drawn).toMatch(/<\/p>\n<p>end<\/p>$/);
    },
  );

  test.each([
    ['`$$a$$`', '<p><code>$$a$$</code></p>'],
    ['$$_$$ is a smiley', '<p>$$_$$ is a smiley</p>'],
    ['We make $$$ or even $$$$!', '<p>We make $$$ or even $$$$!</p>'],
    ['$foo is$$', '<p>$foo is$$</p>'],
    ['$$x=3\ny=4$$', '<p>$$x=3<br>\ny=4$$</p>'],
  ])('Text that only looks like a formula stays text: %j', (content, expected) => expect(html(content)).toBe(expected));

  test.each([
    ['$$\\nothing$$', `<p>${error('$$\\nothing$$')}</p>`],
    ['$$\\frac{<b>$$', `<p>${error('$$\\frac{&lt;b&gt;$$')}</p>`],
    ['```math\n\\frac{<b>\n```', `<p>${error('\\frac{&lt;b&gt;')}</p>`],
  ])('A formula with a mistake is shown as an error: %j', (content, expected) => expect(html(content)).toBe(expected));

  test.each([
    ['too long', `$$${'x'.repeat(1501)}$$`],
    ['defining a macro that is used too often', `$$\\def\\a{${'x'.repeat(1000)}}${'\\a'.repeat(200)}$$`],
    ['defining a macro without an end', '$$\\def\\a{\\a\\a}\\a$$'],
    ['nested too deep', `$$${'{'.repeat(700)}x${'}'.repeat(700)}$$`],
    ['reaching far out of its line', '$$\\kern-5000em x$$'],
    ['printing to the console', '$$\\message{hello}x$$'],
    ['many signs that nobody has measured', `$$${'\u{1f680}'.repeat(21)}$$`],
  ])('A formula is shown as an error if it is refused for %s', (_, content) =>
    expect(html(content)).toMatch(/^<p><span class="tex-error">\$\$/),
  );

  test('A message whose rendered formulas are too long is refused', () => {
    expect(() => render('$$x^2$$ '.repeat(300), NOTHING_KNOWN)).toThrow('Unable to render message');
  });

  test('A rule in a formula is never wider than 50 em', () => {
    expect(html('$$\\rule{5000em}{1em}$$')).toContain('border-right-width:50em');
  });

  test.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://example.com}',
    '\\includegraphics[height=1em]{https://example.com/a.png}',
    '\\htmlClass{a}{x}',
    '\\htmlStyle{position:fixed}{x}',
    '\\htmlData{onload=x}{x}',
    '\\text{"><img src=x onerror=alert(1)>}',
    "<script>alert('x')</script>",
    '\\textcolor{red;position:fixed}{x}',
  ])('A rendered formula contains no scripts and no links: %j', (tex) => {
    const drawn = html(`$$${tex}$$\n\n\`\`\`math\n${tex}\n\`\`\``);
    expect(scan(drawn)).toEqual([]);
    expect(drawn).not.toMatch(/<(?:a|img|script|mglyph)\b|style="[^"]*position/);
  });
});

describe('Check of rendered formulas', () => {
  const passes = (content: string) => {
    const drawn = html(content);
    expect(drawn).not.toContain('tex-error');
    expect(drawn).toContain('class="katex');
    expect(scan(drawn)).toEqual([]);
  };

  test.each([
    '\\frac{1}{2} \\binom{n}{k} \\genfrac(]{2pt}{1}{a}{b} \\cfrac{1}{2} {a \\over b} {n \\brace k}',
    '\\sqrt[3]{x} \\overline{AB} \\underline{x} \\widehat{abc} \\overbrace{x+y}^{n} \\underbrace{a}_{b} \\xrightarrow[b]{a}',
    '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix} \\begin{array}{c|c:c}1&2&3\\\\\\hline 4&5&6\\end{array}',
    '\\begin{cases}a&b\\\\c&d\\end{cases} \\begin{aligned}a&=b\\\\&=c\\end{aligned} \\substack{a\\\\b}',
    '\\left(\\frac{a}{\\left\\{\\sum_{i=0}^n i\\right\\}}\\right) \\big| \\Bigg\\lceil \\int\\limits_0^\\infty',
    '\\color{red}x \\textcolor{#12a}{y} \\colorbox{blue}{z} \\fcolorbox{red}{#ffffff}{k} \\boxed{x}',
    '\\cancel{x} \\bcancel{x} \\xcancel{x} \\sout{abc} \\phase{x} \\not= \\angl n \\pmb{x} \\boldsymbol{x}',
    '\\text{a \\textbf{b} \\textit{c}} \\mathrm{x} \\mathbb{R} \\mathcal{L} \\mathfrak{g} \\mathsf{x} \\mathtt{x} \\mathscr{S}',
    '\\overset{a}{b} \\underset{a}{b} \\stackrel{!}{=} \\raisebox{2pt}{x} \\rule{1em}{2pt} \\phantom{x} \\smash{x} \\mathllap{x}',
    '\\vec{a} \\dot{x} \\ddot{x} \\tilde{x} \\acute{e} \\overrightarrow{AB} \\utilde{ab} \\overgroup{ab} \\xleftrightarrow{abc}',
    '\\tiny x \\Huge y \\displaystyle \\sum \\textstyle \\lim_{x\\to0} \\operatorname{argmax} \\bmod \\pmod{3} \\pm \\dots \\iff',
    '\\oiint \\oint \\coprod \\bigcup \\alpha \\Omega \\hbar \\nabla \\forall \\exists \\to \\mapsto \\$ \\% \\& \\# x\\,y\\quad z',
    '\\def\\a#1{#1^2}\\a{x}\\newcommand{\\b}{y}\\b \\verb|x| \\kern1em \\hspace{-1em}',
  ])('The check accepts what KaTeX renders from %s', (tex) => {
    passes(`$$${tex}$$`);
    passes(`\`\`\`math\n${tex}\n\`\`\``);
  });

  test.each(['\\begin{CD}A @>a>> B\\\\@VbVV @VVcV\\\\C @>d>> D\\end{CD}', 'a \\tag{1}'])(
    'The check accepts what KaTeX renders as a block from %s',
    (tex) => passes(`\`\`\`math\n${tex}\n\`\`\``),
  );

  test.each([
    '<span onclick="x">a</span>',
    '<a href="x">a</a>',
    '<span style="background:url(x)">a</span>',
    '<span style="position:fixed">a</span>',
    '<span style="top:-500em">a</span>',
    '<span class=x>a</span>',
    'a > b',
    '<span',
    '<span><span>a</span>',
    `${'<span>'.repeat(300)}${'</span>'.repeat(300)}`,
  ])('The check refuses the markup %s', (markup) => expect(isInert(markup)).toBe(false));
});

describe('Formulas outside messages', () => {
  test('Descriptions show formulas as they were written', () => {
    expect(renderDescription('see $$a^2$$')).toBe('<p>see <code>a^2</code></p>');
    expect(renderDescription('```math\na < b\n```')).toContain('a &lt; b');
  });

  test('Only a message that may hold a formula is treated as one that does', () => {
    for (const content of ['$$x$$', 'a\n```math\nx', '> ~~~ {.TeX}', '~~~~latex']) {
      expect([content, mayHoldFormula(content)]).toEqual([content, true]);
    }
    for (const content of ['costs $5', 'earns $$$', '$$a\nb$$', '```python\nmath', 'math']) {
      expect([content, mayHoldFormula(content)]).toEqual([content, false]);
    }
  });

  const drawn = html('pi is $$\\pi < 4$$ **pie**');

  test('A search finds the source text of a formula', () => {
    expect(plainText(drawn).split(/\s+/).join(' ')).toBe(' pi is \\pi < 4 pie ');
  });

  test('A search highlights nothing inside a rendered formula', () => {
    const marked = highlightHtml(drawn, new Set(['pi']));
    expect(marked).toBe(drawn.replace('<p>pi', '<p><span class="highlight">pi</span>'));
  });

  test('The history of a message compares formulas as they were written', () => {
    const diff = contentDiff(drawn, html('pi is $$\\pi < 5$$ **pie**'));
    expect(diff).toContain('<span class="highlight_text_deleted">4</span>');
    expect(diff).toContain('$$\\pi &lt; ');
    expect(scan(diff)).toEqual([]);
  });
});
