/** Shows a rendered message. Links to views open in place; mentions open the card of the person or group. */
import { useLayoutEffect, useRef, type MouseEvent, type SyntheticEvent } from 'react';
import { loadPart } from '../../shared/lazy-part';
import { dateAndTimeOf } from '../../shared/texts/dates';
import { targetOfLink } from '../data/links';
import { chat, setting } from '../data/store';
import { showDialog, showGroup, showPerson } from '../dialogs/dialogs';
import { followLink } from '../topics/follow-link';
import { markWords } from './alert-words';
import { animate } from './media';
import { pictureLinks, safeNodes } from './safe-html';
import './rich-text.css';
import './rich-blocks.css';

/** Formula styles and fonts are loaded when the first formula is shown. */
let formulas: Promise<unknown> | undefined;

/** Sanitises the HTML, highlights mentions of the reader and, in a message that has some, the reader's alert words. */
export function richNodes(html: string, isAlerting = false): DocumentFragment {
  const nodes = safeNodes(html);
  if (isAlerting) markWords(nodes, setting<readonly string[]>('alert_words', []));
  for (const mention of nodes.querySelectorAll('.user-mention')) {
    const id = mention.getAttribute('data-user-id');
    if (id === '*' || Number(id) === chat().ownId) mention.classList.add('is-me');
  }
  for (const time of nodes.querySelectorAll('time')) showLocally(time);
  if (nodes.querySelector('.katex')) formulas ??= loadPart(() => import('katex/dist/katex.min.css'));
  return nodes;
}

/** Returns whether the page itself follows the link. */
function follow(link: HTMLAnchorElement): boolean {
  if (link.matches('.message_inline_image > a')) return showPicture(link);
  const target = targetOfLink(link.getAttribute('href') ?? '');
  if (target) followLink(target);
  return target !== undefined;
}

function actOn(target: Element): false {
  const mention = target.closest('.user-mention[data-user-id]');
  const group = target.closest('.user-group-mention[data-user-group-id]');
  const heading = target.closest('.spoiler-header');
  if (mention) showPerson(Number(mention.getAttribute('data-user-id')), mention);
  else if (group) showGroup(Number(group.getAttribute('data-user-group-id')), group);
  else if (heading) toggleSpoiler(heading);
  return false;
}

function toggleSpoiler(heading: Element): void {
  const isOpen = heading.parentElement?.classList.toggle('is-open') ?? false;
  heading.querySelector('.spoiler-button')?.setAttribute('aria-expanded', String(isOpen));
}

/** Opens the viewer, unless the picture is not in a message of the view. */
function showPicture(link: HTMLElement): boolean {
  const row = link.closest<HTMLElement>('[data-message-id]');
  const index = row ? pictureLinks(row).indexOf(link) : -1;
  if (!row || index < 0) return false;
  // The viewer gives the focus back; not every browser gives it to a link that is clicked.
  link.focus({ preventScroll: true });
  showDialog({ kind: 'viewer', messageId: Number(row.dataset['messageId']), index });
  return true;
}

/** A time is shown in the reader's own zone; what was written stands behind it. */
function showLocally(time: HTMLTimeElement): void {
  const seconds = Date.parse(time.dateTime) / 1000;
  if (Number.isNaN(seconds)) return;
  time.title = time.textContent;
  time.textContent = dateAndTimeOf(seconds);
}

interface RichTextProps {
  readonly html: string;
  /** Whether it has alert words of the reader. */
  readonly isAlerting?: boolean;
}

export function RichText({ html, isAlerting = false }: RichTextProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(richNodes(html, isAlerting)), [html, isAlerting]);
  return (
    <div
      ref={place}
      className="rich-text"
      onMouseDown={notePress}
      onClick={onClick}
      onPointerOver={move}
      onPointerOut={stand}
      onFocus={move}
      onBlur={stand}
    />
  );
}

function onClick(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = target.closest('a');
  if (link ? follow(link) : !isSelecting(event) && actOn(target)) event.preventDefault();
}

/** Where the mouse was pressed. */
let pressed = { x: 0, y: 0 };
const DRAWN = 5;

const notePress = ({ clientX: x, clientY: y }: MouseEvent): void => void (pressed = { x, y });

/** Whoever draws over words with the mouse wants the words, not what a click on them does. */
function isSelecting({ detail, clientX, clientY }: MouseEvent): boolean {
  const isDrawn = detail > 0 && Math.hypot(clientX - pressed.x, clientY - pressed.y) > DRAWN;
  return isDrawn && getSelection()?.type === 'Range';
}

const move = (event: SyntheticEvent): void => animate(event.target, true);
const stand = (event: SyntheticEvent): void => animate(event.target, false);
