/** A linkifier as today's clients read it. */
import type { Wire } from '../../../kernel/text/wire';
import type { todayLinkifier } from '../answers/realm';
import type { Linkifier } from '../markdown/context';
import { templateOf } from '../markdown/patterns/url-template';

export const wireLinkifier = ({ id, pattern, urlFormat, urlTemplate }: Linkifier): Wire<typeof todayLinkifier> => ({
  id,
  pattern,
  url_template: urlTemplate ?? templateOf(urlFormat),
});
