/** A link to another view. Wouter's own link rerenders with every navigation, and there may be a thousand of these. */
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { toggleSide } from '../../shared/shell/side';

interface PlaceLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
}

export function PlaceLink({ href, ...rest }: PlaceLinkProps) {
  const follow = (event: MouseEvent): void => {
    // The browser itself opens another tab or window.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
    toggleSide(false);
  };
  return <a {...rest} href={href} onClick={follow} />;
}
