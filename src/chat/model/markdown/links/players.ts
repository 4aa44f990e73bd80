/** Uploaded sound and film, which clients play in place, as today's Zulip writes it. */
import { escapeValue } from '../html';
import { isAudio, isOwnUpload, isVideo } from './urls';

/** The link itself stays: clients of Zulip 2.1 show nothing else. Undefined for other links. */
export function playerOf(href: string, title: string): string | undefined {
  if (!isOwnUpload(href)) return undefined;
  const [url, name] = [escapeValue(href), escapeValue(title)];
  if (isAudio(href)) return `<p><audio controls preload="metadata" src="${url}" title="${name}"></audio></p>\n`;
  if (!isVideo(href)) return undefined;
  return (
    `<div class="message_inline_image message_inline_video"><a href="${url}" target="_blank" title="${name}">` +
    `<video preload="metadata" src="${url}"></video></a></div>`
  );
}
