/** What every event of Bitbucket's is made of: people, repositories, links. */
import type { Payload } from '../payload';

/** Names people chose for themselves come first; accounts lost their user names in 2019. */
export const nameOf = (user: Payload): string =>
  user.textOr('username', user.textOr('nickname', user.textOr('display_name', 'Unknown user')));

export const actor = (body: Payload): string => nameOf(body.object('actor'));
export const repository = (body: Payload): string => body.object('repository').text('name');
export const pageOf = (thing: Payload): string => thing.object('links').object('html').text('href');
