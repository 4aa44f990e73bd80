import { guessColumns, mappedCsv } from '../../../web/portal/bulk/columns';
import { plainCsv, readCsv, writeCsv } from '../../../web/portal/bulk/csv';

test.each([
  [
    'commas and line ends of every kind',
    'a,b\r\n1,2\n3,4\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  ['quotes, doubled quotes and line ends in quotes', '"a ""x""","b\nc"', [['a "x"', 'b\nc']]],
  [
    'semicolons, as spreadsheets of some countries write',
    'a;b\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  ['a byte order mark and empty lines', '\ufeffa\n\nb\n', [['a'], ['b']]],
])('A CSV file is read with %s', (_, text, rows) => {
  expect(readCsv(text)).toEqual(rows);
});

test('What is written for programs is read as it was', () => {
  const rows = [
    ['a,b', '"', 'c\nd', '=1+1', ''],
    ['1', '2', '3', '4', '5'],
  ];
  expect(readCsv(plainCsv(rows))).toEqual(rows);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('A spreadsheet does not take %j for a formula', (cell) => {
  expect(readCsv(writeCsv([['x', cell]]))[0]![1]).toBe(`'${cell}`);
});

test('Columns are known by the names of fields and of spreadsheets, each field once, and others are not used', () => {
  const known = new Set(['extension', 'name', 'secret', 'dtmfmode']);
  expect(guessColumns(['Extension', 'NAME', 'display name', 'dtmfmode', 'unheard of', 'constructor'], known)).toEqual([
    'extension',
    'name',
    '',
    'dtmfmode',
    '',
    '',
  ]);
  expect(guessColumns(['id', 'email'], known)).toEqual(['extension', 'voicemail_email']);
  expect(mappedCsv([['1', 'x', 'One'], ['2']], ['extension', '', 'name'])).toBe('extension,name\r\n1,One\r\n2,\r\n');
});
