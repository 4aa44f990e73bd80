import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callPbx } from '../../../src/telephony/actors/pbx-instance/pbx-http';

/** A PBX that answers one call on each connection, and resets the connection when it is used again. */
describe('Kept-alive connections that the PBX has closed', () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    const used = new WeakSet<object>();
    server = createServer((request, response) => {
      if (used.has(request.socket)) return void request.socket.resetAndDestroy();
      used.add(request.socket);
      request.resume().once('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const call = (method: string, isRead?: boolean) =>
    callPbx(url, { method, deadlineMs: 5000, ...(isRead === undefined ? {} : { isRead }) });

  test.each([
    ['A GET', 'GET', undefined],
    ['A query that is sent by POST', 'POST', true],
  ])('%s on a stale connection is sent again without an error', async (_, method, isRead) => {
    for (let times = 0; times < 4; times += 1) {
      expect(await call(method, isRead)).toEqual({ status: 200, text: '{}' });
    }
  });

  test('A read is answered although every kept-alive connection is stale', async () => {
    await Promise.all(Array.from({ length: 4 }, () => call('GET')));
    expect(await call('GET')).toEqual({ status: 200, text: '{}' });
  });

  test('A change on a stale connection is not sent again, because its outcome is unknown', async () => {
    await call('GET');
    await expect(call('PUT')).rejects.toMatchObject({ trouble: 'cut' });
  });
});
