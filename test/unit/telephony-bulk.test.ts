import { MAX_ROWS, readRows, readCsv } from '../../src/telephony/model/extensions/bulk';

describe('readCsv', () => {
  test.each([
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['\ufeffa\n"x ""y"" z"\n', [['a'], ['x "y" z']]],
    [
      'a,b\n"1,2","line\nend"',
      [
        ['a', 'b'],
        ['1,2', 'line\nend'],
      ],
    ],
    [
      'a,b\n,\n\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    ['', []],
  ])('The CSV text %j is read into rows', (text, rows) => expect(readCsv(text)).toEqual(rows));

  test('A CSV text with an open quote is refused with the reason', () =>
    expect(readCsv('a\n"open')).toBe('a quote is not closed'));
});

describe('readRows', () => {
  test('Rows are read from arrays of extensions, flat or nested, and from CSV without its empty cells', () => {
    const nested = [{ data: { id: 1, name: 'A' }, purpose: 'softphone' }];
    expect(readRows(nested)).toEqual(nested);
    expect(readRows({ rows: nested })).toEqual(nested);
    expect(readRows([{ extension: 1, name: 'A', purpose: 'ip-phone' }])).toEqual([
      { data: { extension: 1, name: 'A' }, purpose: 'ip-phone' },
    ]);
    expect(readRows('Extension,name,user_id,secret\n1,A,u,\n')).toEqual([
      { data: { extension: '1', name: 'A' }, user: { id: 'u' } },
    ]);
  });

  test.each([
    ['extension,colour\n1,red', 'there is no column "colour"'],
    ['extension,name\n1', 'row 1 has 1 cells, not 2'],
    ['extension,name\n', 'there are no rows'],
    [[], 'there are no rows'],
    [[1], 'every row must be an object'],
    [{ data: {} }, 'the body must be an array of extensions, or text/csv'],
    [Array.from({ length: MAX_ROWS + 1 }, () => ({ data: {} })), `there are more than ${MAX_ROWS} rows`],
  ])('A malformed body is refused with the reason: %j', (body, sentence) => expect(readRows(body)).toBe(sentence));
});
