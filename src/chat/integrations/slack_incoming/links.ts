/** Links and pictures. Services write empty and invalid addresses too, such as `null`. */
import { linkTo } from '../link-to';

/** The address if it is one of http or https; empty otherwise. */
export function webAddress(written: string): string {
  const address = written.trim().replace(/\s/g, encodeURIComponent);
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : '';
}

/** The text alone if there is no address to link. */
export function linked(text: string, written: string): string {
  return text === '' ? '' : linkTo(text, webAddress(written));
}

/** Empty without an address. */
export const picture = (text: string, written: string): string =>
  webAddress(written) === '' ? '' : linkTo(text, webAddress(written));
