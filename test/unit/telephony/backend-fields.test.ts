import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Held } from '../../../src/telephony/actors/pbx-instance/driver';
import { lossInCalls, warningsFor } from '../../../src/telephony/model/extensions/backend-fields';
import { dataFor } from '../../../src/telephony/model/extensions/extension-draft';
import { FIELDS } from '../../../src/telephony/model/extensions/extension-fields';
import { BACKEND_FIELDS, BACKENDS } from '../../../src/telephony/model/sites/backends';
import { withOthers } from '../../support/other-values';

const plain = (data: object = {}) => dataFor({ data: { name: 'Ann', ...data } }, 101);

test('Every kind of PBX has a test of its driver, which compares the fields that are sent with its definition', () => {
  const tests = readdirSync(join(__dirname, '../../cluster/driver-contract')).filter((file) =>
    file.endsWith('.test.ts'),
  );
  expect(tests.toSorted()).toEqual(BACKENDS.map((backend) => `${backend}.test.ts`).toSorted());
});

describe('Warnings', () => {
  test('A field that was never set causes no warning, whatever the PBX supports', () => {
    for (const backend of BACKENDS) expect(warningsFor(backend, { number: 101, data: plain() })).toEqual([]);
  });

  test.each(BACKENDS)('Every field that %s does not support causes a warning once it is set', (backend) => {
    const set = withOthers({ number: 101, ...plain() }, Object.keys(FIELDS)) as Held & Parameters<typeof dataFor>[2];
    const named = warningsFor(backend, { number: 101, data: set }).map((words) => /^data\.(\w+): /.exec(words)?.[1]);
    // The first two say what others say; the name is ours alone to show where a PBX has none.
    const alone = new Set(['voicemail_enable', 'callerid', 'name']);
    const lost = Object.keys(FIELDS).filter((name) => !BACKEND_FIELDS[backend].includes(name) && !alone.has(name));
    expect(new Set(named)).toEqual(new Set(lost));
  });

  test.each(['kamailio', 'freepbx'] as const)('Codecs and transport that %s would lose are refused', (backend) => {
    for (const name of ['allow', 'disallow', 'transport']) {
      expect(lossInCalls(backend, { [name]: 'x' })).toContain(`data.${name}: `);
      // What is stored already, or says nothing, loses nothing.
      expect(lossInCalls(backend, { [name]: 'x' }, { ...plain(), [name]: 'x' })).toBeUndefined();
      expect(lossInCalls(backend, { [name]: '' })).toBeUndefined();
      expect(lossInCalls('asterisk-ari', { [name]: 'x' })).toBeUndefined();
    }
  });

  test('Every kind of PBX keeps the secret, without which there is no extension', () => {
    for (const backend of BACKENDS) expect(BACKEND_FIELDS[backend]).toContain('secret');
  });
});
