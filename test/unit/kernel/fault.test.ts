import { DeadlineExceeded } from '../../../src/kernel/deadline';
import { Fault, recordFault, restoreFault } from '../../../src/kernel/fault';
import { faultOf } from '../../../src/kernel/http/faults';
import { CommitUnknown } from '../../../src/kernel/mysql/outcome';

test('A fault survives a round trip through JSON', () => {
  const fault = new Fault('conflict', 'Taken', { code: 'TAKEN', fields: { by: 'you' } });
  const restored = restoreFault(JSON.parse(JSON.stringify(recordFault(fault))));
  expect(restored).toBeInstanceOf(Fault);
  expect(restored).toMatchObject({ kind: 'conflict', message: 'Taken', code: 'TAKEN', fields: { by: 'you' } });
});

test.each([
  ['a frozen database', new DeadlineExceeded('MySQL', 5)],
  ['a lost connection', Object.assign(new Error('x'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true })],
  ['an exhausted pool', Object.assign(new Error('x'), { name: 'KnexTimeoutError' })],
  ['a deadlock that would not end', Object.assign(new Error('x'), { errno: 1213 })],
  ['an absent Redis', new Error("Stream isn't writeable and enableOfflineQueue options is false")],
  ['a frozen Redis', new Error('Command timed out')],
  ['a full Redis', new Error("OOM command not allowed when used memory > 'maxmemory'.")],
  ['a Redis on a full disk', new Error('MISCONF Errors writing to the AOF file: No space left on device')],
  [
    'a Redis 6 on a full disk, inside a script',
    new Error('ERR Error running script (call to f_a): @user_script:1: -MISCONF Errors writing to the AOF file'),
  ],
  ['a MySQL on a full disk', Object.assign(new Error('x'), { errno: 1114, code: 'ER_RECORD_FILE_FULL' })],
  ['an unknown commit', new CommitUnknown(new Error('x'))],
])('The error of %s becomes an "unavailable" fault with a Retry-After header', (_, error) => {
  const fault = faultOf(error);
  expect(fault.kind).toBe('unavailable');
  expect(fault.headers).toEqual({ 'Retry-After': '1' });
});

test('Any other error becomes an internal error that reveals no details', () => {
  for (const error of [new Error('password=hunter2'), 'text', undefined, null, { sql: 'SELECT 1' }]) {
    expect(faultOf(error)).toMatchObject({ kind: 'internal', message: 'Internal server error', fields: {} });
  }
});

test('An error about the body of a request is the fault of the sender', () => {
  const thrown = (status: number) => Object.assign(new Error('inside'), { status });
  expect([400, 413, 415].map((status) => faultOf(thrown(status)).kind)).toEqual([
    'invalid',
    'too-large',
    'unsupported',
  ]);
});

test('Only a fault on our side has a stack trace', () => {
  expect(new Fault('missing', 'Nothing here').stack).toBe('Fault: Nothing here');
  expect(new Fault('internal', 'Broken').stack).toContain('fault.test.ts');
  expect(new Error('next').stack).toContain('fault.test.ts');
});
