import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Kernel } from '../../../src/kernel/kernel';
import { freePbx } from '../../../src/telephony/actors/pbx-instance/freepbx';
import { openTokens } from '../../../src/telephony/actors/pbx-instance/freepbx/freepbx-api';
import { pageDeadlines } from '../../../src/telephony/actors/pbx-instance/pbx-http';

const CONTEXT = { key: 'list', deadlineMs: 60_000 };
const now = performance.now.bind(performance);

afterEach(() => jest.restoreAllMocks());

/** Moves the clock forward by this much. */
const passTime = (milliseconds: number) =>
  jest.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);

test('Every page of a list has the whole deadline until the list has taken twelve of them', () => {
  const step = pageDeadlines(CONTEXT);
  passTime(60_000 * 11 - 1000);
  expect(step().deadlineMs).toBe(60_000);
  passTime(60_000 * 11.5);
  expect(step().deadlineMs).toBeLessThanOrEqual(30_000);
  passTime(60_000 * 12);
  expect(step).toThrow(expect.objectContaining({ trouble: 'silent' }));
});

describe('A FreePBX whose list does not end', () => {
  let server: Server;
  let pages = 0;
  const user = { name: 'Phone', extPassword: 'x' };
  const full = Array.from({ length: 500 }, (_, at) => ({ extensionId: String(1000 + at), tech: 'pjsip', user }));

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url?.endsWith('/token')) return void response.end('{"access_token":"t","expires_in":3600}');
      pages += 1;
      if (pages === 3) passTime(60_000 * 12);
      // Ends eventually, so that a driver that goes on is noticed.
      response.end(JSON.stringify({ data: { list: { status: true, extension: pages < 10 ? full : [] } } }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('Reading the extensions of a PBX ends when their pages have taken twelve deadlines', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kernel = { secrets: { lookup: () => 'mark' } } as unknown as Kernel;
    const driver = freePbx(kernel, { uuid: 'x', address }, openTokens());
    await expect(driver.list(CONTEXT)).rejects.toMatchObject({ trouble: 'silent' });
    expect(pages).toBe(3);
  });
});
