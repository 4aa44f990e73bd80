/**
 * Version numbers for what processes send each other: jobs, mail and pushes. Events are apart: their codec has its own
 * markers. During an upgrade two releases share one store. A release raises a number only if the previous release would
 * misread the new form, and must itself read the previous form. A process leaves later forms alone: a job or mail waits
 * for a newer worker, and a push makes it read the rows.
 */
const FIRST = 1;

/** Whether this version is later than the known one. Without a number it is the first. */
export const isLater = (version: number | undefined, known: number = FIRST): boolean => (version ?? FIRST) > known;

export const versionOf = ({ version = FIRST }: { readonly version?: number }): number => version;

export const writePush = (push: object, version: number = FIRST): string => JSON.stringify({ v: version, ...push });

/** Undefined if the push has a later version. */
export function readPush<Push extends object>(text: string, known: number = FIRST): Push | undefined {
  const push = JSON.parse(text) as Push & { readonly v?: number };
  return isLater(push.v, known) ? undefined : push;
}
