import { byteRange } from '../../../src/kernel/files/byte-range';

test.each([
  ['bytes=0-', { from: 0, to: 99 }],
  ['bytes=10-19', { from: 10, to: 19 }],
  ['bytes=10-1000', { from: 10, to: 99 }],
  ['bytes=-10', { from: 90, to: 99 }],
  ['bytes=-1000', { from: 0, to: 99 }],
  ['', undefined],
  ['bytes=-', undefined],
  ['bytes=-0', undefined],
  ['bytes=100-', undefined],
  ['bytes=20-10', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-1', undefined],
])('%s of a file of 100 bytes', (header, part) => {
  expect(byteRange(header, 100)).toEqual(part);
});

test('An empty file has no parts', () => {
  expect(byteRange('bytes=0-', 0)).toBeUndefined();
});
