/** A small organisation, for what messages mention. */
import type { RenderContext } from '../../../../src/chat/model/markdown/context';
import { render } from '../../../../src/chat/model/markdown/render';
import type { StreamId } from '../../../../src/chat/model/streams/stream';
import type { UserId } from '../../../../src/chat/model/users/user';

export const organisation: RenderContext = {
  users: [
    { id: 7 as UserId, fullName: 'King Hamlet' },
    { id: 8 as UserId, fullName: 'Cordelia Lear' },
    { id: 9 as UserId, fullName: '"><img src=x onerror=alert(1)>' },
  ],
  addressees: [{ id: 7 as UserId, email: 'Hamlet@example.com' }],
  groups: [{ id: 3, name: 'support' }],
  streams: [
    { id: 5 as StreamId, name: 'Denmark' },
    { id: 6 as StreamId, name: 'a & b/c.d é' },
    { id: 11 as StreamId, name: '"><script>x' },
  ],
  linkifiers: [
    { id: 1, pattern: '#(?P<id>[0-9]{2,8})', urlFormat: 'https://trac.example.com/ticket/%(id)s' },
    {
      id: 2,
      pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)#(?P<id>\\d+)',
      urlFormat: 'https://git.example.com/%(org)s/%(repo)s/%(id)s?a=100%%',
    },
  ],
  realmEmoji: [
    { id: '20', name: 'green_tick', url: '/user_avatars/1/emoji/images/20.png', deactivated: false },
    { id: '21', name: 'gone', url: '/user_avatars/1/emoji/images/21.png', deactivated: true },
  ],
  translateEmoticons: false,
  publicUrl: 'https://chat.example.com',
};

export const html = (content: string, changes: Partial<RenderContext> = {}): string =>
  render(content, { ...organisation, ...changes }).html;

/** A link as it appears in messages. */
export const link = (address: string, text = address, href = address): string =>
  `<a href="${href}" target="_blank" title="${href}">${text}</a>`;

export const emoji = (name: string, code: string): string =>
  `<span aria-label="${name.replaceAll('_', ' ')}" class="emoji emoji-${code}" role="img" title="${name.replaceAll('_', ' ')}">:${name}:</span>`;

export const code = (inside: string): string => `<div class="codehilite"><pre><span></span>${inside}\n</pre></div>`;

/** The picture at the source, whatever the link leads to. */
export function preview(href: string, title = href, source = href): string {
  const at = (size: string) => `/thumbnail?url=${encodeURIComponent(source)}&amp;size=${size}`;
  return (
    `<div class="message_inline_image"><a href="${href}" target="_blank" title="${title}">` +
    `<img data-src-fullsize="${at('full')}" src="${at('thumbnail')}"></a></div>`
  );
}
