import type { Incoming } from '../../../../src/kernel/http/incoming';
import { openKnownDevices } from '../../../../src/kernel/web-pages/known-devices';
import { openSecrets } from '../../../../src/kernel/secrets/secrets';

const devices = openKnownDevices('device', openSecrets('a secret of this server'));
const from = (cookie = '', isSecure = false): Incoming => ({ header: () => cookie, isSecure }) as unknown as Incoming;
const pairOf = (setCookie: string): string => setCookie.split(';')[0]!;
/** The Cookie header of a browser in which these users have signed in, one after the other. */
const browserOf = (...people: [account: string, person: string][]): string =>
  people.reduce((cookie, [account, person]) => pairOf(devices.remember(from(cookie), account, person)), '');

test('A browser is known for the account that was signed in to, and for no other', () => {
  const cookie = browserOf(['ada', '7']);
  expect(devices.find(from(cookie), 'ada')).toEqual({ id: expect.stringMatching(/^\w{22}$/), people: ['7'] });
  expect(devices.find(from(cookie), 'bob')).toBeUndefined();
  expect(devices.find(from(), 'ada')).toBeUndefined();
});

test('The cookie of a known browser is bound to this host, and scripts cannot read it', () => {
  expect(devices.remember(from(), 'ada', '7')).toMatch(
    /^device=[\w.-]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
  );
  const secure = devices.remember(from('', true), 'ada', '7');
  expect(secure).toMatch(/^__Host-device=[\w.-]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/);
  expect(devices.find(from(pairOf(secure), true), 'ada')).toBeDefined();
  // A cookie that was set without TLS is not trusted with TLS.
  expect(devices.find(from(pairOf(secure).replace('__Host-', ''), true), 'ada')).toBeUndefined();
});

test('A browser keeps its device id, and is known for the last five users who signed in with it', () => {
  const people = Array.from({ length: 6 }, (_, at): [string, string] => [`account-${at}`, String(at)]);
  const cookie = browserOf(...people);
  const found = people.map(([account]) => devices.find(from(cookie), account));
  expect(found.map((device) => device?.people)).toEqual([undefined, ['1'], ['2'], ['3'], ['4'], ['5']]);
  expect(new Set(found.slice(1).map((device) => device?.id)).size).toBe(1);
  expect(browserOf(...people, ['account-1', '1'])).toHaveLength(cookie.length);
  expect(devices.find(from(browserOf(['ada', '7'], ['ada', '8'])), 'ada')?.people).toEqual(['8', '7']);
});

test('A device cookie that was changed, or belongs to another server or cookie name, is ignored', () => {
  const cookie = browserOf(['ada', '7']);
  const [id = '', person = '', signature = ''] = cookie.slice('device='.length).split('.');
  const other = openKnownDevices('device', openSecrets('a secret of another server'));
  const portal = openKnownDevices('portal', openSecrets('a secret of this server'));
  const forged = [
    `device=${'A'.repeat(22)}.${person}.${signature}`,
    `device=${id}.8.${signature}`,
    `device=${id}.${person}.${'A'.repeat(43)}`,
    `device=${id}.${person}`,
    `device=${id}`,
    `device=${'x.'.repeat(5000)}`,
    pairOf(other.remember(from(), 'ada', '7')),
    pairOf(portal.remember(from(), 'ada', '7')).replace('portal=', 'device='),
  ];
  for (const each of forged) expect(devices.find(from(each), 'ada')).toBeUndefined();
});
