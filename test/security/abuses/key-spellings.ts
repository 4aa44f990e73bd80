/** One account's key in endless spellings: junk inside the base64, and the address in every mixture of cases. */
import { flood } from '../../support/http/flood';
import type { Abuse } from '../abuse';

const EMAIL = 'member@example.com';
const JUNK = '*'.repeat(12_000);
let key = '';

/** The address with upper-case and lower-case letters, by the bits of a number. */
const inCase = (bits: number): string =>
  Array.from(EMAIL, (letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join('');

const spelling = (at: number): string =>
  at % 2 === 0
    ? `Basic ${Buffer.from(`${EMAIL}:${key}`).toString('base64')}${JUNK}${at}`
    : `Basic ${Buffer.from(`${inCase(at)}:${key}`).toString('base64')}`;

export const keySpellings: Abuse = {
  name: 'key-spellings',
  summary: 'One account polls with its key in endless spellings, of 12 KB each.',
  async prepare(target) {
    const { Authorization } = await target.basic(EMAIL);
    key = Buffer.from(Authorization.slice('Basic '.length), 'base64').toString().split(':')[1]!;
  },
  run: (target, signal) =>
    flood({ port: target.port, connections: 50 }, (at) =>
      signal.aborted
        ? undefined
        : {
            path: '/api/v1/events?queue_id=0:0&last_event_id=-1&dont_block=true',
            headers: { Authorization: spelling(at) },
          },
    ),
};
