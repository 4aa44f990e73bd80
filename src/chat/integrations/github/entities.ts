/** Common parts of GitHub's events: repositories, people, commits. */
import type { Notice } from '../integration';
import type { Payload } from '../payload';

export const repository = (body: Payload): string => body.object('repository').text('name');
export const repositoryUrl = (body: Payload): string => body.object('repository').text('html_url');
export const sender = (body: Payload): string => body.object('sender').text('login');

/** A notice with the repository's name as its topic. */
export const about = (body: Payload, content: string): Notice => ({ topic: repository(body), content });

export const userLink = (user: Payload): string => `[${user.text('login')}](${user.text('html_url')})`;

export const commitLink = (sha: string, url: string): string => `[${sha.slice(0, 7)}](${url})`;
