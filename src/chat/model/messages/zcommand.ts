/** Slash commands that are typed instead of a message. */
import { badRequest } from '../faults';

export const noSlash = () => badRequest('There should be a leading slash in the zcommand.');
export const noSuchCommand = (name: string) => badRequest(`No such command: ${name.slice(0, 100)}`);

/** Each with the command that undoes it. */
const NIGHT: Readonly<Record<string, string>> = { night: 'day', dark: 'light' };
const DAY: Readonly<Record<string, string>> = { day: 'night', light: 'dark' };

export type Zcommand = { readonly kind: 'ping' } | { readonly kind: 'mode'; readonly isNight: boolean; undo: string };

export function readZcommand(written: string): Zcommand {
  if (!written.startsWith('/')) throw noSlash();
  const name = written.slice(1);
  if (name === 'ping') return { kind: 'ping' };
  for (const [words, isNight] of [
    [NIGHT, true],
    [DAY, false],
  ] as const) {
    if (Object.hasOwn(words, name)) return { kind: 'mode', isNight, undo: words[name]! };
  }
  throw noSuchCommand(name);
}

/** The text shown to the user. */
export function modeText({ isNight, undo }: { isNight: boolean; undo: string }, isChanged: boolean): string {
  const mode = isNight ? 'Night' : 'Day';
  return isChanged ? `${mode} mode is on now. Type \`/${undo}\` to change back.` : `${mode} mode was on already.`;
}
