import { guessColumns, mappedCsv } from '../../../web/portal/bulk/columns';
import { plainCsv, readCsv as readLines, writeCsv } from '../../../web/portal/bulk/csv';
import { decode, guessEncoding, type Encoding } from '../../../web/portal/bulk/decode';
import { lineOf, namesOf, NO_FILE, wordsInFile } from '../../../web/portal/bulk/in-file';

const readCsv = (text: string) => readLines(text).map(({ cells }) => cells);

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

test('A CSV file written for programs is read back unchanged', () => {
  const rows = [
    ['a,b', '"', 'c\nd', '=1+1', ''],
    ['1', '2', '3', '4', '5'],
  ];
  expect(readCsv(plainCsv(rows))).toEqual(rows);
});

test('A confirmation that messages may be deleted is added to every line, and replaces a column of the file', () => {
  const lines = [
    ['1', 'no', 'a'],
    ['2', '', 'b'],
  ];
  const columns = ['extension', 'discard_voicemail', 'name'];
  expect(mappedCsv(lines, columns, { discard_voicemail: 'true' })).toBe(
    'extension,name,discard_voicemail\r\n1,a,true\r\n2,b,true\r\n',
  );
  expect(mappedCsv(lines, columns)).toBe('extension,discard_voicemail,name\r\n1,no,a\r\n2,,b\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
  'The cell %j is written so that a spreadsheet does not take it for a formula',
  (cell) => {
    expect(readCsv(writeCsv([['x', cell]]))[0]![1]).toBe(`'${cell}`);
  },
);

test('Columns are matched by names of fields or spreadsheets, each field once, and others are ignored', () => {
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

test('An error in a row is reported with the line and the columns of the file', () => {
  const lines = readLines('Durchwahl,Wer,Notiz,Konto\n1,"a\nb",,\n\n2,c,,').map(({ line }) => line);
  const file = namesOf(['Durchwahl', 'Wer', 'Notiz', 'Konto'], ['extension', 'name', '', 'user_id'], lines.slice(1));
  expect([1, 2].map((row) => lineOf(file, row))).toEqual([2, 4]);
  for (const [detail, words] of [
    ['data.name: must be text; data.extension: must be a number', 'Wer: must be text; Durchwahl: must be a number'],
    ['data.id: the number of the extension is required', 'Durchwahl: the number of the extension is required'],
    ['user.id: there is no such user in this company', 'Konto: there is no such user in this company'],
    ['data.dtmfmode: is not valid', 'dtmfmode: is not valid'],
    ['The PBX answered 500: no room', 'The PBX answered 500: no room'],
  ] as const)
    expect(wordsInFile(file, detail)).toBe(words);
  expect(lineOf(NO_FILE, 7)).toBe(7);
  expect(wordsInFile(NO_FILE, 'data.name: must be text')).toBe('name: must be text');
});

const TEXT = 'Nummer;Name\r\n101;Zoë Müller\r\n';

test.each<[Encoding, Buffer]>([
  ['utf-8', Buffer.from(TEXT)],
  ['utf-8', Buffer.from(`\ufeff${TEXT}`)],
  ['windows-1252', Buffer.from(TEXT, 'latin1')],
  ['utf-16le', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['utf-16le', Buffer.from(TEXT, 'utf16le')],
  ['utf-16be', Buffer.from(TEXT, 'utf16le').swap16()],
])('A file in %s is recognised', (encoding, bytes) => {
  expect(guessEncoding(bytes)).toBe(encoding);
  expect(decode(bytes, encoding)).toBe(TEXT);
});

test('A line names a person by address and a place by name', () => {
  const known = new Set(['extension', 'user_email', 'location']);
  expect(guessColumns(['Durchwahl', 'Benutzer', 'Standort'], known)).toEqual(['extension', 'user_email', 'location']);
  const file = namesOf(['Durchwahl', 'Benutzer', 'Standort'], ['extension', 'user_email', 'location'], [2]);
  expect(wordsInFile(file, 'user.work_email: is unknown')).toBe('Benutzer: is unknown');
  expect(wordsInFile(file, 'location.name: is unknown')).toBe('Standort: is unknown');
});
