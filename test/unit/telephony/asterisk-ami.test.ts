import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AmiSessions } from '../../../src/telephony/actors/pbx-instance/asterisk-ami';

interface Said {
  readonly status?: number;
  readonly text: string;
}

let server: Server;
let asked: { action: string | null; cookie: string | undefined }[];
let answer: (action: string | null) => Said;

beforeEach(async () => {
  asked = [];
  answer = () => ({ text: 'Response: Success\r\n\r\n' });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const action = new URLSearchParams(Buffer.concat(chunks).toString()).get('Action');
      asked.push({ action, cookie: request.headers.cookie });
      const { status = 200, text } = answer(action);
      const cookie = action === 'Login' ? { 'set-cookie': `mansession_id="s${asked.length}"; Version=1` } : {};
      response.writeHead(status, cookie).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const ami = () => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new AmiSessions().of({ address, details: { ami: 'sealed' } }, { decrypt: () => 'partyline:canary' })!;
};
const context = { key: 'test', deadlineMs: 30_000 };
const actions = () => asked.map(({ action }) => action);

describe('AMI over HTTP', () => {
  test('One login serves many actions, also at the same time', async () => {
    const one = ami();
    await Promise.all([one.ask('DBPut', {}, context), one.ask('DBGet', {}, context)]);
    await one.ask('DBDel', {}, context);
    expect(actions()[0]).toBe('Login');
    expect(new Set(actions().slice(1))).toEqual(new Set(['DBDel', 'DBGet', 'DBPut']));
    expect(asked.slice(1).every(({ cookie }) => cookie === 'mansession_id="s1"')).toBe(true);
  });

  test('A session that is over is begun once more, and a user who may not is told so', async () => {
    const one = ami();
    let isOver = true;
    answer = (action) => {
      if (action !== 'DBPut' || !isOver) return { text: 'Response: Success\r\n\r\n' };
      isOver = false;
      return { text: 'Response: Error\r\nMessage: Permission denied\r\n\r\n' };
    };
    await one.ask('DBPut', {}, context);
    expect(actions()).toEqual(['Login', 'DBPut', 'Login', 'DBPut']);
    answer = (action) => ({
      text: action === 'Login' ? 'Response: Success\r\n\r\n' : 'Response: Error\r\nMessage: Permission denied\r\n\r\n',
    });
    await expect(one.ask('UpdateConfig', {}, context)).rejects.toMatchObject({
      trouble: 'refused',
      message: 'The AMI user of the PBX may not do UpdateConfig',
    });
  });

  test('Values may have colons, and events come as blocks', async () => {
    answer = () => ({ text: 'Response: Success\r\n\r\nEvent: X\r\nVal: {"a":"b: c"}\r\n\r\n' });
    expect(await ami().ask('DBGet', {}, context)).toEqual([
      { Response: 'Success' },
      { Event: 'X', Val: '{"a":"b: c"}' },
    ]);
  });

  test.each([
    ['away', { status: 404, text: '<html>' }],
    ['refused', { status: 413, text: '<html>' }],
    ['error', { status: 500, text: '' }],
    ['cut', { text: 'nonsense' }],
    ['refused', { text: 'Response: Error\r\nMessage: Authentication failed\r\n\r\n' }],
  ] as const)('Trouble is %s if the answer is %j, and names no secret', async (trouble, said) => {
    answer = () => said;
    const failed = (await ami()
      .ask('DBPut', {}, context)
      .catch((error: unknown) => error)) as Error;
    expect(failed).toMatchObject({ trouble });
    expect(failed.message).not.toContain('canary');
  });

  test.each(['a\r\nb', 'a\nb', 'a\u0000'])('A control character is not sent: %j', async (value) => {
    await expect(ami().ask('UpdateConfig', { Value: value }, context)).rejects.toMatchObject({ trouble: 'refused' });
    expect(asked).toEqual([]);
  });
});
