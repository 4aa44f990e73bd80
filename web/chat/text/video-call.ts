/** A link to a video call, by the service of the organisation. */
import { t } from '../../shared/texts/texts';
import { newKey } from '../data/stored';

/** As Zulip numbers them. Its other services need an account of the organisation. */
export const JITSI = 1;

/** Nobody can guess the name of the room. */
export const callLink = (server: string): string =>
  `[${t('format.callLink')}](${server.replace(/\/$/, '')}/${newKey()})`;
