/**
 * The form of what processes give each other, by number: jobs, mail, and pushes other than events, whose codec has marks
 * of its own. During an upgrade two releases share one store. A release raises a number only for what the release before
 * would misread, and must be able to read the form before. What is of a later form than a process knows is left alone: a
 * job and a mail for a newer worker, a push for a look at the rows.
 */
const FIRST = 1;

/** Whether this is of a later form than is known here. What has no number is of the first. */
export const isLater = (version: number | undefined, known: number = FIRST): boolean => (version ?? FIRST) > known;

export const versionOf = ({ version = FIRST }: { readonly version?: number }): number => version;

export const writePush = (push: object, version: number = FIRST): string => JSON.stringify({ v: version, ...push });

/** Undefined where the push is of a later form. */
export function readPush<Push extends object>(text: string, known: number = FIRST): Push | undefined {
  const push = JSON.parse(text) as Push & { readonly v?: number };
  return isLater(push.v, known) ? undefined : push;
}
