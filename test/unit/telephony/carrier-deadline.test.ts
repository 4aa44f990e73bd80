import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { callApi } from '../../../src/telephony/carriers/http-call';
import { amidCollections } from '../../support/garbage';

let server: Server;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const call = (deadlineMs: number) => {
  const { port } = server.address() as AddressInfo;
  const asked = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}', deadlineMs };
  return callApi(asked, { answer: z.unknown(), refusal: z.never() });
};

test('A carrier that sends headers and then nothing is given up at the deadline, although garbage is collected', async () => {
  answer = (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders();
  await expect(amidCollections(call(400))).rejects.toMatchObject({ trouble: 'unknown', code: 'timeout' });
});

test('A carrier that answers without end is not read to its end', async () => {
  let sent = 0;
  answer = (response) => {
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      sent += chunk.length;
    };
    response.writeHead(200).on('drain', more);
    more();
  };
  await expect(call(600_000)).rejects.toMatchObject({ trouble: 'unknown', code: 'cut' });
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});
