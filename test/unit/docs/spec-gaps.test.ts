import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, root } from './documents';

const pages = documents.filter(({ path }) => path.startsWith('docs/spec-gaps/'));

interface Decision {
  readonly question: string;
  /** The second line: the test, or the reason why there is none. */
  readonly pinned: string;
}

/** Two lines each: `- **Question.** What we do.`, and below it the test. */
function decisionsOf(text: string): Decision[] {
  return text.split(/^(?=- |#)/m).flatMap((entry) => {
    const [line = '', ...rest] = entry.split(/\n(?= {2}- )/);
    if (!line.startsWith('- ')) return [];
    return [
      { question: /^- \*\*(.+?)\.\*\* \S/.exec(line)?.[1] ?? `no question: ${line}`, pinned: rest.join(' ').trimEnd() },
    ];
  });
}

const all = pages.flatMap(({ path, text }) => decisionsOf(text).map((decision) => ({ path, ...decision })));

const TEST = /`(test\/[\w/.-]+\.ts)`((?:,? "[^"]+")+)/g;

/** As a whole string of the file: a part of a title, or a title in a comment, is not enough. */
function hasTitle(file: string, title: string): boolean {
  const source = readFileSync(join(root, file), 'utf8');
  const forms = [`'${title.replaceAll("'", String.raw`\'`)}'`, `"${title}"`, `\`${title}\``];
  return forms.some((form) => source.includes(form));
}

test('The specification gaps are three pages of many decisions', () => {
  expect(pages.map(({ path }) => path)).toEqual([
    'docs/spec-gaps/chat.md',
    'docs/spec-gaps/common.md',
    'docs/spec-gaps/telephony.md',
  ]);
  expect(all.length).toBeGreaterThan(400);
});

test('Every decision has a question, and a test or the reason why it has none', () => {
  const isPinned = ({ pinned }: Decision) =>
    /^ {2}- none yet: \S/.test(pinned) ||
    pinned
      .replaceAll(/\s+/g, ' ')
      .replace(TEST, '')
      .replaceAll(/[;\s-]/g, '') === '';
  expect(
    all.filter((each) => each.question.startsWith('no question') || each.pinned === '' || !isPinned(each)),
  ).toEqual([]);
});

test('Every test that a decision names exists under that title', () => {
  const named = all.flatMap(({ question, pinned }) =>
    [...pinned.replaceAll(/\s+/g, ' ').matchAll(TEST)].flatMap(([, file = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map((match) => ({ question, file, title: match[1]! })),
    ),
  );
  expect(named.length).toBeGreaterThan(all.length - 10);
  expect(named.filter(({ file, title }) => !hasTitle(file, title))).toEqual([]);
});

test('No page decides a question twice under one heading', () => {
  const twice = pages.flatMap(({ path, text }) =>
    text.split(/^## /m).flatMap((area) => {
      const questions = decisionsOf(area).map(({ question }) => question);
      return questions
        .filter((question, place) => questions.indexOf(question) < place)
        .map((each) => `${path}: ${each}`);
    }),
  );
  expect(twice).toEqual([]);
});
