/** What clients are told about the server, and texts as HTML. */
import { escapeAsNumbers } from './markdown/html';

/** The reported Zulip version, whatever our own: clients adapt to it. */
export const PROTOCOL_VERSION = '2.1.0';

/** Today's clients refuse servers below a feature level. Those of 2.1 know of none. */
const TODAY = { zulip_version: '10.0-partyline', zulip_feature_level: 371 };

/** The version and the feature level that clients see. */
export const versionOf = ({ chatFeatureLevel }: { readonly chatFeatureLevel: 'on' | 'off' }) =>
  chatFeatureLevel === 'on' ? TODAY : { zulip_version: PROTOCOL_VERSION };

/** Plain text as HTML: one paragraph per group of lines, everything else literal. */
export function paragraphs(text: string): string {
  return escapeAsNumbers(text)
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${part.trim()}</p>`)
    .join('\n');
}
