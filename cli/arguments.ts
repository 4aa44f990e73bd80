/** Parsers for command-line arguments. They run before anything is opened. */
import { InvalidArgumentError, Option } from 'commander';
import { hostName, isHostName, isSubdomain } from '../src/chat/model/organisation/address';
import { isEmail } from '../src/chat/model/users/user';
import { terminal } from './terminal';

export function email(text: string): string {
  if (!isEmail(text)) throw new InvalidArgumentError('That is not an email address.');
  return text;
}

/** A name that fits its column. */
export const name =
  (most: number) =>
  (text: string): string => {
    const trimmed = text.trim();
    if (trimmed === '') throw new InvalidArgumentError('It must not be empty.');
    if (Array.from(trimmed).length > most)
      throw new InvalidArgumentError(`It must not be longer than ${most} characters.`);
    return trimmed;
  };

export const whole =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`It must be a number between ${least} and ${most}.`);
    return value;
  };

export function subdomain(text: string): string {
  if (!isSubdomain(text))
    throw new InvalidArgumentError('A subdomain is small letters, digits and hyphens, not "www".');
  return text;
}

/** May be given several times. */
export function host(text: string, before: readonly string[] = []): readonly string[] {
  const named = hostName(text);
  if (!isHostName(named)) throw new InvalidArgumentError('That is not a host name.');
  return [...before, named];
}

export const choice = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, description).choices(choices).default(choices[0]);

export async function passwordFromInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of terminal().input) chunks.push(Buffer.from(chunk));
  const password = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (password === '') throw new Error('there is no password on standard input');
  return password;
}
