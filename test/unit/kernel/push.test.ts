import { contactOf } from '../../../src/kernel/push/open-push';
import { outcomeOf } from '../../../src/kernel/push/send-push';

test.each([
  [201, 'taken'],
  [202, 'taken'],
  [404, 'gone'],
  [410, 'gone'],
  [400, 'refused'],
  [403, 'refused'],
  [413, 'refused'],
  [302, 'refused'],
  [429, 'later'],
  [408, 'later'],
  [500, 'later'],
  [503, 'later'],
])('A push service that answers %i has %s the push', (status, kind) => {
  expect(outcomeOf(status).kind).toBe(kind);
});

test('A service may ask for a pause of up to ten minutes', () => {
  const pauses = ['7', '86400', '-1', 'Thu, 19 Nov 2026 10:00:00 GMT', undefined].map((retryAfter) => {
    const outcome = outcomeOf(429, retryAfter);
    return outcome.kind === 'later' ? outcome.afterMs : 'none';
  });
  expect(pauses).toEqual([7000, 600_000, undefined, undefined, undefined]);
});

test('Push services learn the address of the server, or else of its mail', () => {
  const contacts = [
    ['https://chat.example.org', 'Chat <chat@example.org>'],
    ['http://localhost:9991', 'Chat <chat@example.org>'],
    ['', 'chat@example.org'],
    ['', ''],
  ].map(([publicUrl, mailFrom]) => contactOf({ publicUrl: publicUrl!, mailFrom: mailFrom! }));
  expect(contacts).toEqual([
    'https://chat.example.org',
    'mailto:chat@example.org',
    'mailto:chat@example.org',
    'mailto:nobody@example.invalid',
  ]);
});
