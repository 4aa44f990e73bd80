// A PBX that is told to be slow releases each call once it is over.
import { EventEmitter, getEventListeners } from 'node:events';
import { behave, type Pbx } from '../../../simulators/pbx/behaviour';
import type { Exchange } from '../../../simulators/pbx/exchange';
import type { Fault } from '../../../simulators/pbx/faults';

const stop = new AbortController();
const pbx = { stopping: stop.signal } as unknown as Pbx;
const work = { run: () => ({ status: 200, body: {} }), failure: { status: 500, body: {} } };

function call(fault: Partial<Fault>) {
  const response = new EventEmitter();
  const exchange = { response } as unknown as Exchange;
  const answer = behave(pbx, exchange, { mode: 'slow', delay_ms: 60_000, ...fault } as Fault, work);
  return { answer, close: () => response.emit('close') };
}

const hangingOn = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('A slow call leaves no listener on the stop signal of the process', async () => {
  const { answer, close } = call({ delay_ms: 20 });
  expect(hangingOn(stop.signal)).toBe(1);
  expect(await answer).toMatchObject({ status: 200 });
  close();
  expect(hangingOn(stop.signal)).toBe(0);
});

test('A slow call ends when the client is gone, unless it is to be late, and when the process stops', async () => {
  const [left, late, last] = [call({}), call({ delay_ms: 50, late: true }), call({})];
  left.close();
  late.close();
  expect(await left.answer).toBeUndefined();
  expect(await late.answer).toMatchObject({ status: 200 });
  stop.abort();
  expect(await last.answer).toBeUndefined();
  expect(await call({}).answer).toBeUndefined();
});
