/**
 * Converts rendered messages to DOM nodes through an allowlist of its own. The server sanitises too, but neither a bug
 * there nor a message stored by an older release can inject active content. Formula styles are set one by one, because
 * the content security policy forbids style attributes.
 */
import { ownPicture } from '../../shared/ui/own-picture';
import { t } from '../../shared/texts/texts';
import { pathOfLink } from '../data/links';
import { placePicture, preparePlayer } from './media';

const TAGS = new Set(
  (
    'a audio blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img li ol p pre span strong table tbody td th thead time tr ul video ' +
    'math semantics mrow mi mo mn msup msub msubsup mfrac msqrt mroot mtext mspace mover munder munderover mtable mtr ' +
    'mtd mstyle mpadded mphantom menclose annotation svg path line'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'class datetime title alt align start role aria-label aria-hidden data-stream-id data-user-id data-user-group-id ' +
    'data-src-fullsize data-original-dimensions data-animated viewbox preserveaspectratio width height d x1 x2 y1 y2 stroke-width display encoding ' +
    'mathvariant stretchy fence separator lspace rspace accent columnalign rowspacing columnspacing'
  ).split(' '),
);
const STYLES =
  /^(height|width|min-width|top|bottom|left|margin-(left|right|top)|padding-left|vertical-align|position|border-.*-width|border-.*-style|color|background-color)$/;
const STYLE_VALUE = /^[\w#.%\s-]{1,60}$/;
const CASED: Readonly<Record<string, string>> = { viewbox: 'viewBox', preserveaspectratio: 'preserveAspectRatio' };
const EMBED_PICTURE = /^background-image: url\(([^\s()'"\\]+)\)$/;
const LINK = /^(https?:|mailto:|ftp:|\/(?![/\\])|#)/i;

const PLAYERS = new Set(['audio', 'video']);
const PLAYED = new Set(['img', ...PLAYERS]);
const UPLOAD = /^\/user_uploads\/(?!.*\.\.)/;

/** An inert document: scripts do not run in it and nothing is loaded. */
const inert = document.implementation.createHTMLDocument('');

/** A cache of recent conversions, because people switch back and forth between views. */
const made = new Map<string, DocumentFragment>();
const MAX_MADE = 300;
const MAX_MADE_LENGTH = 5000;

/** Most messages are one paragraph of plain text, which needs neither parsing nor checking. */
const PLAIN = /^<p>([^<&\r\0]*)<\/p>$/;

function plainParagraph(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  fragment.append(paragraph);
  return fragment;
}

export function safeNodes(html: string): DocumentFragment {
  const plain = PLAIN.exec(html)?.[1];
  if (plain !== undefined) return plainParagraph(plain);
  const known = made.get(html);
  if (known) return known.cloneNode(true) as DocumentFragment;
  inert.body.innerHTML = html.replaceAll(' style="', ' data-style="');
  const fragment = document.createDocumentFragment();
  copyChildren(inert.body, fragment);
  if (html.length > MAX_MADE_LENGTH) return fragment;
  if (made.size >= MAX_MADE) made.delete(made.keys().next().value!);
  made.set(html, fragment);
  return fragment.cloneNode(true) as DocumentFragment;
}

function copyChildren(from: Node, to: Node): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(restored(child.nodeValue ?? '')));
    else if (child instanceof Element) copyElement(child, to);
  }
}

/** Restores message text that looked like a style attribute and was renamed too. */
const restored = (text: string): string => text.replaceAll(' data-style="', ' style="');

function copyElement(from: Element, to: Node): void {
  const name = from.localName;
  if (!TAGS.has(name)) {
    if (name !== 'script' && name !== 'style') copyChildren(from, to);
    return;
  }
  // A film has controls, which a link may not contain.
  if (name === 'a' && from.firstElementChild?.localName === 'video') {
    from.firstElementChild.setAttribute('title', from.getAttribute('title') ?? '');
    return copyChildren(from, to);
  }
  const element = document.createElementNS(from.namespaceURI, name);
  for (const { name: attribute, value } of from.attributes) copyAttribute(element, attribute.toLowerCase(), value);
  if (PLAYED.has(name) && !element.hasAttribute('src')) return;
  copyChildren(from, element);
  if (element instanceof HTMLElement) finish(element);
  to.appendChild(element);
}

function copyAttribute(element: Element, name: string, value: string): void {
  if (name === 'href' && element.localName === 'a' && LINK.test(value)) element.setAttribute('href', value);
  else if (name === 'src' && element.localName === 'img') setPicture(element, value);
  else if (name === 'src' && PLAYERS.has(element.localName) && UPLOAD.test(value)) element.setAttribute('src', value);
  else if (name === 'data-style') setStyles(element, value);
  else if (ATTRIBUTES.has(name)) element.setAttribute(CASED[name] ?? name, restored(value));
}

function setPicture(image: Element, address: string): void {
  const path = ownPicture(address);
  if (path !== undefined) image.setAttribute('src', path);
}

function setStyles(element: Element, text: string): void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
  const embedded = ownPicture(EMBED_PICTURE.exec(text)?.[1] ?? '');
  if (embedded !== undefined) element.style.backgroundImage = `url("${embedded}")`;
  for (const part of text.split(';')) {
    const [name = '', value = ''] = part.split(':').map((each) => each.trim());
    if (STYLES.test(name) && STYLE_VALUE.test(value)) element.style.setProperty(name, value);
  }
}

function finish(element: HTMLElement): void {
  if (element instanceof HTMLAnchorElement) finishLink(element);
  else if (element instanceof HTMLImageElement) {
    element.loading = 'lazy';
    element.decoding = 'async';
    placePicture(element);
  } else if (element instanceof HTMLMediaElement) preparePlayer(element, element.title);
  else if (element.className === 'spoiler-header') addSpoilerButton(element);
  else if (element.className === 'spoiler-content') element.removeAttribute('aria-hidden');
  const code = /(?:^|\s)emoji-([0-9a-f-]+)/.exec(element.className)?.[1];
  if (element.localName === 'span' && code !== undefined) replaceByPicture(element, code);
}

function finishLink(link: HTMLAnchorElement): void {
  // Links to files and other servers open in a new tab.
  if (pathOfLink(link.getAttribute('href') ?? '') === undefined) link.target = '_blank';
  link.rel = 'noopener noreferrer';
  // Browsers show this text, which the link would have, in place of a picture that cannot be loaded.
  const picture = link.querySelector('img:not([alt])');
  picture?.setAttribute('alt', link.title || fileName(link.pathname) || t('message.picture'));
}

function fileName(path: string): string {
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  } catch {
    return '';
  }
}

/** For keyboards and screen readers. A heading may contain links, so it cannot be the button itself. */
function addSpoilerButton(header: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'spoiler-button';
  button.setAttribute('aria-expanded', 'false');
  button.setAttribute('aria-label', t('message.spoiler'));
  if (header.textContent.trim() === '') header.append(t('message.spoiler'));
  header.prepend(button);
}

function replaceByPicture(span: HTMLElement, code: string): void {
  const image = document.createElement('img');
  image.src = `/static/generated/emoji/images-google-64/${code}.png`;
  image.alt = span.textContent;
  image.className = 'emoji';
  span.removeAttribute('role');
  span.removeAttribute('aria-label');
  span.replaceChildren(image);
}

/** The links around pictures in rendered messages. */
export const pictureLinks = (nodes: ParentNode): readonly Element[] =>
  [...nodes.querySelectorAll('.message_inline_image > a')].filter(
    (link) => link.firstElementChild?.localName === 'img',
  );
