/** Common parts of Bitbucket's events: people, repositories, links. */
import type { Payload } from '../payload';

/** User names come first, but accounts lost them in 2019. */
export const nameOf = (user: Payload): string =>
  user.textOr('username', user.textOr('nickname', user.textOr('display_name', 'Unknown user')));

export const actor = (body: Payload): string => nameOf(body.object('actor'));
export const repository = (body: Payload): string => body.object('repository').text('name');
export const pageOf = (thing: Payload): string => thing.object('links').object('html').text('href');
