/** TLS options from the MySQL URL: whether connections are encrypted, and how the server's certificate is checked. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { SslOptions } from 'mysql2';

const OPTIONS = ['ssl', 'ca', 'cert', 'key'] as const;
type Option = (typeof OPTIONS)[number];

/** `required` encrypts but checks nothing. */
const MODES = ['required', 'verify-ca', 'verify'] as const;
type Mode = (typeof MODES)[number];

/** Undefined if connections are not encrypted. Files are read once; a new certificate needs a restart. */
export function tlsOf(url: URL): SslOptions | undefined {
  const options = optionsOf(url);
  if (options.ssl === undefined) {
    if (options.ca ?? options.cert ?? options.key) throw wrong('ca, cert and key need ssl=verify or ssl=required');
    return undefined;
  }
  const mode = modeOf(options.ssl);
  checkTogether(mode, options, url.hostname);
  return {
    rejectUnauthorized: mode !== 'required',
    verifyIdentity: mode === 'verify',
    ...fileOf('ca', options),
    ...fileOf('cert', options),
    ...fileOf('key', options),
  };
}

type Options = Partial<Record<Option, string>>;

function optionsOf({ searchParams }: URL): Options {
  const unknown = [...searchParams.keys()].find((name) => !OPTIONS.includes(name as Option));
  if (unknown !== undefined) throw wrong(`"${unknown}" is not an option (there are ${OPTIONS.join(', ')})`);
  return Object.fromEntries(searchParams) as Options;
}

function modeOf(written: string): Mode {
  const mode = MODES.find((each) => each === written);
  if (mode === undefined) throw wrong(`ssl must be one of ${MODES.join(', ')}, not "${written}"`);
  return mode;
}

function checkTogether(mode: Mode, { ca, cert, key }: Options, host: string): void {
  if (mode === 'required' && ca !== undefined) throw wrong('ssl=required checks no certificate: ca needs ssl=verify');
  // Otherwise any certificate of any public authority would pass.
  if (mode === 'verify-ca' && ca === undefined) throw wrong('ssl=verify-ca needs ca=<path of a PEM file>');
  // The driver compares certificates with host names only.
  if (mode === 'verify' && isIP(host.replace(/^\[|\]$/g, '')) !== 0)
    throw wrong('ssl=verify needs a host name in place of the address; for an address, use ssl=verify-ca');
  if ((cert === undefined) !== (key === undefined)) throw wrong('cert and key must be given together');
}

function fileOf(option: Exclude<Option, 'ssl'>, options: Options): Pick<SslOptions, 'ca' | 'cert' | 'key'> {
  const path = options[option];
  if (path === undefined) return {};
  try {
    return { [option]: readFileSync(path, 'utf8') };
  } catch (error) {
    throw wrong(`the file of ${option} cannot be read: ${(error as Error).message}`);
  }
}

const wrong = (what: string): Error => new Error(`The address of MySQL is wrong: ${what}`);
