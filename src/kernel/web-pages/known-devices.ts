/**
 * Browsers that have signed in before. A signed cookie says to which accounts, so that a browser can have a count of
 * password attempts of its own: strangers who guess cannot keep the owner of the account out.
 */
import { newSecret } from '../id';
import { hostCookie, secondsOf } from '../sessions/page-session';
import type { Secrets } from '../secrets/secrets';
import { isSameOfItsLength } from '../secrets/signatures';
import type { Incoming } from '../http/incoming';

const ID_LENGTH = 22;
/** The id of the browser, then pairs: who signed in, and the signature. */
const SHAPE = new RegExp(`^[A-Za-z0-9]{${ID_LENGTH}}(?:\\.[\\w-]{1,40}\\.[\\w-]{43})+$`);
/** Those who share a browser. The one who signed in longest ago is forgotten. */
const MAX_PEOPLE = 5;
const DAYS = 365;

export interface KnownDevice {
  readonly id: string;
  /** Those who signed in to the account with this browser. */
  readonly people: readonly string[];
}

export interface KnownDevices {
  /** Undefined if nobody has signed in to this account with the browser. */
  find(incoming: Incoming, account: string): KnownDevice | undefined;
  /** The Set-Cookie value for a browser in which somebody has signed in to an account. */
  remember(incoming: Incoming, account: string, person: string): string;
}

interface Entry {
  readonly person: string;
  readonly signature: string;
}

export function openKnownDevices(cookieName: string, secrets: Secrets): KnownDevices {
  const cookie = hostCookie(cookieName, SHAPE);
  const sign = (id: string, account: string, person: string): string =>
    secrets.token('known-device', JSON.stringify([cookieName, id, account, person]));

  function read(incoming: Incoming): { readonly id: string; readonly entries: readonly Entry[] } | undefined {
    const value = cookie.read(incoming.header('cookie'), incoming.isSecure);
    if (value === undefined) return undefined;
    const [id = '', ...parts] = value.split('.');
    const entries = Array.from({ length: Math.min(parts.length / 2, MAX_PEOPLE) }, (_, at) => ({
      person: parts[at * 2]!,
      signature: parts[at * 2 + 1]!,
    }));
    return { id, entries };
  }

  return {
    find(incoming, account) {
      const { id, entries } = read(incoming) ?? { id: '', entries: [] };
      const people = entries
        .filter(({ person, signature }) => isSameOfItsLength(signature, sign(id, account, person)))
        .map(({ person }) => person);
      return people.length === 0 ? undefined : { id, people };
    },
    remember(incoming, account, person) {
      const { id, entries } = read(incoming) ?? { id: newSecret(ID_LENGTH), entries: [] };
      const own = { person, signature: sign(id, account, person) };
      const others = entries.filter(({ signature }) => signature !== own.signature);
      const all = [own, ...others].slice(0, MAX_PEOPLE).map((entry) => `${entry.person}.${entry.signature}`);
      return cookie.give([id, ...all].join('.'), incoming.isSecure, secondsOf(DAYS));
    },
  };
}
