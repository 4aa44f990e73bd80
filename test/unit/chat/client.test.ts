import { clientOf, isIncompatible } from '../../../src/chat/model/client';
import { paragraphs } from '../../../src/chat/model/wire';

test.each([
  ['ZulipPython/0.6.3 (Ubuntu; 18.04)', 'ZulipPython', '0.6.3'],
  ['node-fetch/1.0 (+https://example.com)', 'node-fetch', '1.0'],
  ['ZulipHelloworldBot (Debian; 10)', 'ZulipHelloworldBot', ''],
  ['My Cool App 1.0', 'My Cool App', ''],
  ['curl/7.68.0', 'curl', '7.68.0'],
  ['ZulipMobile/26.20.143 (Android 9)', 'ZulipMobile', '26.20.143'],
  ['', 'Unspecified', ''],
])('The user agent "%s" is read as the client "%s" in version "%s"', (userAgent, name, version) => {
  expect(clientOf(userAgent)).toEqual({ name, version });
});

test('Client versions are compared by their numbers', () => {
  const minimum = { App: '2.10', Never: '*' };
  const old = (name: string, version: string) => isIncompatible({ name, version }, minimum);
  expect(['2.9', '2.9.99', '1', ''].map((version) => old('App', version))).toEqual([true, true, true, true]);
  expect(['2.10', '2.10.0', '2.11', '3'].map((version) => old('App', version))).toEqual([false, false, false, false]);
  expect(old('Never', '99')).toBe(true);
  expect(old('Other', '0.1')).toBe(false);
});

test('A hostile user agent takes no longer to read than another', () => {
  const began = process.cpuUsage();
  clientOf(`a${' b'.repeat(50_000)}`);
  clientOf(' '.repeat(100_000));
  // CPU time, which a busy machine does not lengthen.
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(200);
});

test('Descriptions are sent as escaped text, never as markup', () => {
  expect(paragraphs('a <b> & "c"\n\nd')).toBe('<p>a &#60;b&#62; &#38; &#34;c&#34;</p>\n<p>d</p>');
});
