import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  DATA_FIELDS,
  fateOf,
  lossInCalls,
  nameRefusal,
  orderWarnings,
  warningsFor,
} from '../../../src/telephony/model/extensions/backend-fields';
import { dataFor, readExtensionBody, sentFields } from '../../../src/telephony/model/extensions/extension-draft';
import { CREDENTIAL_FIELDS } from '../../../src/telephony/model/extensions/extension-fields';
import {
  BACKEND_FIELDS,
  BACKEND_FORMS,
  BACKEND_PARTS,
  BACKENDS,
  KINDS,
  type Kind,
} from '../../../src/telephony/model/sites/backends';
import { withOthers } from '../../support/telephony/other-values';
import { readDocument, tableRows } from '../docs/documents';

const CREDENTIALS = { secret: 'secret-0', password: '', voicemail_vmpwd: '471100' };
const plain = (data: object = {}) => dataFor({ data: { name: 'Ann', ...data } }, 101);
const extension = (data: object = {}, credentials: object = {}) => ({
  number: 101,
  data: plain(data),
  credentials: { ...CREDENTIALS, ...credentials },
});
const isCredential = (name: string) => (CREDENTIAL_FIELDS as readonly string[]).includes(name);
const fieldsIn = (warnings: readonly string[]) => warnings.map((words) => /^data\.(\w+): /.exec(words)?.[1]);

/** The warnings of an order that creates an extension with this body. */
function warned(backend: Kind, data: object): string[] {
  const body = readExtensionBody({ data: { id: 101, ...data } });
  if (typeof body === 'string') throw new Error(body);
  const given = Object.entries(data).filter(([name]) => isCredential(name));
  const after = { ...extension({}, Object.fromEntries(given)), data: dataFor(body, 101) };
  return orderWarnings(backend, sentFields(body), after);
}

test('Every kind of PBX has a test of its driver', () => {
  const tests = readdirSync(join(__dirname, '../../cluster/telephony/driver-contract')).filter((file) =>
    file.endsWith('.test.ts'),
  );
  expect(tests.toSorted()).toEqual(BACKENDS.map((backend) => `${backend}.test.ts`).toSorted());
});

describe('Table of fields', () => {
  const columns = ['asterisk-ari', 'asterisk-ari+ami', 'freepbx', 'kamailio'] as const;
  const document = readDocument('docs/PROVISIONING.md');
  const CELLS = { carried: 'carried', 'in part': 'in part', 'stored only': 'stored only', refused: '400' } as const;

  test('docs/PROVISIONING.md prints the table, with every field once', () => {
    const headings = ['fields of `data`', ...columns.map((name) => `\`${name}\``)];
    const printed = tableRows(document, headings).flatMap(([names = '', ...cells]) =>
      names.split(', ').map((name) => [name.replaceAll('`', ''), ...cells]),
    );
    const table = DATA_FIELDS.map((name) => [name, ...columns.map((backend) => CELLS[fateOf(backend, name)])]);
    const byName = ([one = '']: string[], [other = '']: string[]) => (one < other ? -1 : 1);
    expect(printed.toSorted(byName)).toEqual(table.toSorted(byName));
  });

  test('docs/PROVISIONING.md says what is carried of a field that is carried in part', () => {
    const text = document.text.replaceAll(/\s+/g, ' ');
    const words = KINDS.flatMap((kind) =>
      Object.values({ ...BACKEND_PARTS[kind], ...BACKEND_FORMS[kind] }).map((part) => part.words),
    );
    expect(words.filter((each) => !text.includes(each))).toEqual([]);
  });

  test('The simulated PBX carries every field, and every kind of PBX the secret', () => {
    expect(DATA_FIELDS.filter((name) => fateOf('simulated', name) !== 'carried')).toEqual([]);
    for (const backend of BACKENDS) expect(BACKEND_FIELDS[backend]).toContain('secret');
  });
});

describe('Warnings', () => {
  test('A field that was never set causes no warning, whatever the PBX supports', () => {
    for (const backend of BACKENDS) {
      expect(warningsFor(backend, extension())).toEqual([]);
      expect(orderWarnings(backend, [], extension())).toEqual([]);
    }
  });

  test.each(BACKENDS)('Every field that %s does not carry causes a warning once an order sends it', (backend) => {
    const silent = DATA_FIELDS.filter((name) => {
      // One at a time, because some fields follow from others.
      const other = withOthers({ number: 101, ...plain(), ...CREDENTIALS }, [name])[name];
      const sent = { [name]: name === 'voicemail_options' ? 'attach=yes|review=yes' : other };
      const after = isCredential(name) ? extension({}, sent) : extension(sent);
      return !fieldsIn(orderWarnings(backend, [name], after)).includes(name);
    });
    expect(silent).toEqual(DATA_FIELDS.filter((name) => fateOf(backend, name) === 'carried'));
  });

  test('An order gets warnings only for the fields that it sends', () => {
    const after = extension({ dtmfmode: 'info', accountcode: '7' });
    expect(fieldsIn(orderWarnings('freepbx', ['accountcode'], after))).toEqual(['accountcode']);
    expect(fieldsIn(warningsFor('freepbx', after))).toEqual(['accountcode', 'dtmfmode']);
  });

  test.each([
    ['freepbx', { callerid: 'Boss <1>' }, ['callerid']],
    ['freepbx', { callerid: 'Ann <101>' }, []],
    ['freepbx', { password: 'x' }, ['password']],
    ['freepbx', { voicemail_enable: 'yes', voicemail_vmpwd: '4711' }, []],
    ['freepbx', { voicemail_options: 'attach=yes|saycid=no' }, []],
    ['freepbx', { voicemail_options: 'attach=yes|review=yes' }, ['voicemail_options']],
    ['asterisk-ari', { voicemail: 'default' }, ['voicemail']],
    ['asterisk-ari', { voicemail: 'novm' }, []],
    ['asterisk-ari', { voicemail_enable: 'yes' }, ['voicemail_enable']],
    ['asterisk-ari', { voicemail_vmpwd: '4711' }, ['voicemail_vmpwd']],
    ['asterisk-ari', { voicemail_vmpwd: '********' }, []],
    ['kamailio', { voicemail_enable: 'yes' }, ['name', 'voicemail_enable']],
    ['simulated', { dnd: true, callerid: 'Boss <1>' }, ['dnd']],
    ['freepbx', { dnd: 'yes', toString: 1 }, ['dnd', 'toString']],
  ] as const)('On %s, an order with %j is warned of %j', (backend, data, fields) => {
    expect(new Set(fieldsIn(warned(backend, { name: 'Ann', ...data })))).toEqual(new Set(fields));
  });

  test('A warning names the field and the PBX, and says what happens to the field', () => {
    expect(warned('freepbx', { name: 'Ann', dnd: 'yes', accountcode: '7' })).toEqual([
      'data.accountcode: is kept here, but this kind of PBX (freepbx) does not take it',
      'data.dnd: there is no such field, so it is not kept',
    ]);
    expect(warned('freepbx', { name: 'Ann', voicemail_options: 'review=yes' })).toEqual([
      'data.voicemail_options: this kind of PBX (freepbx) takes only attach, saycid, envelope and delete',
    ]);
  });

  test('A name or PIN that stays as it is causes no warning', () => {
    const sent = ['name', 'voicemail_vmpwd'];
    expect(orderWarnings('kamailio', sent, extension(), extension())).toEqual([]);
    const renamed = extension({ name: 'Ben' }, { voicemail_vmpwd: '1234' });
    expect(fieldsIn(orderWarnings('kamailio', sent, renamed, extension()))).toEqual(sent);
  });

  test('Of many long unknown field names, only the first are named, shortened', () => {
    const data = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x${at}${'y'.repeat(500)}`, at]));
    const warnings = warned('simulated', { name: 'Ann', ...data });
    expect(warnings).toHaveLength(20);
    expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThan(150);
  });
});

describe('Refusals', () => {
  test.each(['kamailio', 'freepbx'] as const)('Codecs and transport that %s would lose are refused', (backend) => {
    for (const name of ['allow', 'disallow', 'transport']) {
      expect(lossInCalls(backend, { [name]: 'x' })).toContain(`data.${name}: `);
      // Repeating stored values, or sending empty ones, loses nothing.
      expect(lossInCalls(backend, { [name]: 'x' }, { ...plain(), [name]: 'x' })).toBeUndefined();
      expect(lossInCalls(backend, { [name]: '' })).toBeUndefined();
      expect(lossInCalls('asterisk-ari', { [name]: 'x' })).toBeUndefined();
    }
  });

  test.each([
    ['freepbx', 'ü'.repeat(50), undefined],
    ['freepbx', 'x'.repeat(51), 'takes at most 50 characters'],
    ['freepbx', 'Ann; Ltd', 'takes no ";"'],
    ['asterisk-ari', 'Ann; Ltd', undefined],
    ['asterisk-ari', 'x'.repeat(79), undefined],
    ['asterisk-ari', 'ü'.repeat(40), 'takes at most 79 bytes'],
    ['kamailio', 'x'.repeat(100), undefined],
    ['simulated', 'x'.repeat(100), undefined],
  ] as const)('On %s, the name %j is refused: %s', (backend, name, words) => {
    expect(nameRefusal(backend, name)).toBe(words && `data.name: this kind of PBX (${backend}) ${words}`);
  });
});

describe('Fields with the same meaning', () => {
  test('The caller id follows the name until it is set', () => {
    const renamed = dataFor({ data: { name: 'Ben' } }, 101, plain());
    expect(renamed['callerid']).toBe('Ben <101>');
    const own = plain({ callerid: 'Desk <101>' });
    expect(dataFor({ data: { name: 'Ben' } }, 101, own)['callerid']).toBe('Desk <101>');
  });

  test.each([
    [{ voicemail_enable: 'yes' }, 'default', 'yes'],
    [{ voicemail: 'default' }, 'default', 'yes'],
    [{ voicemail: 'novm', voicemail_enable: 'yes' }, 'novm', ''],
    [{ voicemail_email: 'a@example.com' }, 'default', 'yes'],
    [{ voicemail_email: 'a@example.com', voicemail_enable: '' }, 'novm', ''],
  ])('A new extension with %j has voicemail %s', (data, voicemail, enabled) => {
    expect(plain(data)).toMatchObject({ voicemail, voicemail_enable: enabled });
  });

  test('A change of voicemail_enable alone turns voicemail on and off', () => {
    const change = (data: object, before: ReturnType<typeof plain>) => dataFor({ data }, 101, before);
    const on = change({ voicemail_enable: 'yes' }, plain());
    expect(on).toMatchObject({ voicemail: 'default', voicemail_enable: 'yes' });
    const off = change({ voicemail_enable: '' }, on);
    expect(off).toMatchObject({ voicemail: 'novm', voicemail_enable: '' });
    expect(change({ name: 'Ben' }, on)).toMatchObject({ voicemail: 'default' });
  });
});
