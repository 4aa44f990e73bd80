/** The HTML that today's mobile app shows as such; everything else it prints as source, in the colour of errors. */

/** Elements with their classes, which may come in any order. */
const KNOWN = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 blockquote hr br ul ol li strong em del code pre a time table thead tbody tr th td span img ' +
    'div.codehilite div.spoiler-block div.spoiler-header div.spoiler-content div.message_inline_image div.message_embed ' +
    'div.message_inline_image.message_inline_video div.message_inline_image.youtube-video ' +
    'div.message_inline_image.embed-video audio video a.message_embed_image div.data-container div.message_embed_title div.message_embed_description img.emoji a.stream ' +
    'a.stream-topic a.message-link span.user-mention span.user-mention.silent span.user-group-mention ' +
    'span.user-group-mention.silent span.topic-mention span.topic-mention.silent'
  )
    .split(' ')
    .map((each) => each.split('.').sort().join('.')),
);

const PYGMENTS = new Set(
  'k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi vm l ld s sa sb sc dl sd s2 se sh si sx sr s1 ss m mb mf mh mi il mo o ow p pm c ch cm cp cpf c1 cs g gd ge gr gh gi go gp gs gu ges gt w esc err x'.split(
    ' ',
  ),
);

const TAG = /<(\w+)((?:\s+[\w-]+="[^"]*")*)\s*\/?>/g;
const FORMULA = /<span class="katex(?:-display)?">.*?<\/span>(?=<\/p>|\s|$)/gs;
const BLOCK = /<div class="codehilite"(?: data-code-language="[^"]*")?>(.*?)<\/div>/gs;
const CODE = /^<pre><span><\/span><code>[^]*<\/code><\/pre>$/;

/** What it would print as source. */
export function unreadable(html: string): string[] {
  const blocks = [...html.matchAll(BLOCK)].map((match) => match[1]!);
  const odd = blocks.filter((block) => !CODE.test(block) || block.split('<code>').length !== 2);
  const rest = html.replaceAll(FORMULA, '').replaceAll(BLOCK, '');
  return [...odd, ...tagsIn(rest).filter((tag) => !isKnown(tag)), ...blocks.flatMap(unknownCode)];
}

interface Tag {
  readonly name: string;
  readonly classes: readonly string[];
}

const tagsOf = (html: string): Tag[] =>
  [...html.matchAll(TAG)].map(([, name, attributes]) => ({
    name: name!,
    classes: (/\sclass="([^"]*)"/.exec(attributes!)?.[1] ?? '').split(' ').filter((each) => each !== ''),
  }));

const tagsIn = (html: string): string[] =>
  tagsOf(html).map(({ name, classes }) =>
    name === 'span' && classes[0] === 'emoji' ? 'span' : [name, ...classes].sort().join('.'),
  );

const isKnown = (tag: string): boolean => KNOWN.has(tag);

const unknownCode = (block: string): string[] =>
  tagsOf(block)
    .filter(({ name, classes }) => name === 'span' && classes.length > 0 && !classes.some((each) => PYGMENTS.has(each)))
    .map(({ classes }) => `code ${classes.join('.')}`);
