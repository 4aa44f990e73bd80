/** The documents as tests read them: their text, their links, their tables. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '../../..');

export interface Document {
  /** Relative to the root of the checkout. */
  readonly path: string;
  readonly text: string;
}

export const readDocument = (path: string): Document => ({ path, text: readFileSync(join(root, path), 'utf8') });

const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

export const documents: readonly Document[] = ['.', 'docs', 'docs/adr', 'docs/adr/superseded', 'docs/spec-gaps']
  .flatMap(markdownIn)
  .map(readDocument);

/** Text in code fences is not checked. */
const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '');

/** Targets of links within the checkout. */
export function localLinks({ text }: Document): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of the headings. */
export function anchors({ text }: Document): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Rows of every table with these headings, cell by cell. */
export function tableRows({ text }: Document, headings: readonly string[]): string[][] {
  const tables = text.split(/\n\n+/).filter((block) => block.startsWith('|'));
  return tables.flatMap((table) => {
    const [first = [], , ...rows] = table.trim().split('\n').map(cells);
    return first.join('|') === headings.join('|') ? rows : [];
  });
}

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
