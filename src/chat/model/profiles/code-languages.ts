/** The languages of a message's code blocks. Its HTML does not say them, so they are read from what was written. */
import { isHolder, openingOf, type Fence } from '../markdown/blocks/fences';
import { isFormula } from '../markdown/formulas/formulas';

/** Names as today's Zulip writes them; others are shown as they were written. */
const NAMES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  c: 'C',
  'c#': 'C#',
  'c++': 'C++',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  go: 'Go',
  golang: 'Go',
  graphql: 'GraphQL',
  html: 'HTML',
  ini: 'INI',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  kotlin: 'Kotlin',
  kt: 'Kotlin',
  lua: 'Lua',
  make: 'Makefile',
  makefile: 'Makefile',
  markdown: 'Markdown',
  md: 'Markdown',
  perl: 'Perl',
  php: 'PHP',
  pl: 'Perl',
  py: 'Python',
  python: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  ruby: 'Ruby',
  rust: 'Rust',
  scss: 'SCSS',
  sh: 'Bash',
  shell: 'Bash',
  sql: 'SQL',
  swift: 'Swift',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
};

/** Of its blocks in their order; empty where none was named. */
function languagesIn(source: string): string[] {
  const found: string[] = [];
  const opened: Fence[] = [];
  for (const line of source.split('\n')) {
    const text = line.replace(/^ {1,3}/, '').trimEnd();
    const innermost = opened.at(-1);
    if (text === innermost?.row) opened.pop();
    else if (!innermost || isHolder(innermost)) {
      const fence = openingOf(text);
      if (fence) opened.push(fence);
      if (fence && !isHolder(fence) && !isFormula(fence.language)) found.push(fence.language);
    }
  }
  return found;
}

/** Quotes are escaped where the text is inside JSON. A language has no signs that end it. */
const BLOCK = /<div class=(\\?")codehilite\1>/g;

/** Where not every block is found in the source, none gets a language: rather none than a wrong one. */
export function withLanguages(html: string, source: () => string): string {
  const count = html.match(BLOCK)?.length ?? 0;
  if (count === 0) return html;
  const languages = languagesIn(source());
  if (languages.length !== count) return html;
  let at = 0;
  return html.replaceAll(BLOCK, (opening: string, quote: string) => {
    const language = languages[at]!;
    at += 1;
    const name = NAMES[language] ?? language;
    return name === '' ? opening : `<div class=${quote}codehilite${quote} data-code-language=${quote}${name}${quote}>`;
  });
}
