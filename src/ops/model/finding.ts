/**
 * What a check of the installation found, and what to do about it. The console says each sentence in the operator's
 * language (`web/shared/texts/operators`): what is put into a sentence is a name, an amount or a list of these.
 */
export type Level = 'ok' | 'warn' | 'fail';

export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly says: string;
  /** Only where there is something to do. */
  readonly advice?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, level: 'ok', says });
export const warn = (check: string, says: string, advice: string): Finding => ({ check, level: 'warn', says, advice });
export const fail = (check: string, says: string, advice: string): Finding => ({ check, level: 'fail', says, advice });

/** The first two numbers of a version, as one that compares: 10.11.6 becomes 10011. */
export function versionNumber(version: string): number {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) * 1000 + Number(minor);
}
