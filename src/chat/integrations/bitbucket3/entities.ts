/** Common parts of Bitbucket Server's events: people, repositories, links. */
import { linkTo } from '../link-to';
import type { Payload } from '../payload';

export const urlOf = (thing: Payload): string => thing.objectOr('links').listOr('self')[0]?.textOr('href', '') ?? '';

/** Newer servers omit links that they cannot provide. */
export const linkOf = (thing: Payload, name: string): string => linkTo(name, urlOf(thing));

export const userLink = (user: Payload): string =>
  linkOf(user, user.textOr('name', user.textOr('displayName', 'Unknown user')));

export const actor = (body: Payload): string => userLink(body.object('actor'));
