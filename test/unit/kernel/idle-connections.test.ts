import { IdleConnections } from '../../../src/kernel/http/idle-connections';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const connection = (idleSince: number | undefined) => ({ idleSince, bytesRead: 0, end: jest.fn() });

test('a connection is ended when it has been idle for as long as it is kept, and not before', () => {
  const idle = new IdleConnections(5000);
  const [lone, busy, gone] = [connection(Date.now()), connection(undefined), connection(Date.now())];
  for (const each of [lone, busy, gone]) idle.watch(each);
  idle.forget(gone);
  jest.advanceTimersByTime(5900);
  expect(lone.end).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1200);
  expect(lone.end).toHaveBeenCalled();
  expect(busy.end).not.toHaveBeenCalled();
  expect(gone.end).not.toHaveBeenCalled();
  idle.close();
});

test('one on which part of a request has come is left to Node, until it is idle again', () => {
  const idle = new IdleConnections(5000);
  const slow = connection(Date.now());
  idle.watch(slow);
  jest.advanceTimersByTime(4000);
  slow.bytesRead = 10;
  jest.advanceTimersByTime(10_000);
  expect(slow.end).not.toHaveBeenCalled();
  slow.idleSince = Date.now();
  jest.advanceTimersByTime(8000);
  expect(slow.end).toHaveBeenCalled();
  idle.close();
});
