/** The links in a topic: matches of the organisation's linkifiers, then bare URLs. */
import type { Linkifier } from '../context';
import { findLinkifierMatches } from '../patterns/linkifiers';
import { openBudget } from '../patterns/matcher';
import { findAutolinks } from './autolinks';
import { safeHref } from './urls';

export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): string[] {
  const matches = findLinkifierMatches(topic, linkifiers, openBudget()).map(({ href }) => href);
  const addresses = findAutolinks(topic)
    .map(({ href }) => href)
    .filter((href) => !href.startsWith('mailto:'))
    .map((href) => (/^https?:\/\//.test(href) ? href : `https://${href}`));
  return [...matches, ...addresses].filter((href) => safeHref(href, '') !== undefined);
}
