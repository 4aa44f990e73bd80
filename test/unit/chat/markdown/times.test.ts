import { html } from './organisation';

test.each([
  ['2026-11-18T23:00:00+01:00', '2026-11-18T22:00:00Z'],
  ['2026-11-18 23:00 -0530', '2026-11-19T04:30:00Z'],
  ['2026-11-18T23:00', '2026-11-18T23:00:00Z'],
  ['2026-11-18', '2026-11-18T00:00:00Z'],
  ['1700000000', '2023-11-14T22:13:20Z'],
])('The time %s in a message is %s for clients', (written, time) => {
  expect(html(`At <time:${written}>!`)).toBe(`<p>At <time datetime="${time}">${written}</time>!</p>`);
});

test.each(['tomorrow', '2026-13-01', '2026-11-18T25:00', '"><b>'])(
  '%j is no time, and the message says so',
  (written) => {
    const shown = written.split('>')[0]!.replaceAll('"', '&quot;');
    expect(html(`<time:${written}>`).replaceAll('"', '&quot;')).toContain(
      `<span class=&quot;timestamp-error&quot;>Invalid time format: ${shown}</span>`,
    );
  },
);

test('A time in code stays as it was written', () => {
  expect(html('`<time:2026-11-18>`')).toBe('<p><code>&lt;time:2026-11-18&gt;</code></p>');
});
