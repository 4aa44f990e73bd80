/**
 * The result of a check of the installation, with advice. The console translates each sentence
 * (`web/shared/texts/operators`), so only names, amounts and lists may be inserted into one.
 */
export type Level = 'ok' | 'warn' | 'fail';

export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly says: string;
  /** What it is about, if a check finds something about several. Not translated. */
  readonly about?: string;
  /** Only if there is something to do. */
  readonly advice?: string;
}

/** The findings about a server. */
export interface Report {
  readonly findings: readonly Finding[];
  /** How far its clock is ahead of ours. */
  readonly clockAheadMs?: number;
}

export const ok = (check: string, says: string): Finding => ({ check, level: 'ok', says });
export const warn = (check: string, says: string, advice: string): Finding => ({ check, level: 'warn', says, advice });
export const fail = (check: string, says: string, advice: string): Finding => ({ check, level: 'fail', says, advice });

/** Major and minor version as one comparable number: 10.11.6 becomes 10011. */
export function versionNumber(version: string): number {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) * 1000 + Number(minor);
}
