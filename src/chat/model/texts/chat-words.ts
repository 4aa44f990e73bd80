/** What the server itself writes to people in the chat: mail, and what the notification bot says. */
import { openCatalogues, type Words } from '../../../kernel/texts/catalogue';
import type english from './en.json';

export type ChatWords = Words<keyof typeof english>;

export const chatWords = openCatalogues<keyof typeof english>(__dirname);
