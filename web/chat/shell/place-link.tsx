/**
 * A link to another place of the chat. Wouter's own looks where the page is and is drawn anew whenever that changes; there
 * may be a thousand of these.
 */
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';

interface PlaceLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
}

export function PlaceLink({ href, ...rest }: PlaceLinkProps) {
  const follow = (event: MouseEvent): void => {
    // The browser opens another tab or window by itself.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}
