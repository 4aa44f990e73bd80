/** Finds drawn formulas in rendered content, for code that processes its text: a drawing consists mostly of tags. */
import { splitAtElements } from '../elements';

interface Part {
  readonly html: string;
  /** The formula's source, if this part is a drawing; still HTML-escaped. */
  readonly tex?: string;
}

const SOURCE = /<annotation encoding="application\/x-tex">([^<]*)<\/annotation>/;

export const texOf = (drawing: string): string => SOURCE.exec(drawing)?.[1] ?? '';

export const FORMULA = '<span class="katex';

export const partsOf = (html: string): Part[] =>
  splitAtElements(html, FORMULA).map(({ html: part, isElement }) =>
    isElement ? { html: part, tex: texOf(part) } : { html: part },
  );
