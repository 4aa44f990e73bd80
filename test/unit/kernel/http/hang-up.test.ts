// Waiting requests are released once they are over, whatever listens to their signal.
import { EventEmitter, once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openHangUps } from '../../../../src/kernel/http/app';
import { collectGarbage } from '../../../support/garbage';

function openFake() {
  const draining = new AbortController();
  return { draining, hangUpOf: openHangUps(draining.signal) };
}

const newResponse = () => new EventEmitter() as unknown as ServerResponse;

test('The signal of a request is aborted when the client hangs up and when the process drains', () => {
  const { hangUpOf, draining } = openFake();
  const [left, held] = [newResponse(), newResponse()];
  const [first, second] = [hangUpOf(left), hangUpOf(held)];
  left.emit('close');
  expect([first.aborted, second.aborted]).toEqual([true, false]);
  draining.abort();
  expect(second.aborted).toBe(true);
  expect(hangUpOf(newResponse()).aborted).toBe(true);
});

test('The signals of requests keep no reference to a finished request', async () => {
  const { hangUpOf } = openFake();
  const hold = () => {
    const response = newResponse();
    hangUpOf(response).addEventListener('abort', () => void response);
    response.emit('close');
    return new WeakRef(response);
  };
  const over = Array.from({ length: 10 }, hold);
  // A WeakRef keeps its target until the current turn of the event loop is over.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(over.filter((each) => each.deref() !== undefined)).toEqual([]);
});

test('The signal of a request is aborted at once if its client has already hung up', async () => {
  const { hangUpOf } = openFake();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const call = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  call.on('error', () => undefined).end();
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  call.destroy();
  await once(response, 'close');
  // The signal is requested only now.
  expect(hangUpOf(response).aborted).toBe(true);
  server.close();
});
