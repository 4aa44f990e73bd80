import { cut, rangesOf } from '../../../src/chat/model/reading/anchor';
import { readNarrow } from '../../../src/chat/model/reading/narrow';
import {
  highlightHtml,
  highlightText,
  phrasesOf,
  plainText,
  wordsOf,
} from '../../../src/chat/model/reading/search-words';

describe('Narrows', () => {
  test('A narrow is a list of objects or pairs, with either spelling of operators', () => {
    expect(readNarrow('[["pm_with","a@b"],{"operator":"group-pm-with","operand":7,"negated":true}]')).toEqual([
      { operator: 'pm-with', operand: 'a@b', negated: false },
      { operator: 'group-pm-with', operand: 7, negated: true },
    ]);
    expect(readNarrow('[]')).toEqual([]);
    expect(readNarrow('[{"operator":"pm-with","operand":[1,2],"extra":1}]')).toMatchObject([{ operand: [1, 2] }]);
  });

  test.each(['{}', '1', '"x"', '[1]', '[["a"]]', '[["stream",null]]', '[["is",1]]', '[["pm-with",["a"]]]', '[['])(
    'The narrow %s is refused',
    (written) => expect(() => readNarrow(written)).toThrow(`Bad value for 'narrow': ${written}`),
  );
});

describe('Message ranges', () => {
  const all = Array.from({ length: 10 }, (_, index) => ({ id: index * 2 }));
  /** What a walk would bring. */
  const walked = (anchor: number, before: number, after: number) =>
    rangesOf({ anchor, before, after }).flatMap(({ direction, anchor: start, want }) =>
      direction === 'up'
        ? all.filter(({ id }) => id >= start).slice(0, want)
        : all.filter(({ id }) => id <= start).slice(-want),
    );
  test.each([
    [8, 2, 2, [4, 6, 8, 10, 12]],
    [9, 2, 2, [6, 8, 10, 12]],
    [8, 0, 2, [8, 10, 12]],
    [8, 2, 0, [4, 6, 8]],
    [8, 0, 0, [8]],
    [9, 0, 0, []],
    [0, 3, 2, [0, 2, 4]],
    [1e16, 2, 9, [16, 18]],
    [1e16, 0, 9, []],
    [-5, 1, 1, [0]],
  ])('The range around %d with %d before and %d after has the expected messages', (anchor, before, after, expected) => {
    const { messages } = cut(walked(anchor, before, after), { anchor, before, after });
    expect(messages.map(({ id }) => id)).toEqual(expected);
  });
});

describe('Search words', () => {
  test('Search words are compared by their stems', () => {
    const same = (...words: string[]) => expect(new Set(words.flatMap((word) => [...wordsOf(word)])).size).toBe(1);
    same('run', 'runs', 'running', 'RUN');
    same('make', 'makes', 'making');
    same('try', 'tries', 'tried', 'trying');
    same('box', 'boxes');
    same('ünder', 'ÜNDER');
    expect([...wordsOf('the bus is this')]).toEqual(['bus']);
    expect([...wordsOf('v2.1 x_y')]).toEqual(['v2', '1', 'x_y']);
  });

  test('Search words are read from HTML as plain text', () => {
    expect(plainText('<p>a&amp;b &#60;c&#62; <a href="x">d</a></p>').trim()).toBe('a&b <c>  d');
    expect(phrasesOf('a "b c" d "" "e"')).toEqual(['b c', 'e']);
  });

  test('Matching words are highlighted without breaking the markup', () => {
    const words = new Set(['run', 'amp']);
    expect(highlightHtml('<a title="run">run &amp; running</a>', words)).toBe(
      '<a title="run"><span class="highlight">run</span> &amp; <span class="highlight">running</span></a>',
    );
    expect(highlightText('<b>run</b>', words)).toBe('&#60;b&#62;<span class="highlight">run</span>&#60;/b&#62;');
  });
});
