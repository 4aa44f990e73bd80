/**
 * Makes nodes of elements as React would, but at once and without it: for what is painted before React is there. Components
 * may only turn their properties into elements; one that needs more of React throws.
 */
import { Fragment, isValidElement, type ReactElement, type ReactNode } from 'react';
import { RichText, richNodes } from '../message/rich-text';

type Properties = Readonly<Record<string, unknown>> & { readonly children?: ReactNode };
type Component = (properties: Properties) => ReactNode;

const SVG = 'http://www.w3.org/2000/svg';
const NAMES: Readonly<Record<string, string>> = {
  className: 'class',
  tabIndex: 'tabindex',
  dateTime: 'datetime',
  strokeWidth: 'stroke-width',
  strokeLinecap: 'stroke-linecap',
  strokeLinejoin: 'stroke-linejoin',
};

export function plainNodes(drawn: ReactNode, isSvg = false): Node[] {
  if (drawn === undefined || drawn === null || typeof drawn === 'boolean') return [];
  if (typeof drawn === 'string' || typeof drawn === 'number') return [document.createTextNode(String(drawn))];
  if (Array.isArray(drawn)) return drawn.flatMap((each: ReactNode) => plainNodes(each, isSvg));
  if (!isValidElement<Properties>(drawn)) throw new TypeError('React must draw this');
  return nodesOf(drawn, isSvg);
}

function nodesOf({ type, props }: ReactElement<Properties>, isSvg: boolean): Node[] {
  if (type === Fragment) return plainNodes(props.children, isSvg);
  if (type === RichText) return [richText(String(props['html']), props['isAlerting'] === true)];
  if (typeof type === 'function') return plainNodes((type as Component)(props), isSvg);
  if (typeof type !== 'string') throw new TypeError('React must draw this');
  const isDrawing = isSvg || type === 'svg';
  const element = isDrawing ? document.createElementNS(SVG, type) : document.createElement(type);
  for (const [name, value] of Object.entries(props)) setProperty(element, name, value);
  element.append(...plainNodes(props.children, isDrawing));
  return [element];
}

function richText(html: string, isAlerting: boolean): Node {
  const place = document.createElement('div');
  place.className = 'rich-text';
  place.append(richNodes(html, isAlerting));
  return place;
}

function setProperty(element: HTMLElement | SVGElement, name: string, value: unknown): void {
  const attribute = NAMES[name] ?? name;
  if (name === 'style') setStyle(element, value as Readonly<Record<string, string | number>>);
  else if (typeof value === 'boolean' && !/^(aria|data)-/.test(name)) element.toggleAttribute(attribute, value);
  else if (name !== 'children' && isText(value)) element.setAttribute(attribute, String(value));
}

const isText = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** By the CSSOM, which the content security policy allows. Numbers are pixels. */
function setStyle(element: HTMLElement | SVGElement, style: Readonly<Record<string, string | number>>): void {
  const texts = Object.entries(style).map(([name, value]) => [name, typeof value === 'number' ? `${value}px` : value]);
  Object.assign(element.style, Object.fromEntries(texts));
}
