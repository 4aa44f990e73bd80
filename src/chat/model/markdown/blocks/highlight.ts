/** Code blocks: escaped, and highlighted if the language is known. */
import type { HLJSApi } from 'highlight.js';
import { escapeCode } from '../html';

/** Highlighting is the costliest part of a message. Longer code stays plain. */
const MAX_LINES = 200;
const MAX_LINE_LENGTH = 1000;

/** Maps the highlighter's class names to the short ones that Zulip clients have styles for. */
const CLASSES: Readonly<Record<string, string>> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'l',
  char: 'se',
  class: 'nc',
  code: 's',
  comment: 'c1',
  deletion: 'gd',
  doctag: 'sd',
  emphasis: 'ge',
  formula: 's',
  function: 'nf',
  keyword: 'k',
  link: 's',
  literal: 'kc',
  meta: 'cp',
  name: 'nt',
  number: 'mi',
  operator: 'o',
  params: 'n',
  property: 'n',
  punctuation: 'p',
  quote: 'c',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'na',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  string: 's',
  strong: 'gs',
  subst: 'si',
  symbol: 'ss',
  tag: 'p',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  type: 'kt',
  variable: 'nv',
};

/** A code block, without surrounding blank lines and trailing spaces. */
export function codeBlock(code: string, language: string): string {
  const text = code.replace(/[^\S\n]+$/gm, '').replace(/^\n+|\n+$/g, '');
  return `<div class="codehilite"><pre><span></span>${highlight(text, language.toLowerCase())}\n</pre></div>`;
}

function highlight(code: string, language: string): string {
  if (language === '') return escapeCode(code);
  // Its languages take a twentieth of a second to load, which only the first such block waits for.
  const hljs = require('highlight.js/lib/common') as HLJSApi;
  if (!hljs.getLanguage(language) || isTooLong(code)) return escapeCode(code);
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  return value
    .replace(/<span class="([^"]*)">/g, (_, names: string) => `<span class="${shortClass(names)}">`)
    .replaceAll('&#x27;', '&#39;');
}

function isTooLong(code: string): boolean {
  const lines = code.split('\n');
  return lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE_LENGTH);
}

/** `hljs-title function_` and the like: the finer name takes precedence. */
function shortClass(names: string): string {
  const [coarse = '', fine = ''] = names.split(' ').map((name) => name.replace(/^hljs-|_$/g, ''));
  return CLASSES[fine] ?? CLASSES[coarse] ?? 'n';
}
