import { spawnSync } from 'node:child_process';

const interop = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/interop.js', ...args], {
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env['PATH'] },
  });

describe('npm run interop', () => {
  test.each([
    ['no product', []],
    ['another product', ['asterisk', '--url', 'http://127.0.0.1:1', '--client', 'x']],
    ['no address', ['freepbx', '--client', 'x']],
    ['an address that is none', ['freepbx', '--url', 'pbx', '--client', 'x']],
    ['no client', ['freepbx', '--url', 'http://127.0.0.1:1']],
    ['a first number that is none', ['freepbx', '--url', 'http://127.0.0.1:1', '--client', 'x', '--from', '0']],
    ['no address of MySQL', ['mysql']],
    ['an address that is not of MySQL', ['mysql', '--url', 'http://127.0.0.1:1']],
    ['a password in the command line', ['mysql', '--url', 'mysql://root:secret@127.0.0.1:1']],
    ['no password of MySQL', ['mysql', '--url', 'mysql://root@127.0.0.1:1']],
    ['an empty secret', ['freepbx', '--url', 'http://127.0.0.1:1', '--client', 'x']],
  ])('The command npm run interop with %s says in one line what is missing, and runs nothing', (_, args) => {
    const { status, stdout, stderr } = interop(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
