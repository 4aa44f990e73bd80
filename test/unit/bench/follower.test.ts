/** The clients of the benchmarks of event streams. */
import { frameReader } from '../../../bench/load/follower';

const HEAD = 'HTTP/1.1 200 OK\r\nX-Request-Id: abc\r\n\r\n';
const frame = (id: number, type: string) => `id: ${id}\ndata: {"id":${id},"type":"${type}","message":{"type":"x"}}\n\n`;

function heardIn(pieces: readonly string[]): number {
  let heard = 0;
  const read = frameReader(() => void (heard += 1));
  for (const piece of pieces) read(Buffer.from(piece));
  return heard;
}

const TEXT = `${HEAD}:\n\n${frame(1, 'message')}${frame(4, 'heartbeat')}retry: 5\n\n${frame(9, 'message')}`;

test.each([1, 2, 3, 7, 50, 1000])(
  'Messages of a stream that arrives in pieces of %i bytes are counted once',
  (size) => {
    const pieces = Array.from({ length: Math.ceil(TEXT.length / size) }, (_, at) =>
      TEXT.slice(at * size, (at + 1) * size),
    );
    expect(heardIn(pieces)).toBe(2);
  },
);

test('Frames in chunks of HTTP/1.1 are counted', () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  expect(heardIn([HEAD, chunk(frame(1, 'message')), chunk(frame(2, 'message'))])).toBe(2);
});

test('A stream that is refused or whose ids do not rise fails the benchmark', () => {
  expect(() => heardIn(['HTTP/1.1 401 Unauthorized\r\n\r\n'])).toThrow('401 Unauthorized');
  expect(() => heardIn([HEAD, frame(3, 'message'), frame(3, 'message')])).toThrow('event 3 came after 3');
});
