/** Shows a rendered message. Links to views open in place; mentions open the person's card. */
import { useLayoutEffect, useRef, type MouseEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { loadPart } from '../../shared/lazy-part';
import { pathOfLink } from '../data/links';
import { chat } from '../data/store';
import { showPerson } from '../dialogs/dialogs';
import { safeNodes } from './safe-html';
import './rich-text.css';

/** Formula styles and fonts are loaded when the first formula is shown. */
let formulas: Promise<unknown> | undefined;

/** Sanitises the HTML and highlights mentions of the reader. */
export function richNodes(html: string): DocumentFragment {
  const nodes = safeNodes(html);
  for (const mention of nodes.querySelectorAll('.user-mention')) {
    const id = mention.getAttribute('data-user-id');
    if (id === '*' || Number(id) === chat().ownId) mention.classList.add('is-me');
  }
  if (nodes.querySelector('.katex')) formulas ??= loadPart(() => import('katex/dist/katex.min.css'));
  return nodes;
}

export function RichText({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(richNodes(html)), [html]);
  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey) return;
    const mention = event.target.closest('.user-mention[data-user-id]');
    if (mention) return showPerson(Number(mention.getAttribute('data-user-id')));
    const heading = event.target.closest('.spoiler-header');
    if (heading) return void heading.parentElement?.classList.toggle('is-open');
    const path = pathOfLink(event.target.closest('a')?.getAttribute('href') ?? '');
    if (path === undefined) return;
    event.preventDefault();
    navigate(path);
  };
  return <div ref={place} className="rich-text" onClick={onClick} />;
}
