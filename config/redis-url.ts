/** The kind of REDIS_URL: the address of one server, or of several Sentinels, which is no URL by the book. */
import type { Kind } from './kinds';

const SCHEMES = ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'];
/** scheme://user:password@host:port,host:port/path?options, its parts up to and after the password. */
const FORM = /^(redis|rediss|redis\+sentinel|rediss\+sentinel):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?[^@/?]+(?:[/?][^@]*)?$/;

export const redisUrl: Kind<string> = {
  label: SCHEMES.map((scheme) => `${scheme}://…`).join(', '),
  parse(value) {
    // The value is not echoed: it carries a password.
    if (!FORM.test(value)) throw new Error('must be an address that begins with redis://');
    return value;
  },
  print: (value) => value,
};

export const passwordIn = (address: string): string => decodeURIComponent(FORM.exec(address)?.[3] ?? '');
