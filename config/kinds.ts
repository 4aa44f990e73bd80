/** The kinds of value that a variable can hold. Each parses text into a value, or says what is wrong with it. */
import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';

export interface Kind<T> {
  readonly label: string;
  /** Throws an Error whose message completes the sentence "NAME …". */
  parse(text: string): T;
  /** The value as written in the environment, if that is not simply its text; used to print defaults. */
  print?(value: T): string;
}

export interface Variable<T> {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly fallback: T;
  readonly meaning: string;
  readonly secret: boolean;
  /** The fallback is only for development. */
  readonly requiredInProduction: boolean;
  /** Printed in documents in place of a default that differs by machine. */
  readonly defaultLabel?: string;
}

export interface RateRule {
  readonly seconds: number;
  readonly requests: number;
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new Error(`must be a whole number, not "${text}"`);
  return Number(text);
}

export function whole(min: number, max: number): Kind<number> {
  return {
    label: `${min}–${max}`,
    parse(text) {
      const value = wholeNumber(text);
      if (value < min || value > max) throw new Error(`must lie between ${min} and ${max}, not ${text}`);
      return value;
    },
  };
}

/** A waiting time. None of ours makes sense beyond a day. */
const milliseconds: Kind<number> = { ...whole(0, 86_400_000), label: 'milliseconds' };

export const text: Kind<string> = { label: 'text', parse: (value) => value };

export function choice<const C extends readonly string[]>(...choices: C): Kind<C[number]> {
  return {
    label: choices.join(' | '),
    parse(value) {
      if (!choices.includes(value)) throw new Error(`must be one of ${choices.join(', ')}, not "${value}"`);
      return value;
    },
  };
}

export const host: Kind<string> = {
  label: 'host name, without port',
  parse(value) {
    if (!/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(value)) throw new Error(`must be a host name, not "${value}"`);
    return value.toLowerCase();
  },
};

export const list: Kind<readonly string[]> = {
  label: 'comma-separated list',
  parse: (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
};

export function url(...protocols: string[]): Kind<string> {
  return {
    label: protocols.map((protocol) => `${protocol}://…`).join(' or '),
    parse(value) {
      const protocol = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
      // The value is not echoed: connection URLs contain passwords.
      if (!protocols.includes(protocol)) throw new Error(`must be an address that begins with ${protocols[0]}://`);
      return value;
    },
  };
}

/** An email address, with or without a name before it. */
export const mailbox: Kind<string> = {
  label: 'address, or Name <address>',
  parse(value) {
    if (!/^(?:[^\s@<>]+@[^\s@<>]+|[^<>\r\n]{1,100} <[^\s@<>]+@[^\s@<>]+>)$/.test(value)) {
      throw new Error(`must be an address of mail, such as Chat <chat@example.com>, not "${value}"`);
    }
    return value;
  },
};

/** A private key as PEM. Variables have often only one line, so line breaks may be written as \\n. */
export const privateKey: Kind<string> = {
  label: 'private key (PEM)',
  parse(value) {
    const pem = value.replaceAll('\\n', '\n');
    try {
      createPrivateKey(pem);
    } catch {
      // The value is not echoed: it is a secret.
      throw new Error('must be a private key that begins with -----BEGIN PRIVATE KEY-----');
    }
    return pem;
  },
};

const rate: Kind<RateRule | null> = {
  label: 'seconds:requests | off',
  parse(value) {
    if (value === 'off') return null;
    const match = /^(\d{1,6}):(\d{1,9})$/.exec(value);
    const [seconds, requests] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
    if (seconds < 1 || requests < 1) throw new Error(`must look like 60:200 or be "off", not "${value}"`);
    return { seconds, requests };
  },
  print: (rule) => (rule === null ? 'off' : `${rule.seconds}:${rule.requests}`),
};

const printPairs = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map((entry) => entry.join('='))
    .join(',');

/** name=value pairs, such as ZulipMobile=26.0,ZulipInvalid=*. */
export const pairs: Kind<Readonly<Record<string, string>>> = {
  label: 'name=value,…',
  parse(value) {
    const entries = list.parse(value).map((part) => part.split('='));
    if (entries.some((entry) => entry.length !== 2 || entry.includes(''))) {
      throw new Error(`must be name=value pairs, not "${value}"`);
    }
    return Object.fromEntries(entries) as Record<string, string>;
  },
  print: printPairs,
};

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && (bits === undefined ? most > 0 : /^\d{1,3}$/.test(bits) && Number(bits) <= most);
};

/** Networks such as 10.1.0.0/16 and fd00::/8, and single addresses. */
export const networks: Kind<readonly string[]> = {
  label: 'networks and addresses, comma-separated',
  parse(value) {
    const written = list.parse(value);
    const wrong = written.find((each) => !isNetwork(each));
    if (wrong !== undefined) throw new Error(`must be networks such as 10.1.0.0/16, not "${wrong}"`);
    return written;
  },
};

/** host=address pairs. */
export const addresses: Kind<Readonly<Record<string, string>>> = {
  label: 'host=address,…',
  parse(value) {
    const found = Object.entries(pairs.parse(value));
    const wrong = found.find(([, address]) => isIP(address) === 0);
    if (wrong) throw new Error(`must be host=address pairs, not "${wrong.join('=')}"`);
    return Object.fromEntries(found.map(([name, address]) => [host.parse(name), address]));
  },
  print: printPairs,
};

export function json<T>(label: string, check: (value: unknown) => value is T): Kind<T> {
  return {
    label,
    parse(value) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(value);
      } catch {
        throw new Error('must be JSON');
      }
      if (!check(parsed)) throw new Error(`must be ${label}`);
      return parsed;
    },
    print: (value) => JSON.stringify(value),
  };
}

export function variable<T>(name: string, kind: Kind<T>, fallback: T, meaning: string): Variable<T> {
  return { name, kind, fallback, meaning, secret: false, requiredInProduction: false };
}

/** A waiting time in milliseconds. */
export const ms = (name: string, fallback: number, meaning: string): Variable<number> =>
  variable(name, milliseconds, fallback, meaning);

/** A rate limit. Its default is written as in the environment. */
export const limit = (name: string, fallback: string, meaning: string): Variable<RateRule | null> =>
  variable(name, rate, rate.parse(fallback), meaning);

/** A secret: required in production, and masked wherever configuration is shown. */
export function secret(name: string, developmentValue: string, meaning: string): Variable<string> {
  const kind: Kind<string> = {
    label: 'at least 32 characters',
    parse(value) {
      if (value.length < 32) throw new Error('must be at least 32 characters long');
      return value;
    },
    print: () => '(development only)',
  };
  return { name, kind, fallback: developmentValue, meaning, secret: true, requiredInProduction: true };
}
