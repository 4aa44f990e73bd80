/** Text from the server. Untranslated text is marked as English for screen readers. */
import { useLanguage } from '../../shared/texts/texts';
import { translated } from '../data/server-words';

export function ServerText({ text }: { text: string }) {
  const isEnglish = useLanguage((language) => language.name) === 'en';
  const shown = translated(text);
  return shown === undefined && !isEnglish ? <span lang="en">{text}</span> : <span>{shown ?? text}</span>;
}
