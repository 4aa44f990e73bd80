// Requests that were held are forgotten once they are over, whatever was hung on their signal.
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openHangUps } from '../../../src/kernel/http/hang-up';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

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

test('The signals keep no reference to a request that is over', async () => {
  const { hangUpOf } = openFake();
  const hold = () => {
    const response = newResponse();
    hangUpOf(response).addEventListener('abort', () => void response);
    response.emit('close');
    return new WeakRef(response);
  };
  const over = Array.from({ length: 10 }, hold);
  // What a reference was looked at in this turn is kept until the next.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(over.filter((each) => each.deref() !== undefined)).toEqual([]);
});
