/** The options of a server's address that name PEM files: ca, cert and key. */
import { readFileSync } from 'node:fs';

export const CERTIFICATES = ['ca', 'cert', 'key'] as const;
type Option = (typeof CERTIFICATES)[number];
type Wrong = (what: string) => Error;

export function refuseUnknown(options: URLSearchParams, known: readonly string[], wrong: Wrong): void {
  const unknown = [...options.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(`"${unknown}" is not an option (there are ${known.join(', ')})`);
}

/** Files are read once; a new certificate needs a restart. */
export function readCertificates(options: URLSearchParams, wrong: Wrong): Partial<Record<Option, string>> {
  if (options.has('cert') !== options.has('key')) throw wrong('cert and key must be given together');
  const named = CERTIFICATES.filter((option) => options.has(option));
  return Object.fromEntries(named.map((option) => [option, read(option, options.get(option)!, wrong)]));
}

function read(option: Option, path: string, wrong: Wrong): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw wrong(`the file of ${option} cannot be read: ${(error as Error).message}`);
  }
}
