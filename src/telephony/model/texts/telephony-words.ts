/** What the server itself writes to people of companies. */
import { openCatalogues, type Words } from '../../../kernel/texts/catalogue';
import type english from './en.json';

export type TelephonyWords = Words<keyof typeof english>;

export const telephonyWords = openCatalogues<keyof typeof english>(__dirname);
