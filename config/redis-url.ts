/** The kind of REDIS_URL: one server, Sentinels or a cluster. With several hosts it is not a standard URL. */
import type { Kind } from './kinds';

const SCHEMES = ['redis', 'redis+sentinel', 'redis+cluster', 'rediss', 'rediss+sentinel', 'rediss+cluster'];
/** scheme://user:password@host:port,host:port/path?options. Group 3 is the password. */
const FORM = /^(rediss?(?:\+sentinel|\+cluster)?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?[^@/?]+(?:[/?][^@]*)?$/;

export const redisUrl: Kind<string> = {
  label: SCHEMES.map((scheme) => `${scheme}://…`).join(', '),
  parse(value) {
    // The value is not echoed: it contains a password.
    if (!FORM.test(value)) throw new Error('must be an address that begins with redis://');
    return value;
  },
};

export const passwordIn = (address: string): string => decodeURIComponent(FORM.exec(address)?.[3] ?? '');
