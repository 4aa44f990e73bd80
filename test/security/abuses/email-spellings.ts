/**
 * Signs in with addresses that look like a user's, with that user's own password and key, and adds them to a company.
 */
import { FORM, flood, type FloodRequest } from '../../support/http/flood';
import type { Abuse } from '../abuse';

const EMAIL = 'member@example.com';
const FULL_WIDTH = 0xfee0;
const HIDDEN = ['\u200b', '\u00ad', '\u2060', '\u202e'];
let key = '';

/** The address with one full-width letter, or with an invisible character after it. */
function lookAlike(at: number): string {
  const place = at % EMAIL.indexOf('@');
  const letter = EMAIL[place]!;
  const disguised =
    at % 2 === 0 ? String.fromCharCode(letter.charCodeAt(0) + FULL_WIDTH) : letter + HIDDEN[at % HIDDEN.length]!;
  return EMAIL.slice(0, place) + disguised + EMAIL.slice(place + 1);
}

const JSON_BODY = { 'Content-Type': 'application/json' };

const ATTEMPTS: readonly ((email: string) => FloodRequest)[] = [
  (email) => ({
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    headers: FORM,
    body: `username=${encodeURIComponent(email)}&password=demo`,
  }),
  (email) => ({
    path: '/api/v1/users/me',
    headers: { Authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` },
  }),
  (email) => ({
    method: 'POST',
    path: '/company/contacts',
    headers: { ...JSON_BODY, Authorization: 'Bearer demo-key-two', 'X-User-Id': 'primary' },
    body: JSON.stringify({ work_email: email, first_name: 'Mallory' }),
  }),
];

export const emailSpellings: Abuse = {
  name: 'email-spellings',
  summary: 'Look-alikes of an address log in with its password and key, and ask to become users of another company.',
  environment: { LOGIN_LIMIT: 'off' },
  async prepare(target) {
    const { Authorization } = await target.basic(EMAIL);
    key = Buffer.from(Authorization.slice('Basic '.length), 'base64').toString().split(':')[1]!;
  },
  async run(target, signal) {
    const counts = await flood({ port: target.port, connections: 20 }, (at) =>
      signal.aborted ? undefined : ATTEMPTS[at % ATTEMPTS.length]!(lookAlike(at)),
    );
    const accepted = Object.keys(counts).filter((status) => status.startsWith('2'));
    if (accepted.length > 0) throw new Error(`a look-alike was accepted: ${JSON.stringify(counts)}`);
    return counts;
  },
};
