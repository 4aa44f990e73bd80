/** What every event of Bitbucket Server's is made of: people, repositories, links. */
import type { Payload } from '../payload';

export const urlOf = (thing: Payload): string => thing.objectOr('links').listOr('self')[0]?.textOr('href', '') ?? '';

/** Newer servers leave links out where they have none to show. */
export function linkOf(thing: Payload, name: string): string {
  const url = urlOf(thing);
  return url === '' ? name : `[${name}](${url})`;
}

export const userLink = (user: Payload): string =>
  linkOf(user, user.textOr('name', user.textOr('displayName', 'Unknown user')));

export const actor = (body: Payload): string => userLink(body.object('actor'));
